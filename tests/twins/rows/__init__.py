"""The rows of the table, by what they are on."""

from tests.twins.rows import (
    awaits,
    children,
    display,
    errors,
    interrupts,
    ipython,
    language,
    magics,
    seen,
    settings,
    threads,
    tools,
)

ROWS = (
    *language.ROWS,
    *awaits.ROWS,
    *seen.ROWS,
    *display.ROWS,
    *magics.ROWS,
    *ipython.ROWS,
    *tools.ROWS,
    *errors.ROWS,
    *interrupts.ROWS,
    *children.ROWS,
    *threads.ROWS,
    *settings.ROWS,
)
