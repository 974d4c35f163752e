"""Give the user a profile: as a display in IPython, as text elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mlprof.model.profile import CellProfile
    from jupyter_mlprof.notebook.options import Options


def give(shell: InteractiveShell | None, options: Options, profile: CellProfile) -> None:
    """Store the profile in the variable that was asked for, and show it unless told not to."""
    if shell is not None and options.output is not None:
        shell.user_ns[options.output] = profile
    if options.quiet or (options.if_finding and not profile.findings):
        return
    # Imported here, to keep loading the extension quick.
    if shell is not None:
        from jupyter_mlprof.view.bundle import bundle

        shell.display_pub.publish(bundle(profile), {}, transient=_place(profile))
    else:
        from jupyter_mlprof.view.text import text

        sys.stderr.write(f"{text(profile)}\n")


def show_again(shell: InteractiveShell, profile: CellProfile) -> None:
    """Show a profile that has changed, where it was shown before."""
    from jupyter_mlprof.view.bundle import bundle

    shell.display_pub.publish(bundle(profile), {}, transient=_place(profile), update=True)


def _place(profile: CellProfile) -> dict[str, str]:
    return {"display_id": f"mlprof-{profile.id}"}
