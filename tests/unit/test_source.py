"""Hash, newlines and edits of a source."""

import hashlib

import pytest

from jupyter_mlprof.model.finding import TextEdit
from jupyter_mlprof.model.source import apply_edits, normalized, source_sha256, utf16_offset


def test_the_hash_is_of_utf8_with_newlines():
    assert source_sha256("é\r\nb") == hashlib.sha256("é\nb".encode()).hexdigest()
    assert normalized("a\rb\r\nc") == "a\nb\nc"


def test_offsets_count_as_javascript_does():
    assert utf16_offset("a😀b", 2) == 3
    assert utf16_offset("aéb", 2) == 2


def test_edits_are_made_in_utf16_units():
    assert apply_edits("😀 = f(1)", (TextEdit(7, 8, "2"), TextEdit(8, 8, ", é"))) == "😀 = f(2, é)"


@pytest.mark.parametrize(
    "edits",
    [
        (TextEdit(3, 4, ""), TextEdit(1, 2, "")),
        (TextEdit(0, 3, ""), TextEdit(2, 4, "")),
        (TextEdit(0, 99, ""),),
        (TextEdit(-1, 1, ""),),
        (TextEdit(3, 2, ""),),
    ],
)
def test_edits_that_do_not_fit_are_refused(edits):
    with pytest.raises(ValueError, match="do not fit"):
        apply_edits("abcdef", edits)
