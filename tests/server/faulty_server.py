"""The real server with defects put into it: what a session must survive."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from nx_lsp.server import features
from nx_lsp.server.running import serve_stdio

real_hover = features.hover
real_diagnostics = features.module_diagnostics
real_own_diagnostics = features.own_diagnostics


def hover(db, module, offset, *more):
    print("printed by a dependency")
    os.write(1, b"written to the standard output itself\n")
    subprocess.run([sys.executable, "-c", "print('printed by a child')"], check=True)
    if offset == 0:
        raise ZeroDivisionError("a defect in hover")
    return real_hover(db, module, offset, *more)


def faulty(db, module):
    found = db.module(module)
    if found is not None and "defect" in found.file.text:
        raise RecursionError("a defect in a check")
    if found is not None and "slow" in found.file.text:
        time.sleep(0.3)


def diagnostics(db, module, *more):
    faulty(db, module)
    return real_diagnostics(db, module, *more)


def own_diagnostics(db, module, *more):
    faulty(db, module)
    return real_own_diagnostics(db, module, *more)


features.hover = hover
features.module_diagnostics = diagnostics
features.own_diagnostics = own_diagnostics
sys.exit(serve_stdio())
