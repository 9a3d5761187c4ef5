"""The command line: schemas, checks and exports for a terminal and for CI; starts the server.

``main`` holds the commands, ``sources`` turns a path into a program, ``excerpts`` and ``reports``
write what was found. Errors of a call are one line on standard error and exit code 2.
"""
