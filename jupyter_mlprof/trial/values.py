"""What a cell computed, in a few numbers for each variable, so that two runs can be compared."""

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Any

ELEMENTS_MOST = 1_000_000
NAMES_MOST = 200

# Length, a sum with signs of its own for each element, and how many elements.
Numbers = tuple[float, float, int]


def numbers(namespace: Mapping[str, object], names: Iterable[str]) -> dict[str, Numbers]:
    """Return the numbers of those variables that have some: tensors, arrays, modules, scalars."""
    found = {}
    for name in sorted(set(names))[:NAMES_MOST]:
        value = _summary(namespace.get(name))
        if value is not None:
            found[name] = value
    return found


def difference(one: Numbers, other: Numbers) -> float:
    """Return by how much two variables differ, as a share of their size; infinite if by length."""
    length, signed, count = one
    other_length, other_signed, other_count = other
    if count != other_count:
        return math.inf
    if not all(map(math.isfinite, (*one, *other))):
        return 0.0 if repr(one) == repr(other) else math.inf
    size = max(abs(length), abs(other_length))
    if not size:
        return 0.0
    return max(abs(length - other_length), abs(signed - other_signed)) / size


def _summary(value: Any) -> Numbers | None:
    """Return the numbers of a value; None where it has none."""
    if isinstance(value, bool | int | float):
        number = float(value)
        return abs(number), number, 1
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(value, torch.nn.Module):
        parts = [_of_tensor(torch, one) for one in value.state_dict().values()]
        return _joined([part for part in parts if part is not None])
    if torch is not None and isinstance(value, torch.Tensor):
        return _of_tensor(torch, value)
    if numpy is not None and isinstance(value, numpy.ndarray):
        return _of_array(numpy, value)
    if isinstance(value, list | tuple) and 0 < len(value) <= ELEMENTS_MOST:
        kinds = {type(one) for one in value}
        if kinds <= {int, float} and numpy is not None:
            return _of_array(numpy, numpy.asarray(value, dtype="float64"))
    return None


def _of_tensor(torch: Any, tensor: Any) -> Numbers | None:
    if tensor.is_complex() or tensor.is_sparse or tensor.numel() == 0:
        return None
    flat = tensor.detach().reshape(-1)[:ELEMENTS_MOST].double().cpu()
    signs = torch.arange(flat.numel(), dtype=torch.float64).cos()
    return float(flat.norm()), float(flat @ signs), tensor.numel()


def _of_array(numpy: Any, array: Any) -> Numbers | None:
    if array.dtype.kind not in "biuf" or array.size == 0:
        return None
    flat = array.reshape(-1)[:ELEMENTS_MOST].astype("float64")
    signs = numpy.cos(numpy.arange(flat.size))
    return float(numpy.linalg.norm(flat)), float(flat @ signs), int(array.size)


def _joined(parts: list[Numbers]) -> Numbers | None:
    if not parts:
        return None
    return (
        math.hypot(*(part[0] for part in parts)),
        sum(part[1] * math.cos(place) for place, part in enumerate(parts)),
        sum(part[2] for part in parts),
    )
