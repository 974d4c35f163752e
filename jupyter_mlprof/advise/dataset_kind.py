"""What a loader's dataset is made of, read from its name, as in Subset[TensorDataset]."""

import re

_PART = re.compile(r"[^\[\], ]+(?=[\],]|$)")
# Takes a list of indices and gives a batch: a Subset passes the list on to what it wraps.
_SLICEABLE = re.compile(r"(?:Subset\[)*(?:TensorDataset|Tensor|ndarray)\]*")
IN_MEMORY = frozenset({"Tensor", "ndarray", "list", "tuple"})


def is_in_memory(dataset: str) -> bool:
    """Tell whether all that it is made of are rows in memory."""
    parts = _PART.findall(dataset)
    return bool(parts) and all("TensorDataset" in one or one in IN_MEMORY for one in parts)


def takes_lists(dataset: str) -> bool:
    """Tell whether a list of indices instead of one gives a whole batch."""
    return _SLICEABLE.fullmatch(dataset) is not None
