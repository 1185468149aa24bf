"""`diff --git`: a rule set against another revision of the repository that holds it."""

import json
import os
import subprocess

import pytest

from rulewright.compiler.cli.main import main
from rulewright.compiler.revisions.git import LOCAL

QUICK = ["--no-witnesses", "--no-examples", "--format", "json"]
MUD = ("2 when weather = mud", "1 when weather = mud")


def facts(capsys, *words):
    assert main(["diff", *words, *QUICK]) == 0
    made = json.loads(capsys.readouterr().out)
    return made, [f["text"] for f in made["facts"]]


def refused(capsys, *words):
    assert main(["diff", *words, *QUICK]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "Traceback" not in err and 1 <= len(err.splitlines()) <= 2
    return err


@pytest.fixture
def home(tmp_path, repos, monkeypatch):
    top = repos.repository(tmp_path / "my games", {"ford.rules": repos.ford()})
    monkeypatch.chdir(top)
    (top / "ford.rules").write_text(repos.ford().replace(*MUD))
    return top


@pytest.mark.parametrize("ref", ["v1", "main", "HEAD", "2026-05-01", "2026-06", "2027"])
def test_tags_branches_and_days(home, capsys, ref):
    made, said = facts(capsys, "ford.rules", "--git", ref)
    assert said == ["definition pace, when weather = mud: 2 becomes 1"]
    assert made["before"] == f"ford.rules at {ref}" and made["after"] == "ford.rules"
    assert made["facts"][0]["lines"] == {"before": "ford.rules:24", "after": "ford.rules:24"}


def test_hashes_and_the_commit_that_was_read(home, repos, capsys):
    commit = repos.git(home, "rev-parse", "HEAD")
    for ref in (commit, commit[:8], "v1^0"):
        made, said = facts(capsys, "ford.rules", "--git", ref)
        assert len(said) == 1 and made["revisions"] == {"before": commit, "after": None}


def test_two_revisions_and_another_rule_set(home, repos, capsys):
    repos.commit(home, {}, when="2026-06-01T12:00:00Z")
    assert facts(capsys, "ford.rules", "--git", "v1..main")[1] == ["definition pace, when weather = mud: 2 becomes 1"]
    assert facts(capsys, "ford.rules", "--git", "main")[1] == []
    assert facts(capsys, "ford.rules", "--git", "2026-05-31")[1] != []
    assert facts(capsys, "ford.rules", "--git", "2026-06-01")[1] == []
    assert len(facts(capsys, "ford.rules", "ford.rules+sheet", "--git", "main")[1]) == 4


def test_a_tag_that_is_called_like_a_day_goes_before_the_day(home, repos, capsys):
    repos.commit(home, {}, when="2026-06-01T12:00:00Z")
    assert len(facts(capsys, "ford.rules", "--git", "2026-05-02")[1]) == 1
    repos.git(home, "tag", "2026-05-02")
    assert facts(capsys, "ford.rules", "--git", "2026-05-02")[1] == []


def test_a_day_counts_on_the_branch_and_not_on_what_was_merged_into_it(home, repos, capsys):
    repos.git(home, "checkout", "-q", "--", ".")
    repos.git(home, "checkout", "-q", "-b", "side")
    repos.commit(home, {"ford.rules": repos.ford().replace(*MUD)}, when="2026-05-10T12:00:00Z")
    repos.git(home, "checkout", "-q", "main")
    repos.git(home, "merge", "-q", "--no-ff", "-m", "merged", "side", when="2026-06-01T12:00:00Z")
    assert len(facts(capsys, "ford.rules", "--git", "2026-05-15")[1]) == 1


def test_overlays_and_libraries_come_from_that_revision(tmp_path, repos, monkeypatch, capsys):
    book = 'book low "Low"\nuse pace\ncase 1 "Pieces":\n  kind side: red, blue\n'
    lib = 'case 1 "Pace":\n  define pace -> number: 3\n'
    over = 'errata slow of low "Slow":\n  case E.1 "Slow":\n    amend pace 1 pace: 3 becomes 2\n'
    files = {"rulebooks/low/1.rules": book, "rulebooks/lib/pace.rules": lib, "rulebooks/slow.rules": over}
    top = repos.repository(tmp_path / "r", files)
    monkeypatch.chdir(top)
    (top / "rulebooks/lib/pace.rules").write_text(lib.replace("3", "5"))
    (top / "rulebooks/slow.rules").write_text(over.replace("3 becomes 2", "5 becomes 1"))
    assert facts(capsys, "low", "--git", "v1")[1] == ["definition pace: 3 becomes 5"]
    for name in ("low+rulebooks/slow.rules", f"{top}/rulebooks/low+{top}/rulebooks/slow.rules", "low+slow"):
        assert facts(capsys, name, "--git", "v1")[1] == ["definition pace: 2 becomes 1"], name


def test_from_a_folder_below_and_from_outside(home, capsys, monkeypatch, tmp_path):
    (home / "deep").mkdir()
    monkeypatch.chdir(home / "deep")
    assert len(facts(capsys, "../ford.rules", "--git", "v1")[1]) == 1
    monkeypatch.chdir(tmp_path)
    made, said = facts(capsys, "my games/ford.rules", "--git", "v1")
    assert len(said) == 1 and made["before"] == "my games/ford.rules at v1"
    assert len(facts(capsys, str(home / "ford.rules"), "--git", "v1")[1]) == 1


def test_a_library_that_was_not_there_yet_is_not_taken_from_today(tmp_path, repos, monkeypatch, capsys):
    book = 'book low "Low"\nuse pace\ncase 1 "Pieces":\n  kind side: red, blue\n'
    top = repos.repository(tmp_path / "r", {"rulebooks/low/1.rules": book})
    (top / "rulebooks/lib").mkdir()
    (top / "rulebooks/lib/pace.rules").write_text('case 1 "Pace":\n  define pace -> number: 3\n')
    monkeypatch.chdir(top)
    assert main(["diff", "low", "--git", "v1", *QUICK]) == 2
    err = capsys.readouterr().err
    assert err.startswith("low at v1 does not compile:") and 'there is no library "pace"' in err


def test_the_index_and_the_files_are_as_they_were(home, repos, capsys):
    (home / "ford.rules").write_text(repos.ford().replace(*MUD))
    before = repos.git(home, "status", "--porcelain"), sorted(os.listdir(home / ".git"))
    facts(capsys, "ford.rules", "--git", "v1")
    assert before == (repos.git(home, "status", "--porcelain"), sorted(os.listdir(home / ".git")))


def test_saves_and_games_are_played_under_the_rules_of_that_revision(home, repos, capsys):
    repos.git(home, "checkout", "-q", "--", ".")
    assert main(["play", "ford.rules", "--players", "random", "--until", "6", "--quiet", "--save", "g.save"]) == 0
    (home / "ford.rules").write_text(repos.ford().replace("budget: pace(u)", "budget: 0"))
    capsys.readouterr()
    words = ["ford.rules", "--git", "v1", "--save", "g.save", "--games", "1", "--jobs", "1"]
    made, _ = facts(capsys, *words)
    assert made["saves"][0]["answer"].startswith("first differs at event") and made["balance"]["games"] == 1
    made, _ = facts(capsys, "ford.rules", "ford.rules", "--save", "g.save")
    assert made["saves"][0]["answer"] == "other rules"


# ---------------------------------------------------------------- what is not to be had


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("v2", 'has no revision "v2"'),
        ("v1^{tree}", "has no revision"),
        ("HEAD:ford.rules", "has no revision"),
        ("", "is no revision"),
        ("-x", "is no revision"),
        ("--upload-pack=touch x", "is no revision"),
        ("v1\n--all", "is no revision"),
        ("v1..", "is no pair of revisions"),
        ("v1...main", "is no pair of revisions"),
        ("2026-02-31", "there is no day 2026-02-31"),
        ("2020", "has no commit by 2020; its first is of 2026-05-01"),
        ("$(touch x)", "has no revision"),
    ],
)
def test_revisions_that_are_none(home, capsys, ref, said):
    assert said in refused(capsys, "ford.rules", f"--git={ref}")
    assert not (home / "x").exists()


def test_a_near_name_is_offered(home, repos, capsys):
    repos.git(home, "tag", "edition-2")
    assert 'did you mean "edition-2"?' in refused(capsys, "ford.rules", "--git", "edition2")


def test_a_book_that_was_not_there(home, repos, capsys):
    (home / "late.rules").write_text('book late "Late"\ncase 1 "A":\n  kind side: red, blue\n')
    err = refused(capsys, "late.rules", "--git", "v1")
    assert 'there is no book "late.rules" at v1' in err and "it has never been committed" in err
    commit = repos.commit(home, {}, when="2026-07-01T12:00:00Z")
    err = refused(capsys, "late.rules", "--git", "v1")
    assert f"it came with commit {commit[:7]}" in err and "of 2026-07-01" in err
    (home / "ford.rules").unlink()
    assert 'there is no book "ford.rules"' in refused_long(capsys, "ford.rules", "--git", "v1")


def refused_long(capsys, *words):
    assert main(["diff", *words, *QUICK]) == 2
    return capsys.readouterr().err


def test_an_overlay_file_that_was_not_there(home, capsys):
    (home / "mine.rules").write_text('errata mine of ford "M":\n  case M.1 "M":\n    amend 2 pace: 3 becomes 4\n')
    assert 'there is no overlay "mine.rules" at v1' in refused(capsys, "ford.rules+mine.rules", "--git", "v1")


def test_no_repository_no_commit_no_git(tmp_path, repos, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "ford.rules").write_text(repos.ford())
    assert "ford.rules is in no git repository" in refused(capsys, "ford.rules", "--git", "v1")
    assert 'there is no book "nope.rules"' in refused(capsys, "nope.rules", "--git", "v1")
    repos.git(tmp_path, "init", "-q")
    assert "has no revision" in refused(capsys, "ford.rules", "--git", "main")
    assert "has no commit yet" in refused(capsys, "ford.rules", "--git", "2026-05-01")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in refused(capsys, "ford.rules", "--git", "v1")


def test_a_clone_of_the_last_commit_says_how_to_get_the_rest(tmp_path, home, repos, monkeypatch, capsys):
    repos.commit(home, {}, when="2026-07-01T12:00:00Z")
    repos.git(tmp_path, "clone", "-q", "--depth", "1", "--no-tags", f"file://{home}", "short")
    monkeypatch.chdir(tmp_path / "short")
    assert "fetch-depth: 0" in refused(capsys, "ford.rules", "--git", "v1")
    assert "fetch-depth: 0" in refused(capsys, "ford.rules", "--git", "2026-05-01")


def test_a_date_before_all_errata(home, capsys):
    text = (home / "ford.rules").read_text()
    (home / "ford.rules").write_text(text.replace("  source: the designer\n", "  source: the designer\n  date: 1 Aug 1984\n"))
    assert len(facts(capsys, "ford.rules", "ford.rules@1984-08")[1]) == 4
    err = refused(capsys, "ford.rules", "ford.rules@1984-07")
    assert "ford had no errata by 1984-07: its first count from 1 Aug 1984 on" in err
    (home / "ford.rules").write_text(text)
    assert "it has no errata with a date" in refused(capsys, "ford.rules@1990", "ford.rules")


# ---------------------------------------------------------------- repositories that mean harm


def test_nothing_of_the_repository_is_run(tmp_path, home, repos, monkeypatch, capsys):
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\nexit 0\n")
    trap.chmod(0o755)
    hooks = home / ".git" / "hooks"
    for name in ("post-checkout", "pre-commit", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        (hooks / name).write_text(trap.read_text())
        (hooks / name).chmod(0o755)
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "gpg.program", "diff.external",
        "filter.x.smudge", "filter.x.clean", "filter.x.process", "diff.x.textconv", "diff.x.command",
        "alias.rev-parse", "credential.helper", "uploadpack.packObjectsHook", "core.gitProxy",
    ):  # fmt: skip
        repos.git(home, "config", key, str(trap))
    repos.git(home, "config", "log.showSignature", "true")
    repos.git(home, "config", "core.hooksPath", str(hooks))
    (home / ".gitattributes").write_text("*.rules filter=x diff=x\n")
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND"):
        monkeypatch.setenv(name, str(trap))
    facts(capsys, "ford.rules", "--git", "v1")
    refused(capsys, "ford.rules", "--git", "nothing")
    assert not (tmp_path / "sprung").exists()


def test_missing_objects_are_not_fetched(tmp_path, home, repos, monkeypatch, capsys):
    repos.git(home, "config", "uploadpack.allowFilter", "true")
    repos.git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{home}", "part")
    part = tmp_path / "part"
    (part / "ford.rules").write_text(repos.ford())
    trap = tmp_path / "sprung"
    repos.git(part, "config", "remote.origin.uploadpack", f"touch '{trap}'; git-upload-pack")
    monkeypatch.chdir(part)
    err = refused(capsys, "ford.rules", "--git", "v1")
    assert not trap.exists() and ("lacks" in err or "failed" in err)


def test_a_hook_of_another_repository_does_not_lead_astray(tmp_path, home, repos, monkeypatch, capsys):
    other = repos.repository(tmp_path / "other", {"a.txt": "x"})
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        assert name in LOCAL
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert len(facts(capsys, "ford.rules", "--git", "v1")[1]) == 1


def test_links_that_lead_out_are_not_followed(tmp_path, repos, monkeypatch, capsys):
    secret = tmp_path / "secret.rules"
    secret.write_text('case 9 "Secret":\n  define hidden -> number: 4\n')
    top = tmp_path / "r"
    head = 'book low "Low"\ncase 1 "Pieces":\n  kind side: red, blue\n'
    (top / "low").mkdir(parents=True)
    (top / "low" / "out.rules").symlink_to("../../secret.rules")
    (top / "low" / "away.rules").symlink_to(secret)
    (top / "low" / "in.rules").symlink_to("../shared.rules")
    (top / "folder").symlink_to("/etc")
    (top / "round").symlink_to("round")
    repos.repository(top, {"low/1.rules": head, "shared.rules": 'case 2 "Shared":\n  define kept -> number: 3\n'})
    monkeypatch.chdir(top)
    assert main(["diff", "low", "--git", "v1..v1", *QUICK]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["facts"] == []
    assert "these links do not lead to a file of it and are not read: folder, low/away.rules, low/out.rules" in err and "round" not in err
    (top / "low" / "out.rules").unlink()
    (top / "low" / "away.rules").unlink()
    assert facts(capsys, "low", "--git", "v1")[1] == []  # what lay outside was not part of v1


def forged(top, *lines):
    """A commit whose tree holds names that git itself would not write."""
    run = ["git", "-C", str(top)]
    made = subprocess.run([*run, "mktree", "--missing"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def test_forged_paths_stay_inside(home, repos, capsys):
    blob = subprocess.run(
        ["git", "-C", str(home), "hash-object", "-w", "--stdin"], input="x", capture_output=True, text=True
    ).stdout.strip()
    ford = repos.git(home, "rev-parse", "v1:ford.rules")
    inner = forged(home, f"100644 blob {blob}\tevil.rules")
    raw = b"".join(
        f"{mode} {name}".encode() + b"\0" + bytes.fromhex(id)
        for mode, name, id in (("40000", "..", inner), ("100644", "ford.rules", ford))
    )
    tree = subprocess.run(
        ["git", "-C", str(home), "hash-object", "-t", "tree", "--literally", "-w", "--stdin"], input=raw, capture_output=True
    ).stdout.decode().strip()
    commit = repos.git(home, "commit-tree", "-m", "forged", tree)
    assert len(facts(capsys, "ford.rules", "--git", commit)[1]) == 1
    from rulewright.dsl.cache import cache_directory

    assert not list((cache_directory() / "revisions").glob("*/evil.rules"))


def test_a_submodule_is_its_own_repository(tmp_path, home, repos, monkeypatch, capsys):
    repos.git(home, "checkout", "-q", "--", ".")
    top = repos.repository(tmp_path / "super", {"readme.txt": "x"})
    repos.git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(home), "books/ford")
    repos.git(top, "commit", "-q", "-m", "with a submodule")
    monkeypatch.chdir(top)
    inside = top / "books" / "ford" / "ford.rules"
    inside.write_text(repos.ford().replace(*MUD))
    assert len(facts(capsys, "books/ford/ford.rules", "--git", "v1")[1]) == 1
    assert 'has no revision "main~1"' in refused(capsys, "books/ford/ford.rules", "--git", "main~1")


def test_a_rules_file_that_is_too_large(home, repos, capsys):
    (home / "ford.rules").write_text(repos.ford() + "# long\n" * (3 << 20))
    repos.commit(home, {})
    repos.git(home, "tag", "big")
    (home / "ford.rules").write_text(repos.ford())
    assert "ford.rules has " in refused(capsys, "ford.rules", "--git", "big")


def test_a_broken_repository_is_one_line(home, repos, capsys):
    id = repos.git(home, "rev-parse", "v1:ford.rules")
    loose = home / ".git" / "objects" / id[:2] / id[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"garbage")
    assert "ford.rules" in refused(capsys, "ford.rules", "--git", "v1")
