"""File names fit to be shared: the user's home folder is written `~`."""

from pathlib import Path


def without_home(text: str) -> str:
    """Return the text with the home folder as `~`."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text
