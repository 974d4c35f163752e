"""Act when the cell imports a module, without importing it ourselves."""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class ImportWatch(MetaPathFinder):
    """Calls `act(module)` once for a module: now if it is there, else right after its import."""

    def __init__(self, module: str, act: Callable[[ModuleType], None]) -> None:
        self._module = module
        self._act = act
        self._searching = False

    def start(self) -> None:
        """Act on the module or begin to wait for it."""
        found = sys.modules.get(self._module)
        if found is not None:
            self._act(found)
        else:
            sys.meta_path.insert(0, self)

    def stop(self) -> None:
        """Wait no longer."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the spec that the other finders give, its loader wrapped; see MetaPathFinder."""
        if fullname != self._module or self._searching:
            return None
        self._searching = True
        try:
            spec = next(
                (
                    found
                    for finder in sys.meta_path
                    if finder is not self
                    and (found := finder.find_spec(fullname, path, target)) is not None
                ),
                None,
            )
        finally:
            self._searching = False
        if spec is not None and spec.loader is not None:
            spec.loader = _ActingLoader(spec.loader, self._act)
        return spec


class _ActingLoader(Loader):
    """Loads as the real loader does, then acts; all else is the real loader's."""

    def __init__(self, loader: Loader, act: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._act = act

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        try:
            self._act(module)
        except Exception as error:  # noqa: BLE001 - the user's import must succeed
            sys.stderr.write(f"mlprof: watching {module.__name__} failed: {error}\n")
