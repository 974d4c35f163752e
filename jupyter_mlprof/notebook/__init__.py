"""The notebook's side: the `%%mlprof` line, and the events around a cell."""
