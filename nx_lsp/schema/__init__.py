"""JSON Schemas of functions and types, as ``docs/contract.md`` promises them.

``schema.function_schema`` and ``schema.type_schema`` are the two queries;
``findings.schema_findings`` is what an editor publishes about them. Everything here is plain
data: documents are ``dict``s whose members stand in the order in which they are to be written.
"""
