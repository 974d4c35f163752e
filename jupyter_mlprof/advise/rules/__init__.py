"""Rules, a file for each kind of finding."""
