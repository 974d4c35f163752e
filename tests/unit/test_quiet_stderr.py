"""Notes of C++ libraries stay out of the user's output, and nothing else does."""

import os

import pytest

from jupyter_mlprof.collect.quiet_stderr import without_lines


def test_only_lines_with_the_prefix_are_dropped(capfd):
    with without_lines(b"NOTE:"):
        os.write(2, b"NOTE: started\nan error\n")
    os.write(2, b"NOTE: seen\n")
    assert capfd.readouterr().err == "an error\nNOTE: seen\n"


def test_what_was_written_before_an_error_is_passed_on(capfd):
    def fail():
        with without_lines(b"NOTE:"):
            os.write(2, b"an error\n")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "an error\nafter\n"
