"""Plugins for all tests; pytest wants them named in the top folder."""

pytest_plugins = ["pytest_jupyter.jupyter_server"]
