"""`python -m jupyter_mlprof` is `jupyter mlprof`."""

import sys

from jupyter_mlprof.cli import main

sys.exit(main())
