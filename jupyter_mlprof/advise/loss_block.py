"""Where a cell computes the losses that it takes backward: from the forward call to the loss.

Only bodies of loops and functions are looked at. What is not understood gives no block, so that
nothing is edited there.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

Place = tuple[list[ast.stmt], int]  # a statement, as a body and the index in it

# What ends a step: a forward pass lies behind the last of these.
ENDS_STEP = frozenset({"backward", "step", "unscale_"})
# Calls that get data ready; a forward pass begins with none of them.
PREPARES = frozenset({
    "to", "cuda", "cpu", "next", "iter", "float", "long", "int", "view", "reshape", "flatten",
    "unsqueeze", "squeeze", "permute", "detach", "clone", "requires_grad_", "item", "size", "len",
    "range", "enumerate", "zip", "get", "pop", "items", "zero_grad", "train", "eval", "tensor",
    "as_tensor", "from_numpy", "randn", "rand", "randint", "randperm", "randn_like", "rand_like",
    "zeros", "ones", "zeros_like", "ones_like", "arange", "time", "perf_counter",
})  # fmt: skip
SUMS = frozenset({"sum", "mean", "stack"})  # which may as well be outside
# Owners of a backward() that is not that of a loss.
NOT_LOSSES = frozenset({"accelerator", "fabric", "engine", "self", "torch", "autograd", "scaler"})
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
WAITS = (ast.Yield, ast.YieldFrom, ast.Await)


@dataclass(frozen=True, slots=True)
class Block:
    """Whole statements of one body: their lines from 1, and the columns of begin and end.

    `outer` is the column of the statement around them, from which the indentation is seen.
    """

    first: int
    last: int
    column: int
    end_column: int
    outer: int


def loss_blocks(tree: ast.Module) -> Sequence[Block] | None:
    """Return the blocks of all losses, in order; None where one of them is not understood."""
    seen = sum(map(_is_call_of_backward, ast.walk(tree)))
    blocks = [_block(path, owner) for path, owner in _backwards(tree.body, (), None)]
    if seen != len(blocks):
        return None  # some backward() is a part of another statement
    known = [one for one in blocks if one is not None]
    return _merged(known) if len(known) == len(blocks) else None


def has_backward(tree: ast.AST) -> bool:
    """Tell whether the code takes anything backward."""
    return any(map(_is_call_of_backward, ast.walk(tree)))


def _is_call_of_backward(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "backward"
    )


def _backwards(
    body: list[ast.stmt], above: tuple[Place, ...], owner: ast.stmt | None
) -> Iterator[tuple[tuple[Place, ...], ast.stmt | None]]:
    """Yield the way to each `loss.backward()`, within the loop or function `owner` around it."""
    for index, statement in enumerate(body):
        here = (*above, (body, index))
        if isinstance(statement, ast.Expr) and _is_call_of_backward(statement.value):
            yield here, owner
        begins = isinstance(statement, (*SCOPES, *LOOPS))
        for inner in _bodies(statement):
            yield from _backwards(inner, () if begins else here, statement if begins else owner)


def _bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _block(path: Sequence[Place], owner: ast.stmt | None) -> Block | None:
    """Return what computes the loss, in the body of its backward() or in one around that."""
    body, index = path[-1]
    call = body[index].value  # type: ignore[attr-defined]
    names = _read(call.func.value)
    if owner is None or isinstance(owner, ast.ClassDef) or names & NOT_LOSSES:
        return None
    if any(_computes(node) and _name(node) not in SUMS for node in ast.walk(call.func.value)):
        return None  # a forward pass within the statement itself
    for depth in reversed(range(len(path))):
        outer, end = path[depth]
        found = _leading_to(outer[:end], names)
        if found:
            above, inside = path[depth - 1] if depth else ([owner], 0)
            return _around(found, above[inside].col_offset)
    return None


def _around(statements: Sequence[ast.stmt], outer: int) -> Block | None:
    """Return the statements as a block; None where another task might run in their midst."""
    if any(isinstance(node, WAITS) for one in statements for node in ast.walk(one)):
        return None
    first, last = statements[0], statements[-1]
    return Block(
        first.lineno, last.end_lineno or 0, first.col_offset, last.end_col_offset or 0, outer
    )


def _leading_to(before: Sequence[ast.stmt], names: set[str]) -> Sequence[ast.stmt]:
    """Return the statements from the first that computes for these names to the last."""
    needed, first, last = set(names), None, None
    for index in reversed(range(len(before))):
        one = before[index]
        if any(_ends_step(node) for node in _within(one)):
            if last is None:
                continue  # the backward() of another loss, computed beside this one
            break
        if _bound(one) & needed:
            needed |= _read(one)
            last = index if last is None else last
            if any(_computes(node) for node in _within(one)):
                first = index
    return () if first is None or last is None else before[first : last + 1]


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when the statement does: not the bodies of functions that it defines."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, SCOPES):
            yield from _within(child)


def _ends_step(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ENDS_STEP
    )


def _computes(node: ast.AST) -> bool:
    """Tell a call that may run a model from one that gets data ready."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return True
    if not isinstance(node, ast.Call):
        return False
    return _name(node) not in PREPARES


def _name(node: ast.AST) -> str:
    """Return the last name of what is called: Linear for nn.Linear(...)."""
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that the statement binds or adds to."""
    names = set()
    for node in _within(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"append", "extend"}
            and isinstance(node.func.value, ast.Name)
        ):
            names.add(node.func.value.id)
    return names


def _read(node: ast.AST) -> set[str]:
    return {
        one.id
        for one in _within(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }


def _merged(blocks: Sequence[Block]) -> Sequence[Block] | None:
    """Join the blocks of losses that share a forward pass; None where they cross bodies."""
    joined: list[Block] = []
    for one in sorted(blocks, key=lambda block: (block.first, -block.last)):
        if not joined or one.first > joined[-1].last:
            joined.append(one)
        elif one.column == joined[-1].column:
            last = max(one, joined[-1], key=lambda block: (block.last, block.end_column))
            joined[-1] = replace(last, first=joined[-1].first)
        elif one.last > joined[-1].last:
            return None
    return joined
