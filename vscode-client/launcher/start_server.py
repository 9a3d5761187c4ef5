"""Start the server that stands beside this file, with nothing of the environment in its way.

Run as ``python -I -S start_server.py``: no site-packages, no `PYTHON` variables, no current folder
on the search path. Only what comes with the extension and the standard library can be imported.

This file must be readable for old interpreters, which it tells that they are too old.
"""

import os
import sys

OLDEST = (3, 10)


def main():
    """Serve on standard input and output; the exit code."""
    if sys.version_info < OLDEST:
        sys.stderr.write(
            "error: the NX language server needs Python %d.%d or newer; %s is Python %s\n"
            % (OLDEST + (sys.executable, sys.version.split()[0]))
        )
        return 3
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [os.path.join(here, "lib")]
    from nx_lsp.server.running import serve_stdio

    return serve_stdio()


if __name__ == "__main__":
    sys.exit(main())
