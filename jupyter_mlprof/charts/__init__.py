"""Interactive charts of a profile, drawn by Bokeh.

Each chart is laid out once, as Bokeh models with empty, named data sources. For a report the
chart function fills them with a profile; for the side panel they are exported as templates
(`templates.py`), which the front end fills by the same names.
"""
