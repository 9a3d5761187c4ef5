"""From text to trees: positions, lexer, splitter, parser, checks, doc comments, spelling."""
