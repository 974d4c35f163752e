"""The cell changed to run forward and loss under autocast; backward and optimizer stay outside."""

import ast
import re

from jupyter_mlprof.advise.cell_source import masked
from jupyter_mlprof.advise.indentation import put_under
from jupyter_mlprof.advise.loss_block import has_backward, loss_blocks
from jupyter_mlprof.advise.names_of_torch import torch_name
from jupyter_mlprof.advise.no_grad import beside_no_grad
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.model.finding import Fix

# NumPy has no bfloat16: what leaves the model for it would need .float() first.
_LEAVES = re.compile(r"\.numpy\(|\b(?:np|numpy)\.(?:as)?array\(")
# On CUDA autocast refuses it with an error.
_REFUSED = re.compile(r"\bBCELoss\(|\bbinary_cross_entropy\(")
_DECIDED = re.compile(r"autocast|GradScaler|float16|bfloat16|\.half\(|mixed_precision")


def is_decided(source: str) -> bool:
    """Tell whether the cell speaks of 16-bit precision already."""
    return _DECIDED.search(source) is not None


def context(clues: Clues, device: str) -> str | None:
    """Return the context manager as the cell can write it, or None where torch has no name."""
    torch = torch_name(clues)
    return torch and f'{torch}.autocast("{device}", dtype={torch}.bfloat16)'


def autocast(clues: Clues, device: str) -> Fix | None:
    """Return the fix; None where the cell's way through forward and loss is not understood."""
    text, inside = masked(clues.source), context(clues, device)
    if text is None or inside is None or _LEAVES.search(text):
        return None
    if device == "cuda" and any(map(_REFUSED.search, (text, *(c.source for c in clues.earlier)))):
        return None
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = compile(text, "<cell>", "exec", flags)
    if not has_backward(tree):
        # Steps without a backward() to be seen are made in a function of an earlier cell.
        return None if clues.profile.steps else beside_no_grad(clues.source, tree, inside)
    blocks = loss_blocks(tree)
    return put_under(clues.source, tree, blocks, f"with {inside}:") if blocks else None
