"""JSON Schemas for the functions and types of NX programs."""

__version__ = "0.1.0"
