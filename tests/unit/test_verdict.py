"""The sentence that says what bounds a cell."""

import pytest

from jupyter_mlprof.advise.advice import advise
from jupyter_mlprof.advise.rule import Withheld
from jupyter_mlprof.advise.verdict import verdict
from jupyter_mlprof.model.functions import FunctionTime
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.profile import CellError
from tests.samples import SOURCE, loader_use, machine, profile

COMPUTING = "%%mlprof\nfor x in xs:\n    heavy(x)\n"
LINES = (LineTime(2, 9.9, 490), LineTime(3, 9.8, 480))


def said(withheld=(), source=SOURCE, **changes):
    return verdict(profile(**changes), source, withheld)


def test_a_wait_with_a_fix_says_who_loads():
    one = profile()
    found = advise(one, SOURCE).findings
    text = said(findings=found).text
    assert text == (
        "78 % of 10.2 s waited for the DataLoader: one process loads, and 95 % of the loading waits"
        " for storage or network."
    )
    busy = profile(loader=(loader_use(fetch_cpu_s=7.9),))
    text = verdict(profile(loader=busy.loader, findings=advise(busy, SOURCE).findings), SOURCE).text
    assert text.endswith("one process loads while about 6 cores could help.")


def test_a_wait_with_a_cause_below_it_names_that():
    use = loader_use(workers=1, epochs=9, start_s=4.0, first_wait_s=4.2)
    found = advise(profile(loader=(use,)), SOURCE).findings
    text = said(loader=(use,), findings=found).text
    assert text.endswith("waited for the DataLoader: its workers are started anew for each pass.")


def test_a_wait_without_a_fix_says_why():
    text = said([Withheld("input-pipeline/workers", "no core is free")]).text
    assert text.endswith("More workers are not advised: no core is free.")


def test_computing_names_cores_and_the_innermost_line():
    one = said(
        source=COMPUTING, loader=(), lines=LINES, cpu_s=19.4, machine=machine(cores_allowed=2)
    )
    assert one.rule == "compute"
    assert one.text == (
        "Compute-bound: 1.9 of 2 cores busy over 10.2 s, 96 % in line 3 (`heavy(x)`)."
        " Nothing worth changing was found."
    )


def test_other_processes_are_told():
    busy = machine(cores_allowed=2, cores_busy_elsewhere=1.5)
    text = said(source=COMPUTING, loader=(), lines=LINES, cpu_s=5.1, machine=busy).text
    assert text.startswith("Compute-bound: 0.5 of 2 cores busy (1.5 cores by other processes) over")


def test_waiting_is_told_from_computing():
    one = said(source=COMPUTING, loader=(), lines=LINES, cpu_s=0.5)
    assert one.text == "Waiting: no core was busy for 95 % of 10.2 s, 96 % in line 3 (`heavy(x)`)."


def test_imports_are_named():
    imports = FunctionTime("_find_and_load", "<frozen importlib._bootstrap>", 1, 1.0, 8.0)
    one = said(loader=(), functions=(imports,))
    assert one.text.startswith("Import-bound: 78 % of 10.2 s went into importing modules")


def test_imports_are_set_aside_in_what_waits():
    imports = FunctionTime("_find_and_load", "<frozen importlib._bootstrap>", 1, 1.0, 90.0)
    one = said(functions=(imports,), duration_s=100.0)
    assert one.text.startswith("80 % of 10 s (90 s of imports aside) waited for the DataLoader")


def test_a_short_cell_is_not_judged():
    one = said(loader=(), lines=(LineTime(2, 0.1, 4),), duration_s=0.12)
    assert one.text == "Too short to tell: 120 ms. Nothing worth changing was found."
    assert said(loader=(), lines=(), duration_s=0.001).rule == "short"


def test_a_long_cell_that_was_seldom_seen_is_judged_all_the_same():
    one = said(loader=(), lines=(), duration_s=2.0, cpu_s=0.02)
    assert one.text == "Waiting: no core was busy for 99 % of 2 s."


def test_imports_inside_the_loading_make_no_share_above_the_whole():
    imports = FunctionTime("_find_and_load", "<frozen importlib._bootstrap>", 1, 1.0, 9.0)
    assert said(functions=(imports,)).text.startswith("100 % of 1.2 s (9 s of imports aside)")


@pytest.mark.parametrize(("line", "where"), [(4, " in line 4"), (None, "")])
def test_a_stopped_cell_says_so_first(line, where):
    error = CellError("KeyboardInterrupt", "", line)
    one = said(outcome="interrupted", error=error)
    assert one.text.startswith(
        f"Stopped by KeyboardInterrupt{where} after 10.2 s; what was seen until then: 78 % of"
    )


def test_a_failing_rule_costs_the_advice_alone():
    advice = advise(profile(), "def (:")
    assert advice.findings[0].fix is None
