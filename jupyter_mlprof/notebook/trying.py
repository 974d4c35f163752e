"""Try a finding's fix in this kernel, and show what came of it beside the finding."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mlprof.errors import MlprofError
from jupyter_mlprof.model.size import fit
from jupyter_mlprof.notebook.block import shell as current_shell
from jupyter_mlprof.notebook.magic_line import blank
from jupyter_mlprof.notebook.show import show_again
from jupyter_mlprof.session import session

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mlprof.model.finding import Finding, Fix
    from jupyter_mlprof.model.profile import CellProfile
    from jupyter_mlprof.model.trial import Trial

WORKERS = re.compile(r"num_workers\s*=\s*(\d+)")


def try_fix(number: int, profile_id: str | None, limit_s: float) -> Trial:
    """Try the finding of that number; see `jupyter_mlprof.try_fix`."""
    from jupyter_mlprof.trial.arm import Kernel
    from jupyter_mlprof.trial.trial import try_fix as try_it

    shell = current_shell()
    if shell is None:
        raise MlprofError("A fix is tried in the notebook whose cell was profiled.")
    profile, finding = _chosen(number, profile_id)
    kernel = Kernel(shell.user_ns, lambda source: _run_quietly(shell, source))
    tried = try_it(profile, finding, kernel, limit_s)
    changed = _with_fix(replace(finding, trial=tried.trial), tried.fix)
    findings = tuple(changed if one is finding else one for one in profile.findings)
    profile = fit(replace(profile, findings=findings))
    session().change(profile)
    show_again(shell, profile)
    return tried.trial


def _chosen(number: int, profile_id: str | None) -> tuple[CellProfile, Finding]:
    current = session()
    if current.running:
        raise MlprofError("A cell is being profiled: try the fix when it has ended.")
    known = current.profiles
    profile = current.find(profile_id) if profile_id else (known[-1] if known else None)
    if profile is None:
        raise MlprofError("This run is not of this kernel session: run the cell again, then try.")
    if not 1 <= number <= len(profile.findings):
        raise MlprofError(f"The profile has no finding number {number}.")
    finding = profile.findings[number - 1]
    if finding.fix is None:
        raise MlprofError("This finding has no change that could be tried.")
    return profile, finding


def _with_fix(finding: Finding, fix: Fix | None) -> Finding:
    """Take the fix that was the best of its kind, with its number in the title."""
    if fix is None or finding.fix is None or fix == finding.fix:
        return finding
    own, best = (
        WORKERS.search("".join(edit.text for edit in one.edits)) for one in (finding.fix, fix)
    )
    title = finding.title
    if own and best:
        title = re.sub(rf"\b{own[1]} workers?\b", f"{best[1]} workers", title)
    return replace(finding, fix=fix, title=title.replace(" 1 workers", " 1 worker"))


def _run_quietly(shell: InteractiveShell, source: str) -> BaseException | None:
    """Run a cell without output and history; only in a copy of the kernel, which it changes."""
    sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - of a copy
    shell.display_pub.publish = _nothing  # type: ignore[method-assign]
    text = "".join(blank(source.splitlines(keepends=True)))
    result = shell.run_cell(text, silent=True, store_history=False)
    error: BaseException | None = result.error_before_exec or result.error_in_exec
    return error


def _nothing(*_given: object, **_named: object) -> None:
    """Take the place of what would show something."""
