"""Who may import whom, and which heavy package lives where: the layers of CONTRIBUTING, enforced.

The imports are read from the sources, those inside functions too. What only a type checker sees
(`if TYPE_CHECKING:`) is exempt from the rules for heavy packages, not from those for layers.
"""

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = "jupyter_mlprof"
ROOT = Path(__file__).parents[2] / PACKAGE

CORE = {"model", "errors"}
COMPOSERS = {
    "session",
    "composition",
    "postmortem",
    "report",
    "notebook_file",
    "strip",
    "doctor",
}
EDGES = {"notebook", "server", "cli"}
PARTS = {"collect", "advise", "view", "charts", "trial"}

# A layer, and the other parts of the package that it may import.
MAY_IMPORT = {
    "model": {"errors"},
    "errors": set(),
    "collect": CORE,
    "advise": CORE,
    "view": CORE,
    "charts": CORE,
    "trial": CORE | {"collect", "advise"},
    **dict.fromkeys(COMPOSERS, CORE | PARTS | COMPOSERS),
    **dict.fromkeys(EDGES, CORE | PARTS | COMPOSERS),
    # The public face and the entry points reach for the rest lazily.
    "__init__": CORE | PARTS | COMPOSERS | EDGES,
    "__main__": EDGES,
}

# A heavy package, and the files or folders that may import it.
HOMES = {
    "torch": {"trial"},
    "tensorflow": {"trial"},
    "pynvml": {"collect/nvml.py"},
    "bokeh": {"charts", "report"},
    "IPython": {"notebook"},
    "jupyter_server": {"server"},
    "tornado": {"server"},
    "libcst": {"advise"},
    "nbclient": {"notebook_file", "report", "cli"},
    "nbformat": {"notebook_file", "report", "cli"},
    "nbconvert": {"notebook_file", "report", "cli"},
}
# We depend on these, and whoever imports their home wants them; the home is imported lazily.
AT_MODULE_LEVEL = {"IPython", "jupyter_server", "tornado", "libcst", "nbclient", "nbformat"}
# Files that name a package in annotations only. torch and tensorflow are met in the user's kernel:
# looked up in sys.modules, never imported.
TYPES_ONLY = {
    "torch": {
        "collect/loader.py",
        "collect/steps.py",
        "collect/torch_ops.py",
        "collect/namespace.py",
        "collect/cuda.py",
    },
    "tensorflow": {"collect/tensorflow_ops.py"},
    "IPython": {"__init__.py"},
}


@dataclass(frozen=True)
class Import:
    """One import statement, as far as the rules need it."""

    file: str
    line: int
    target: str
    in_function: bool
    for_types: bool

    @property
    def layer(self) -> str:
        return self.file.split("/")[0].removesuffix(".py")

    @property
    def top(self) -> str:
        return self.target.split(".")[0]

    def lies_in(self, homes: set[str]) -> bool:
        return self.file in homes or self.layer in homes

    def __str__(self) -> str:
        return f"{PACKAGE}/{self.file}:{self.line} imports {self.target}"


def imports(file: str, source: str) -> list[Import]:
    """Return the imports of a file of the package, given by its path under the package."""
    found: list[Import] = []

    def walk(node: ast.AST, *, in_function: bool, for_types: bool) -> None:
        line = getattr(node, "lineno", 0)
        found.extend(
            Import(file, line, target, in_function, for_types) for target in targets(node, file)
        )
        in_function = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for_types = for_types or is_for_types(node)
        for child in ast.iter_child_nodes(node):
            walk(child, in_function=in_function, for_types=for_types)

    walk(ast.parse(source), in_function=False, for_types=False)
    return found


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def targets(node: ast.AST, file: str) -> list[str]:
    """Name the modules that a node imports."""
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom():
            folders = [PACKAGE, *file.split("/")[:-1]]
            parent = folders[: len(folders) + 1 - node.level] if node.level else []
            module = ".".join([*parent, *filter(None, [node.module])])
            # `from jupyter_mlprof import report` names the module last.
            if module == PACKAGE:
                return [f"{PACKAGE}.{alias.name}" for alias in node.names]
            return [module]
        case ast.Call(func=ast.Name("__import__") | ast.Attribute(attr="import_module")):
            return [str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant)]
    return []


def broken(item: Import) -> str | None:
    """Say which rule an import breaks, if any."""
    if item.top == PACKAGE:
        return broken_layer(item)
    if item.layer in CORE:
        return (
            None if item.top in sys.stdlib_module_names else f"{item.layer}: standard library only"
        )
    return broken_home(item)


def broken_layer(item: Import) -> str | None:
    names = [*item.target.split("."), "__version__"]
    allowed = MAY_IMPORT.get(item.layer)
    if allowed is None:
        return f"give {item.layer} a place in MAY_IMPORT"
    if names[1] in {item.layer, "__version__"} or names[1] in allowed:
        return None
    return f"{item.layer} may not import {names[1]}"


def broken_home(item: Import) -> str | None:
    if item.top not in HOMES:
        return None
    if item.for_types and item.lies_in(HOMES[item.top] | TYPES_ONLY.get(item.top, set())):
        return None
    if not item.lies_in(HOMES[item.top]):
        return f"{item.top} belongs in {', '.join(sorted(HOMES[item.top]))}"
    if not item.in_function and item.top not in AT_MODULE_LEVEL:
        return f"{item.top} is imported inside functions only"
    return None


def complaints(file: str, source: str) -> list[str]:
    return [f"{item}: {why}" for item in imports(file, source) if (why := broken(item))]


def files() -> list[str]:
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
    return sorted(path.as_posix() for path in paths if path.parts[0] != "labextension")


@pytest.mark.parametrize("file", files())
def test_a_file_keeps_to_its_layer(file):
    assert complaints(file, (ROOT / file).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/lines.py", "import numpy"),
        ("model/lines.py", "from jupyter_mlprof.collect import stacks"),
        ("collect/stacks.py", "def f():\n    from jupyter_mlprof.view import words"),
        ("collect/stacks.py", "from ..view import words"),
        ("collect/stacks.py", "from jupyter_mlprof import report"),
        ("view/text.py", "import importlib\nimportlib.import_module('jupyter_mlprof.cli')"),
        ("session.py", "from jupyter_mlprof.notebook import hook"),
        ("server/runs.py", "import jupyter_mlprof.cli"),
        ("collect/loader.py", "def f():\n    import torch"),
        ("collect/loader.py", "import torch.utils.data"),
        ("trial/run.py", "import torch"),
        ("view/html.py", "if TYPE_CHECKING:\n    import torch"),
        ("charts/timeline.py", "import bokeh.plotting"),
        ("view/svg.py", "def f():\n    from bokeh import plotting"),
        ("collect/calls.py", "import IPython"),
        ("session.py", "import libcst"),
        ("newcomer.py", "from jupyter_mlprof.model import profile"),
    ],
)
def test_an_offence_is_noticed(file, source):
    assert len(complaints(file, source)) == 1


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/lines.py", "import json\nfrom jupyter_mlprof.model import size"),
        ("collect/loader.py", "if TYPE_CHECKING:\n    import torch"),
        ("trial/run.py", "def f():\n    import torch"),
        ("charts/timeline.py", "def f():\n    import bokeh.plotting"),
        ("notebook/hook.py", "import IPython\nfrom jupyter_mlprof import session"),
        ("server/__init__.py", "from jupyter_mlprof import __version__"),
    ],
)
def test_what_is_allowed_passes(file, source):
    assert complaints(file, source) == []


def test_importing_the_package_loads_nothing_heavy():
    heavy = [*HOMES, "numpy", "pandas", "jupyter_client", "ipykernel"]
    code = f"import sys, {PACKAGE}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
