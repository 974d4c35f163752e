"""What a list calls a cell that has no name."""

LENGTH = 80


def title(source: str | None) -> str:
    """Return the first line of code of a cell, magics and comments aside; empty where none is."""
    lines = (line.strip() for line in (source or "").splitlines())
    return next((line[:LENGTH] for line in lines if line and line[0] not in "%!#?"), "")
