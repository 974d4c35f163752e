"""Profiles to JSON and back.

Writing turns NaN and infinities into null. Reading is strict about types, since a file may come
from anywhere, and lenient about unknown keys, which a newer minor version may add.
"""

import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from jupyter_mlprof.errors import ProfileError
from jupyter_mlprof.model.profile import SCHEMA_VERSION, CellProfile

# Beyond this no count or size is meant, and arithmetic with floats fails.
MOST_INT = 2**63


def to_json(value: object) -> Any:
    """Return the JSON value of a dataclass, tuple or scalar; floats keep six digits."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, float):
        return _short(value) if math.isfinite(value) else None
    return value


def _short(value: float) -> float | int:
    """Round to a microsecond or to six significant digits, whichever keeps more."""
    rounded = round(value, 6) if abs(value) >= 1 else float(f"{value:.6g}")
    return int(rounded) if rounded == int(rounded) else rounded


def dumps(profile: CellProfile) -> str:
    """Return the profile as compact JSON text."""
    return json.dumps(to_json(profile), ensure_ascii=False, separators=(",", ":"))


def from_json(value: object) -> CellProfile:
    """Read a profile from parsed JSON.

    Raises:
        ProfileError: it is of an unknown major version, or is no profile; the text says why.
    """
    if not isinstance(value, Mapping):
        raise ProfileError("This is no profile: an object was expected.")
    version = value.get("schema_version")
    if version != SCHEMA_VERSION:
        raise ProfileError(
            f"This profile has schema version {version!r:.20}, this package reads"
            f" {SCHEMA_VERSION}: update jupyter_mlprof to read it."
        )
    profile = _read(CellProfile, value, "profile")
    assert isinstance(profile, CellProfile)  # noqa: S101 - for the type checker
    return profile


def loads(text: str | bytes) -> CellProfile:
    """Read a profile from JSON text; errors as in from_json."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"This is no profile: not valid JSON ({error!s:.80}).") from error
    return from_json(value)


def load(path: str | Path) -> CellProfile:
    """Read a `.mlprof.json` file.

    Raises:
        ProfileError: the file cannot be read or holds no profile.
    """
    try:
        return loads(Path(path).read_bytes())
    except OSError as error:
        raise ProfileError(f"Cannot read {path}: {error.strerror}.") from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: object, where: str) -> object:
    """Read a value of the type `kind`; `where` names it in errors."""
    if isinstance(value, int) and abs(value) > MOST_INT:
        raise ProfileError(f"This is no profile: {where} is beyond all measure.")
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _read_union(kind, value, where)
    if origin is tuple:
        return _read_tuple(get_args(kind), value, where)
    if origin is Literal:
        if isinstance(value, str) and value in get_args(kind):
            return value
    elif is_dataclass(kind):
        return _read_dataclass(kind, value, where)
    elif kind is float and isinstance(value, int | float | None) and not isinstance(value, bool):
        return math.nan if value is None else float(value)
    elif isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise _refusal(where, value)


def _read_union(kind: Any, value: object, where: str) -> object:
    if value is None and type(None) in get_args(kind):
        return None
    inner = next(option for option in get_args(kind) if option is not type(None))
    return _read(inner, value, where)


def _read_tuple(args: tuple[Any, ...], value: object, where: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise _refusal(where, value)
    if len(args) == 2 and args[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...]
        return tuple(_read(args[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if len(value) != len(args):
        raise _refusal(where, value)
    return tuple(_read(kind, item, where) for kind, item in zip(args, value, strict=True))


def _read_dataclass(kind: Any, value: object, where: str) -> object:
    if not isinstance(value, Mapping):
        raise _refusal(where, value)
    found: dict[str, object] = {}
    for field in fields(kind):
        if field.name in value:
            hint = _hints(kind)[field.name]
            found[field.name] = _read(hint, value[field.name], f"{where}.{field.name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ProfileError(f"This is no profile: {where}.{field.name} is missing.")
    return kind(**found)


def _refusal(where: str, value: object) -> ProfileError:
    kind = type(value).__name__
    return ProfileError(f"This is no profile: {where} cannot be {kind} {value!r:.40}.")
