"""Two texts in words: only what differs is shown, with the words that changed marked."""

from rulewright.compiler.sheet.lines import differing, marked, without
from rulewright.compiler.words.said import Said


def shown(lines, indent=""):
    found = []
    for line in lines:
        found.append(f"{indent}{line.sort}: " + " ".join(f"*{r.text}*" if r.changed else r.text for r in line.runs))
        found += shown(line.below, indent + "  ")
    return found


def test_equal_texts_have_no_lines():
    said = [Said("A unit moves.", (Said("One hex."),))]
    assert differing(said, [Said("A unit moves.", (Said("One hex."),))]) == ()


def test_an_added_line_stands_below_its_sentence_and_unchanged_lines_are_left_out():
    was = [Said("The pace of a unit is:", (Said("3 if it is red."), Said("Otherwise 2.")))]
    now = [Said("The pace of a unit is:", (*was[0].items, Said("Except (2.1): 1.", case="2.1")))]
    assert shown(differing(was, now)) == ["same: The pace of a unit is:", "  new: Except (2.1): 1."]
    assert shown(differing(now, was)) == ["same: The pace of a unit is:", "  gone: Except (2.1): 1."]


def test_changed_words_are_marked_and_long_stretches_cut():
    many = " ".join(f"w{i}" for i in range(60))
    ours, theirs = marked(f"It costs 2 if {many} holds.", f"It costs 3 if {many} holds.")
    assert [r.text for r in ours if r.changed] == ["2"] and [r.text for r in theirs if r.changed] == ["3"]
    assert "…" in ours[-1].text and "w30" not in ours[-1].text


def test_sentences_with_little_in_common_are_not_marked():
    assert not any(r.changed for side in marked("The gap is 1.", "As a rule nobody may enter there.") for r in side)


def test_an_opening_that_changed_keeps_its_short_list():
    was = [Said("If the sky is at least 6:", (Said("It rains."),))]
    now = [Said("If the sky is at least 5:", (Said("It rains."),))]
    assert shown(differing(was, now)) == [
        "was: If the sky is at least *6:*",
        "is: If the sky is at least *5:*",
        "  kept: It rains.",
    ]


def test_lines_of_other_items_are_left_to_them():
    was = [Said("The pace is 2.")]
    now = [Said("The pace is 2.", (Said("Except (9.1): 1.", case="9.1"), Said("Except (9.2): 3.", case="9.2")))]
    found = without(differing(was, now), frozenset({"9.2"}))
    assert shown(found) == ["same: The pace is 2.", "  new: Except (9.1): 1."]
    assert without(differing(was, now), frozenset({"9.1", "9.2"})) == ()
