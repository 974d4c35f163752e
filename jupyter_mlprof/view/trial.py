"""What came of trying a fix, in the same words on every static surface."""

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.trial import Trial


def trial_text(trial: Trial) -> str:
    """Return the verdict, and the figures that it does not tell."""
    if trial.verdict == "refused":
        return trial.text
    figures = ", ".join(_figures(trial))
    said = f"Tried. {trial.text}"
    return f"{said} {figures[0].upper()}{figures[1:]}." if figures else said


def _figures(trial: Trial) -> list[str]:
    found = []
    if trial.before_s is not None and trial.after_s is not None:
        whole = f"whole cell {numbers.seconds(trial.before_s)} before"
        whole += f", {numbers.seconds(trial.after_s)} after"
        if trial.steps is not None:
            whole += f" (worked out from {numbers.counted(trial.steps, 'step')})"
        found.append(whole)
    if trial.steady:
        found.append(f"later steps {numbers.ratio(trial.steady)} as fast")
    if trial.memory_change_bytes:
        more = "more" if trial.memory_change_bytes > 0 else "less"
        found.append(f"{numbers.size(abs(trial.memory_change_bytes))} {more} memory")
    if trial.pairs:
        found.append(numbers.counted(trial.pairs, "pair") + " of runs")
    return found
