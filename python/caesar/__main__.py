"""``python -m caesar``: the command."""

import sys

from caesar._cli import main

sys.exit(main())
