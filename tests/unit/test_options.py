"""The options of the magics."""

import pytest

from jupyter_mlprof.notebook.options import (
    OptionError,
    Options,
    parse,
    parse_auto,
    parse_statement,
)


@pytest.mark.parametrize(
    ("line", "options", "statement"),
    [
        ("train()", Options(), "train()"),
        ("  x = 'a b'  ", Options(), "x = 'a b'"),
        ("--quiet -o kept f(-1)", Options(quiet=True, output="kept"), "f(-1)"),
        ("-n 'my run' f('it''s')", Options(name="my run"), "f('it''s')"),
        ("--name=one f()", Options(name="one"), "f()"),
        ("--budget 2.5 --calls f()", Options(budget=2.5, calls=True), "f()"),
        ('print("--quiet")', Options(), 'print("--quiet")'),
    ],
)
def test_a_statement_follows_the_options_as_it_stands(line, options, statement):
    assert parse_statement(line) == (options, statement)


@pytest.mark.parametrize("line", ["", "--quiet", "-n", "-n name", "--no-such f()", "-n 'open f()"])
def test_a_statement_that_cannot_be_read_is_one_sentence(line):
    with pytest.raises(OptionError) as error:
        parse_statement(line)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "line", ["-o 1x", "what", "--calls=3", "--budget nan", "--budget 0", "--budget x"]
)
def test_options_that_cannot_be_read_are_one_sentence(line):
    with pytest.raises(OptionError) as error:
        parse(line)
    assert "\n" not in str(error.value)


def test_auto_takes_one_of_three_words():
    assert [parse_auto(f" {word} ") for word in ("off", "on", "all")] == ["off", "on", "all"]
    with pytest.raises(OptionError, match="one word"):
        parse_auto("sometimes")
