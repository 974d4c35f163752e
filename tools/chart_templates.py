"""Writes the chart templates of the side panel; run it after a change in jupyter_mlprof/charts."""

from pathlib import Path

from jupyter_mlprof.charts.templates import text

TARGET = Path(__file__).parents[1] / "labextension/src/charts/templates.json"

if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    print(f"Wrote {TARGET.name}.")
