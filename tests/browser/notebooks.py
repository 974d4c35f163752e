"""The notebooks that the browser tests open."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output

from jupyter_mlprof.model.codec import to_json
from jupyter_mlprof.model.profile import MIME_TYPE, CellProfile
from jupyter_mlprof.notebook_file import profiles, read, write

# Storage that answers slowly, and little to compute: a run takes about three seconds.
SETUP = """%load_ext jupyter_mlprof
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class RemoteImages(Dataset):
    def __len__(self):
        return 480

    def __getitem__(self, index):
        time.sleep(0.004)  # the round trip to the storage
        return torch.rand(3, 32, 32), index % 10


model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(4),
    nn.Flatten(),
    nn.Linear(16 * 64, 10),
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)"""
TRAINING = """%%mlprof
loader = DataLoader(RemoteImages(), batch_size=32, shuffle=True)
for images, labels in loader:
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")"""
# Where the training cell stands.
TRAINED = 1
# What a cell of `showing` holds.
SHOWN = "pass"
LOAD = "%load_ext jupyter_mlprof"
# Six seconds, nearly all of them in the last line, in which the memory grows by 120 MB.
GROWING = """%%mlprof
import time

kept = []
for step in range(60):
    kept.append(bytearray(2_000_000))
    time.sleep(0.1)"""
ENDLESS = """%%mlprof
import time

kept = []
while True:
    kept.append(bytearray(1_000_000))
    time.sleep(0.1)"""
# No thread of Python runs for three seconds.
HOLDING = """%%mlprof
import ctypes
import time

time.sleep(1)
ctypes.PyDLL(None).usleep(3_000_000)"""
# More messages than the server passes on: it drops the rest, and with it the profile in the output.
FLOODING = """%%mlprof
import time
for number in range(600):
    print(number, flush=True)
time.sleep(2)"""

# A little more than a second, in a function of the cell.
SLOW = """%%mlprof
import time


def wait(seconds):
    time.sleep(seconds)


for _ in range(3):
    wait(0.4)"""
QUICK = """%%mlprof
quickly = sum(range(3_000_000))"""


def training() -> NotebookNode:
    """Return a notebook that trains and was not run yet."""
    return _notebook("python3", [new_code_cell(SETUP), new_code_cell(TRAINING)])


def of_cells(*sources: str, kernel: str = "python3") -> NotebookNode:
    """Return a notebook of code cells that were not run yet."""
    return _notebook(kernel, [new_code_cell(source) for source in sources])


def showing(*bundles: dict[str, object]) -> NotebookNode:
    """Return a notebook of cells with one output each, whose kernel does not exist."""
    outputs = [new_output("display_data", data=bundle) for bundle in bundles]
    return _notebook("gone", [new_code_cell(SHOWN, outputs=[output]) for output in outputs])


def showing_in_one(*bundles: dict[str, object]) -> NotebookNode:
    """Return a notebook of one cell with all these outputs, whose kernel does not exist."""
    outputs = [new_output("display_data", data=bundle) for bundle in bundles]
    return _notebook("gone", [new_code_cell(SHOWN, outputs=outputs)])


def bundle(profile: CellProfile, **changes: object) -> dict[str, object]:
    """Return what an output holds of a profile, with fields changed on the wire."""
    return {MIME_TYPE: {**to_json(profile), **changes}}


def without_kernel(path: Path, target: Path) -> Path:
    """Copy a notebook, asking for a kernel that does not exist."""
    notebook = read(path)
    # Each copy differs, since a signature is of the content: no copy is trusted for another's sake.
    notebook.metadata.kernelspec.name = f"gone-{target.stem}"
    del notebook.metadata["language_info"]  # by which JupyterLab would choose another kernel
    write(notebook, target)
    return target


def only_profile(path: Path) -> CellProfile:
    """Return the one profile in a notebook."""
    (profile,) = profiles(read(path))
    return profile


def _notebook(kernel: str, cells: list[NotebookNode]) -> NotebookNode:
    spec = {"name": kernel, "display_name": kernel, "language": "python"}
    notebook: NotebookNode = new_notebook(cells=cells, metadata={"kernelspec": spec})
    nbformat.validate(notebook)
    return notebook
