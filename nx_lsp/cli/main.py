"""The command ``nx-lsp``."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
from rich.console import Console

from nx_lsp import __version__
from nx_lsp.api import (
    HOSTS,
    FunctionSchema,
    Host,
    HostCopy,
    Program,
    SpannedDiagnostic,
    TypeSchema,
    UnknownDeclaration,
)
from nx_lsp.cli.call_errors import CallError
from nx_lsp.cli.checking import find_problems
from nx_lsp.cli.progress import tracked
from nx_lsp.cli.reports import to_github, to_json, write_text
from nx_lsp.cli.sources import LoadedProgram, load
from nx_lsp.ide.export import export_document
from nx_lsp.ide.host_copies import host_copy
from nx_lsp.ide.json_text import write_json
from nx_lsp.ide.options import DEFAULT_HOST_SUPPLIED
from nx_lsp.program.bundled import STANDARD_LIBRARIES, bundled_file
from nx_lsp.program.declarations import DeclarationId
from nx_lsp.program.near_names import nearest_name

Command = TypeVar("Command", bound=Callable[..., int])

FOUND_ERRORS = 1
"""Exit code when NX is wrong; 2 is for a call that is wrong."""


class _Pair(click.ParamType["DeclarationId"]):
    """``MODULE#NAME``."""

    name = "module#name"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> DeclarationId:
        if isinstance(value, DeclarationId):
            return value
        module, mark, name = str(value).rpartition("#")
        if not mark or not module.strip() or not name.strip():
            self.fail(f"`{value}` is not of the form MODULE#NAME, like tools.nx#Session")
        return DeclarationId(module.strip(), name.strip())


def _host_supplied(function: Command) -> Command:
    """The options that say which types the host fills in."""
    function = click.option(
        "--no-host-supplied",
        is_flag=True,
        help="Treat no type as filled in by the host.",
    )(function)
    return click.option(
        "--host-supplied",
        type=_Pair(),
        multiple=True,
        metavar="MODULE#NAME",
        help="A type that the host fills in, instead of "
        f"{DEFAULT_HOST_SUPPLIED[0].module}#{DEFAULT_HOST_SUPPLIED[0].name}; may be repeated.",
    )(function)


class _PathOnDisk(click.Path):
    """A path. The empty one is refused: it comes from a variable that is not set, and would mean
    the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the path is empty")
        return super().convert(value, param, ctx)


def _path(name: str, **more: Any) -> Callable[[Command], Command]:
    return click.argument(name, type=_PathOnDisk(path_type=Path), **more)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="nx-lsp")
def cli() -> None:
    """JSON Schemas for the functions and types of NX programs.

    PATH is a folder (the program of all .nx files below it) or one .nx file (a program of that
    file and what it imports). Exit codes: 0 fine, 1 errors in the NX source, 2 wrong call.
    """


@cli.command()
@_path("path")
@click.argument("name")
@click.option("--module", metavar="M", help="The module that declares NAME, like tools.nx.")
@click.option("--type", "is_type", is_flag=True, help="NAME is a type, not a function.")
@click.option(
    "--direction",
    type=click.Choice(["input", "output"]),
    help="With --type: for values that a host supplies, or that a runtime returns (default).",
)
@_host_supplied
@click.option("--input", "only_input", is_flag=True, help="Print the input schema only.")
@click.option("--output", "only_output", is_flag=True, help="Print the output schema only.")
@click.option(
    "--host",
    type=click.Choice(HOSTS),
    help="Print the function as a tool of this host; standard error tells what was changed.",
)
def schema(
    path: Path,
    name: str,
    module: str | None,
    is_type: bool,
    direction: Literal["input", "output"] | None,
    host_supplied: tuple[DeclarationId, ...],
    no_host_supplied: bool,
    only_input: bool,
    only_output: bool,
    host: Host | None,
) -> int:
    """Print the schemas of a function, or of a type, as JSON.

    The whole answer has both schemas and what belongs to them. Exit code 1 when a schema that was
    asked for does not exist; standard error says why.
    """
    if only_input and only_output:
        raise CallError("--input and --output exclude each other; without them both are printed")
    part = "input" if only_input else "output" if only_output else None
    if is_type and part is not None:
        raise CallError(f"--{part} is for functions; with --type say --direction {part}")
    if not is_type and direction is not None:
        raise CallError("--direction is for types: add --type")
    if host is not None and (is_type or part is not None):
        other = "--type" if is_type else f"--{part}"
        raise CallError(f"--host is for whole functions: drop {other}")
    if is_type and (host_supplied or no_host_supplied):
        raise CallError("host-supplied types change the schemas of functions only: drop --type")
    loaded = load(path)
    program = Program(loaded.database)
    listed = _listed(program, host_supplied, no_host_supplied)
    names = program.types() if is_type else program.functions()
    id = _named(loaded, name, module, names, "type" if is_type else "function")
    answer: FunctionSchema | TypeSchema
    if is_type:
        answer = program.type_schema(id.name, id.module, direction or "output")
    else:
        answer = program.function_schema(id.name, id.module, listed)
    if isinstance(answer, FunctionSchema) and host is not None:
        return _print_copy(host_copy(loaded.database, answer, host))
    written: object = answer.to_json()
    missing = bool(answer.diagnostics)
    if isinstance(answer, FunctionSchema) and part is not None:
        written = answer.input_schema if part == "input" else answer.output_schema
        missing = written is None
    if written is not None:
        _print_json(written)
    if missing:
        _explain(loaded, answer.diagnostics)
    return FOUND_ERRORS if missing else 0


@cli.command()
@_path("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Text with source lines, a JSON array, or annotations for GitHub Actions.",
)
@_host_supplied
def check(
    paths: tuple[Path, ...],
    format_: str,
    host_supplied: tuple[DeclarationId, ...],
    no_host_supplied: bool,
) -> int:
    """Report what is wrong: in the language, and why functions have no schema.

    For a file only its own problems are reported. Exit code 1 when there is an error; warnings
    and hints alone give 0.
    """
    problems = []
    modules = 0
    for path in paths:
        loaded = load(path)
        listed = _listed(Program(loaded.database), host_supplied, no_host_supplied)
        found, checked = find_problems(loaded, listed)
        problems += found
        modules += checked
    if format_ == "json":
        _print(to_json(problems))
    elif format_ == "github":
        _print(to_github(problems))
    else:
        write_text(problems, modules, Console())
    return FOUND_ERRORS if any(problem.severity == "error" for problem in problems) else 0


@cli.command()
@_path("path")
@click.option(
    "--out",
    type=_PathOnDisk(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to FILE instead of standard output; it is replaced as a whole or not at all.",
)
@_host_supplied
def export(
    path: Path,
    out: Path | None,
    host_supplied: tuple[DeclarationId, ...],
    no_host_supplied: bool,
) -> int:
    """Write the answers of all functions as one JSON document.

    The same sources give the same bytes: answers are sorted by module and name.
    """
    loaded = load(path)
    program = Program(loaded.database)
    listed = _listed(program, host_supplied, no_host_supplied)
    document = export_document(
        loaded.database, listed, lambda all_: tracked(all_, "Deriving schemas")
    )
    text = write_json(document) + "\n"
    if out is None:
        _print(text)
        return 0
    try:
        _write_whole(out, text)
    except OSError as error:
        raise CallError(f"`{out}` cannot be written: {error.strerror or error}") from None
    return 0


@cli.command()
@click.option(
    "--tcp",
    metavar="[HOST:]PORT",
    help="Serve one client on a loopback address instead of standard input and output.",
)
def serve(tcp: str | None) -> int:
    """Start the language server; an editor does this by itself."""
    address = None if tcp is None else _address(tcp)
    if address is None and (sys.__stdin__ is None or sys.__stdout__ is None):
        raise CallError("the server needs standard input and output, and one of them is closed")
    from nx_lsp.server.running import serve_stdio, serve_tcp

    if address is None:
        return serve_stdio()
    try:
        return serve_tcp(*address)
    except OSError as error:
        host, port = address
        raise CallError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None


# ---------------------------------------------------------------- answers


def _named(
    loaded: LoadedProgram,
    name: str,
    module: str | None,
    names: Sequence[DeclarationId],
    wanted: str,
) -> DeclarationId:
    """The declaration that NAME means: in the given module, in the entry, or in the only module
    of the user's own that has it."""
    if module is None and (loaded.module or loaded.database.entry):
        module = loaded.module or loaded.database.entry
    if module is not None:
        return DeclarationId(module, name)
    own = {m.identity for m in loaded.database.modules if not m.origin.bundled}
    found = [id for id in names if id.name == name and id.module in own]
    if len(found) == 1:
        return found[0]
    if found:
        modules = ", ".join(f"`{id.module}`" for id in found)
        raise CallError(f"`{name}` is declared in {modules}: choose one with --module")
    near = nearest_name(name, [id.name for id in names if id.module in own])
    hint = f": did you mean `{near}`?" if near is not None else ""
    raise CallError(f"no module has a {wanted} `{name}`{hint}")


def _listed(
    program: Program, given: tuple[DeclarationId, ...], none: bool
) -> tuple[DeclarationId, ...]:
    """The host-supplied types of a call. A given one must exist, lest a slip go unnoticed."""
    if none and given:
        raise CallError("--host-supplied and --no-host-supplied exclude each other")
    if none:
        return ()
    for id in given:
        if not _is_bundled_type(id):
            program.type_schema(id.name, id.module)
    return given or DEFAULT_HOST_SUPPLIED


def _is_bundled_type(id: DeclarationId) -> bool:
    """Whether the type comes with the language; the program need not import it."""
    if not any(id.module in modules for modules in STANDARD_LIBRARIES.values()):
        return False
    piece = bundled_file(id.module).piece(id.name)
    return piece is not None and piece.outline.kind in ("record", "action", "union", "alias")


def _explain(loaded: LoadedProgram, diagnostics: Sequence[SpannedDiagnostic]) -> None:
    for diagnostic in diagnostics:
        where = ""
        for label in diagnostic.labels:
            if label.primary:
                path = loaded.shown_path(label.file)
                where = f"{path}:{label.span.start_line}:{label.span.start_column}: "
        click.echo(
            f"{where}{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}", err=True
        )


def _address(tcp: str) -> tuple[str, int]:
    """Host and port of ``--tcp``; nothing but this machine may reach the server."""
    host, colon, port = tcp.rpartition(":")
    host = host.strip("[]") if colon else "127.0.0.1"
    if host not in ("127.0.0.1", "localhost", "::1"):
        raise CallError(f"--tcp serves loopback addresses only, not `{host}`")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise CallError(f"--tcp needs a port from 1 to 65535, not `{port}`")
    return host, int(port)


# ---------------------------------------------------------------- output


def _print_copy(copy: HostCopy) -> int:
    """Print a copy, and on standard error what was changed for it, or why there is none."""
    if copy.document is not None:
        _print_json(copy.document)
    for note in copy.notes:
        kind = "refused" if copy.refused else "lossy" if note.lossy else "note"
        where = f" {note.pointer}" if note.pointer else ""
        click.echo(f"{kind}[{note.code}]{where}: {note.message}", err=True)
    return FOUND_ERRORS if copy.refused else 0


def _print(text: str) -> None:
    """Write UTF-8 with plain line ends, whatever the terminal is set to."""
    sys.stdout.flush()
    sys.stdout.buffer.write(_encoded(text))


def _encoded(text: str) -> bytes:
    """UTF-8; what a file name has that is no character becomes an escape, in JSON a valid one."""
    return text.encode("utf-8", "backslashreplace")


def _print_json(value: object) -> None:
    _print(write_json(value) + "\n")


def _write_whole(path: Path, text: str) -> None:
    """Replace a file in one step, so that nobody ever reads half of it."""
    path = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(_encoded(text))
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code. Whatever goes wrong is one line."""
    _replace_closed_streams()
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        code = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="nx-lsp",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        return 2
    except click.ClickException as error:
        return _fail(error.format_message())
    except (CallError, UnknownDeclaration) as error:
        return _fail(str(error))
    except (click.Abort, KeyboardInterrupt):
        click.echo("nx-lsp: interrupted", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone.
        _discard_output()
        return 1
    except OSError as error:
        # Reading reports its own failures: what is left is that our output cannot be written.
        _discard_output()
        return _fail(f"the output cannot be written: {error.strerror or error}")
    return code if isinstance(code, int) else 0


def _replace_closed_streams() -> None:
    """Let there be streams where the caller closed them: writing to the output then fails as on
    a full disk, and messages go nowhere."""
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _discard_output() -> None:
    """Let nothing of what is still buffered be written when the interpreter ends."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _fail(message: str) -> int:
    with contextlib.suppress(OSError):
        click.echo(f"nx-lsp: error: {' '.join(message.split())}", err=True)
    return 2
