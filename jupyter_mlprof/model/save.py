"""Write a profile to a file, in our format or in another tool's."""

from pathlib import Path

from jupyter_mlprof.errors import ProfileError
from jupyter_mlprof.model.codec import dumps
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.model.pstats_file import pstats_bytes
from jupyter_mlprof.model.runfile import write_atomically

PSTATS = {".pstats", ".prof"}


def save(profile: CellProfile, path: str | Path) -> None:
    """Write `NAME.mlprof.json`, which `load` reads.

    Raises:
        ProfileError: the file cannot be written.
    """
    _write(Path(path), dumps(profile).encode("utf-8", "surrogatepass"))


def export(profile: CellProfile, path: str | Path) -> None:
    """Write the profile in the format that the file's ending names: `.pstats` or `.prof`.

    Raises:
        ProfileError: the ending is another one, or the file cannot be written.
    """
    file = Path(path)
    if file.suffix not in PSTATS:
        raise ProfileError(f"Cannot export to {file}: name it .pstats (or .prof), or use save().")
    _write(file, pstats_bytes(profile))


def _write(file: Path, data: bytes) -> None:
    try:
        write_atomically(file, data, private=False)
    except OSError as error:
        raise ProfileError(f"Cannot write {file}: {error.strerror}.") from error
