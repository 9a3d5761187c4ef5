"""Modules, identities, imports, libraries, scopes and declarations of an NX program.

``loading`` makes a ``ProgramDatabase`` from texts or a directory; ``queries`` answers
questions about it; ``diagnostics`` says what is wrong with a module short of its types.
"""
