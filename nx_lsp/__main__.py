"""``python -m nx_lsp`` is ``nx-lsp``."""

from __future__ import annotations

import sys

from nx_lsp.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
