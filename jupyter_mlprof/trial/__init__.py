"""Tries a fix: original and changed cell run in turn, each in a forked copy of the kernel.

A copy shares nothing with the kernel: what it changes is gone with it, and it may not write files,
open connections or start programs. May import `model` and `collect`.
"""
