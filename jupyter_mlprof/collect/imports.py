"""Act when the cell imports a module, without importing it ourselves."""

import contextlib
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
        # By identity: a finder of the user's may compare in a way of its own.
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]

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
            spec = self._find_elsewhere(fullname, path, target)
        finally:
            self._searching = False
        # Python loads in an older way where a loader lacks one of the two.
        methods = ("create_module", "exec_module")
        if spec and spec.loader and all(hasattr(spec.loader, one) for one in methods):
            spec.loader = _ActingLoader(spec.loader, self._act)
        return spec

    def _find_elsewhere(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        for finder in sys.meta_path:
            # Python, too, skips the finders of old that have no `find_spec`.
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            found = finder.find_spec(fullname, path, target)
            if found is not None:
                return found
        return None


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
            with contextlib.suppress(Exception):  # stderr may be None, or whatever the cell made it
                sys.stderr.write(f"mlprof: watching {module.__name__} failed: {error}\n")
