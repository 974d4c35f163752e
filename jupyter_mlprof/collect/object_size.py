"""How many bytes a value of the user's keeps, told without running code of the user's.

Methods are those of the types themselves, never what a subclass made of them. Memory on a GPU is
not counted: it is not the process's.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

ITEMS_LOOKED_AT = 2_000  # of a longer container so many are looked at, and the rest taken as alike
COLUMNS_LOOKED_AT = 50
DEPTH_MOST = 30
# These hold references to all and everything, or are the machinery that runs the cell.
PASSED_OVER = {
    *("IPython", "ipykernel", "traitlets", "zmq", "tornado", "asyncio", "threading", "logging"),
    *("_thread", "jupyter_mlprof", "weakref", "multiprocessing", "concurrent", "_io", "io"),
}
CODE = (
    *(ModuleType, FunctionType, BuiltinFunctionType, MethodType, CodeType, FrameType),
    *(type, property, staticmethod, classmethod),
)
SCALARS = (int, float, complex, str, bytes, bytearray)
# From a value to what tells its memory from others', and its bytes.
Sizer = Callable[[Any], tuple[object, int]]


@dataclass
class Sizes:
    """Adds up sizes; what was counted once is not counted again.

    `until` is the moment, on the monotonic clock, after which no value is looked into.
    """

    until: float
    seen: set[object] = field(default_factory=set)
    cut: bool = False

    def of(self, value: object, others: frozenset[int] = frozenset()) -> int:
        """Return the bytes of a value, without what the values of the ids `others` hold."""
        total = 0.0
        # Each with how often it counts: the part of a long container stands for the whole.
        rest: list[tuple[object, float, int]] = [(value, 1.0, 0)]
        while rest:
            if time.monotonic() > self.until:
                self.cut = True
                break
            one, weight, depth = rest.pop()
            if id(one) in others or self._known(one):
                continue
            size, parts, share = _shallow(one)
            total += weight * self._unseen_buffer(one, size)
            if depth < DEPTH_MOST:
                rest += [(part, weight * share, depth + 1) for part in parts]
        return int(total)

    def _known(self, value: object) -> bool:
        known = id(value) in self.seen
        self.seen.add(id(value))
        return known

    def _unseen_buffer(self, value: object, size: int) -> int:
        """Return the size, or 0 where another view of the same memory was counted."""
        found = buffer(value)
        if found is None:
            return size
        key, whole = found
        known = key in self.seen
        self.seen.add(key)
        return 0 if known else whole


def _shallow(value: object) -> tuple[int, Iterable[object], float]:
    """Return the bytes of the value alone, its parts (some of many), and how many each is for."""
    kind = type(value)
    if issubclass(kind, SCALARS):
        base = next(scalar for scalar in SCALARS if issubclass(kind, scalar))
        return base.__sizeof__(value), (), 1.0
    if _sizer(kind) is not None:
        return 0, _gradient(value), 1.0
    if issubclass(kind, CODE) or _family(kind) in PASSED_OVER:
        return 0, (), 1.0
    attributes = _attributes(value)
    items = _items(value, kind)
    if items is None:
        return 0, attributes, 1.0
    chosen, count = items
    share = count / len(chosen) if chosen else 1.0
    return 8 * count, [*chosen, *attributes], share


def _items(value: Any, kind: type) -> tuple[list[object], int] | None:
    """Return some of what a built-in container holds, and how many it holds; None for others.

    Each copy is made in one piece, since the cell may go on in its own thread, and is short.
    """
    if issubclass(kind, dict):
        pairs = list(islice(dict.items(value), ITEMS_LOOKED_AT))
        return [part for pair in pairs for part in pair], 2 * dict.__len__(value)
    for base in (list, tuple):
        if issubclass(kind, base):
            count = base.__len__(value)
            step = max(1, count // ITEMS_LOOKED_AT)
            return list(base.__getitem__(value, slice(None, None, step))), count
    for unordered in (set, frozenset, deque):
        if issubclass(kind, unordered):
            some = islice(unordered.__iter__(value), ITEMS_LOOKED_AT)
            return list(some), unordered.__len__(value)
    return None


def _gradient(value: Any) -> list[object]:
    """Return the gradient that a parameter keeps."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return []
    with torch._C.DisableTorchFunctionSubclass():  # noqa: SLF001 - a subclass may run user code
        gradient = torch.Tensor.grad.__get__(value) if value.is_leaf else None
    return [] if gradient is None else [gradient]


def _attributes(value: object) -> list[object]:
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except Exception:  # noqa: BLE001 - a class may make it whatever it likes
        return []
    return list(dict.values(attributes)) if isinstance(attributes, dict) else []


def buffer(value: object) -> tuple[object, int] | None:
    """Return what tells a value's memory from others', and its bytes; None where it has none."""
    sizer = _sizer(type(value))
    if sizer is None:
        return None
    try:
        return sizer(value)
    except Exception:  # noqa: BLE001 - a tensor without storage, a frame half built: passed over
        return _at(value), 0


_sizers: WeakKeyDictionary[type, Sizer | None] = WeakKeyDictionary()


def _sizer(kind: type) -> Sizer | None:
    if kind not in _sizers:
        _sizers[kind] = _find_sizer(kind)
    return _sizers[kind]


def _find_sizer(kind: type) -> Sizer | None:
    for base in kind.__mro__:
        sizer = SIZERS.get((_family(base), base.__name__))
        if sizer is not None:
            return sizer
    return None


def _family(kind: type) -> str:
    """Return the package that a class is of."""
    module = type.__getattribute__(kind, "__module__")
    return module.partition(".")[0] if isinstance(module, str) else ""


def _at(owner: object) -> tuple[str, int]:
    """Return the mark of memory that belongs to an object."""
    return "at", id(owner)


def _array(array: Any) -> tuple[object, int]:
    ndarray = sys.modules["numpy"].ndarray
    owner = array
    while isinstance(base := ndarray.base.__get__(owner), ndarray):
        owner = base
    if base is not None and (inner := buffer(base)) is not None:
        return inner
    if type(base).__name__ == "mmap":  # of a file, which the system may take back
        return _at(owner), 0
    return _at(owner), ndarray.nbytes.__get__(owner)


def _tensor(tensor: Any) -> tuple[object, int]:
    torch = sys.modules["torch"]
    with torch._C.DisableTorchFunctionSubclass():  # noqa: SLF001 - a subclass may run user code
        if tensor.device.type != "cpu":
            return _at(tensor), 0
        storage = torch.Tensor.untyped_storage(tensor)
        return ("storage", storage.data_ptr()), storage.nbytes()


def _frame(frame: Any) -> tuple[object, int]:
    usage = frame.memory_usage(index=True, deep=False)
    return _at(frame), int(usage if isinstance(usage, int) else usage.sum()) + _texts(frame)


def _texts(frame: Any) -> int:
    """Estimate the bytes of a frame's Python objects, which its columns only point to."""
    if frame.ndim == 1:
        return int(_texts_of([frame]))
    columns = [column for _, column in islice(frame.items(), COLUMNS_LOOKED_AT)]
    return int(_texts_of(columns) * len(frame.columns) / max(1, len(columns)))


def _texts_of(columns: Iterable[Any]) -> float:
    total = 0.0
    for column in columns:
        if column.dtype == object and len(column):
            sample = column.iloc[:: max(1, len(column) // 100)]
            sizes = [sys.getsizeof(one) for one in sample if isinstance(one, SCALARS)]
            total += len(column) * sum(sizes) / len(sample)
    return total


def _nbytes(value: Any) -> tuple[object, int]:
    return _at(value), int(value.nbytes)


def _polars(frame: Any) -> tuple[object, int]:
    return _at(frame), int(frame.estimated_size())


def _tf_tensor(tensor: Any) -> tuple[object, int]:
    on_cpu = "GPU" not in str(tensor.device)
    return _at(tensor), int(tensor.shape.num_elements() * tensor.dtype.size) if on_cpu else 0


# By package and class, since none of these is imported here; looked up along the bases of a class.
SIZERS: dict[tuple[str, str], Sizer] = {
    ("numpy", "ndarray"): _array,
    ("torch", "Tensor"): _tensor,
    ("torch", "TensorBase"): _tensor,
    ("pandas", "DataFrame"): _frame,
    ("pandas", "Series"): _frame,
    ("pandas", "Index"): _nbytes,
    ("pyarrow", "Table"): _nbytes,
    ("pyarrow", "RecordBatch"): _nbytes,
    ("pyarrow", "Array"): _nbytes,
    ("pyarrow", "ChunkedArray"): _nbytes,
    ("polars", "DataFrame"): _polars,
    ("polars", "Series"): _polars,
    ("tensorflow", "EagerTensor"): _tf_tensor,
    ("tensorflow", "BaseResourceVariable"): _tf_tensor,
    ("jaxlib", "ArrayImpl"): _nbytes,
}
