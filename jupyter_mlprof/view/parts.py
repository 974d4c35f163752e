"""The parts of the cell's time: their names and colours, the same on every surface.

Colours are Okabe and Ito's, which colour-blind people can tell apart.
"""

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.profile import CellProfile, PartName

COLOURS: dict[PartName, str] = {
    "data": "#E69F00",
    "forward": "#0072B2",
    "backward": "#D55E00",
    "optimizer": "#009E73",
    "transfer": "#56B4E9",
    "python": "#999999",
    "idle": "#CCCCCC",
    "other": "#BBBBBB",
}
NAMES: dict[PartName, str] = {
    "data": "data",
    "forward": "forward",
    "backward": "backward",
    "optimizer": "optimizer",
    "transfer": "transfer",
    "python": "other Python",
    "idle": "idle",
    "other": "other",
}


def legend(profile: CellProfile) -> list[str]:
    """Return each part as text: data 8.8 s (71 %)."""
    return [
        f"{NAMES[part.part]} {numbers.seconds(part.seconds)}"
        f" ({numbers.share(part.seconds, profile.duration_s)})"
        for part in profile.split
    ]
