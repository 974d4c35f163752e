"""What is measured while a cell runs, a file for each thing measured.

Everything here is undone when the cell ends, and fails without touching the cell.
"""
