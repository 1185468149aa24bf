"""A text that stands in for a file: what an editor holds and has not saved."""

from rulewright.compiler.pipeline import analyse

HEAD = 'book picket "A picket"\n\ncase 1 "Pieces":\n  kind side: red, blue\n  map field:\n    grid: rows A..A\n    hexes: A1..A3\n'
RULE = 'case 2 "Reach":\n  define reach -> number: 2\n  example "two":\n    expect reach = 2\n'


def book(tmp_path):
    folder = tmp_path / "picket"
    folder.mkdir()
    (folder / "1.rules").write_text(HEAD)
    (folder / "2.rules").write_text(RULE)
    return folder


def found(folder, texts=None):
    return [(d.code, d.span.line) for d in analyse(str(folder), texts=texts).report.found]


def test_the_text_counts_and_the_file_stays(tmp_path):
    folder = book(tmp_path)
    path = (folder / "2.rules").resolve()
    assert found(folder) == []
    assert found(folder, {path: "\n" + RULE.replace("number: 2", "number: tow")}) == [("RW201", 3)]
    assert path.read_text() == RULE
    assert found(folder) == []


def test_a_text_for_another_file_changes_nothing(tmp_path):
    folder = book(tmp_path)
    assert found(folder, {tmp_path / "3.rules": "case"}) == []
