"""Small static pictures in SVG: a stacked bar and sparklines, without script or style sheet."""

from collections.abc import Sequence
from html import escape

from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.view.parts import COLOURS, legend

POINTS = 120


def stacked_bar(profile: CellProfile, height: int = 14) -> str:
    """Return the parts of the cell's time as one bar of full width."""
    if not profile.split or profile.duration_s <= 0:
        return ""
    at = 0.0
    boxes = []
    for part in profile.split:
        width = 100 * part.seconds / profile.duration_s
        boxes.append(
            f'<rect x="{at:.2f}%" y="0" width="{width:.2f}%" height="{height}"'
            f' fill="{COLOURS[part.part]}"/>'
        )
        at += width
    label = escape(", ".join(legend(profile)))
    return (
        f'<svg role="img" aria-label="{label}" width="100%" height="{height}"'
        f' xmlns="http://www.w3.org/2000/svg">{"".join(boxes)}</svg>'
    )


def sparkline(
    times: Sequence[float], values: Sequence[float | None], label: str, colour: str
) -> str:
    """Return one series as a line over its times; gaps stay gaps."""
    known = [value for value in values if value is not None]
    if not times or not known:
        return ""
    top, span = max(known) or 1.0, max(times) or 1.0
    stride = max(1, len(times) // POINTS)
    commands: list[str] = []
    pen = "M"
    for index in range(0, len(times), stride):
        bucket = [value for value in values[index : index + stride] if value is not None]
        if bucket:
            x, y = 300 * times[index] / span, 38 - 36 * max(bucket) / top
            commands.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L" if bucket else "M"
    return (
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 300 40" width="300" height="40"'
        ' xmlns="http://www.w3.org/2000/svg"><path d="M0 39.5H300" stroke="currentColor"'
        ' stroke-opacity=".3"/>'
        f'<path d="{"".join(commands)}" fill="none"'
        f' stroke="{colour}" stroke-width="1.5"/></svg>'
    )
