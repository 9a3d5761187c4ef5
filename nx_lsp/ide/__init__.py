"""Editor features: plain data in, plain data out, no protocol.

One module per feature: ``hover``, ``symbols``, ``diagnostics``, ``actions``, ``tools``,
``tool_schema``, ``export``. Offsets are absolute code points of a module's text. ``targets`` says
what stands at an offset, ``offers`` which functions are tools, ``options`` what a user has set;
``rendering`` alone writes Markdown.
"""
