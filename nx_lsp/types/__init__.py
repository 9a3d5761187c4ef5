"""Type values, resolution of written types, relations, inference, type diagnostics."""
