"""The language server: a thin shell between an editor and ``nx_lsp.ide``.

``lifecycle`` makes the server object that holds all state. Handlers run on one event loop and
never analyse: they take a snapshot of the project and hand a job to the analysis thread
(``scheduling``). ``conversions`` alone knows how ``ide`` data and protocol data correspond.
"""
