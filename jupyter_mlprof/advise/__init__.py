"""From a profile and the cell's source to findings and a verdict.

A rule fires when the code shows the pattern and the run shows its cost.
"""
