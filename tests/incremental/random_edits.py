"""Random edits of the example workspaces, the same for the same seed.

Most are what people do: type and delete letters, insert and remove lines, copy a declaration,
change a word, undo; files appear, disappear and get other texts as a whole.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("agent", "shop", "ui")

_SNIPPETS = [
    *[
        "{",
        "}",
        "(",
        ")",
        '"',
        "/*",
        "*/",
        "//",
        "<",
        "/>",
        "?",
        "+",
        ",",
        "\n",
        " ",
        "x",
        "1",
        "=",
    ],
    *[
        "/// Said here.\n",
        "// left out\n",
        "int",
        "string",
        "where < 3",
        "@",
        "😀",
        "\r\n",
        "\u2028",
    ],
    *["\nexport type Added = { a:int b?:string }\n", "\ntype Added2 extends Added = { c:int }\n"],
    *["\nexport abstract type Top = { /// Its key.\n key:string }\n", "extends Top ", "abstract "],
    *[
        "\nlet added(a:Added, n:int = 3) = { n + 1 }\n",
        "\nlet added(f:<function a:int />: int) = 1\n",
    ],
    *["\ntype Kind = small | large { size:Top }\n", "private ", "export ", "\nlet v = added\n"],
    *["\ncomponent <Panel title:string> = {\n  state { count:int = 0 }\n  <p>{title}</p>\n}\n"],
]
_WORD = re.compile(r"[A-Za-z_]\w+")


def texts_of(example: str) -> dict[str, str]:
    """The files of an example by identity."""
    root = EXAMPLES / example
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8")
        for path in sorted(root.rglob("*.nx"))
    }


class Editor:
    """Somebody at work on the files of a workspace."""

    def __init__(self, texts: dict[str, str], seed: int) -> None:
        self.texts = dict(texts)
        self.random = random.Random(seed)
        self._original = dict(texts)
        self._before: list[tuple[str, str | None]] = []

    def edits(self, count: int) -> Iterator[str]:
        """Make ``count`` edits; gives the identity of the file that each has changed."""
        for _ in range(count):
            yield self._edit()

    def _edit(self) -> str:
        choice = self.random.random()
        if choice < 0.03:
            return self._file_comes_or_goes()
        if choice < 0.33 and self._before:
            # Much of what is typed is taken back: programs stay mostly sound.
            identity, text = self._before.pop()
            return self._put(identity, text, remember=False)
        identity = self.random.choice(sorted(self.texts))
        text = self.texts[identity]
        if choice < 0.40:
            return self._put(identity, self._original.get(identity, text))
        return self._put(identity, self._changed(text))

    def _file_comes_or_goes(self) -> str:
        gone = sorted(self._original.keys() - self.texts.keys())
        if gone and self.random.random() < 0.7:
            identity = self.random.choice(gone)
            return self._put(identity, self._original[identity], remember=False)
        if self.random.random() < 0.3:
            return self._put("travel/added.nx", self.random.choice(_SNIPPETS), remember=False)
        if len(self.texts) < 2:
            return self._put("main.nx", "", remember=False)
        return self._put(self.random.choice(sorted(self.texts)), None, remember=False)

    def _put(self, identity: str, text: str | None, remember: bool = True) -> str:
        if remember:
            self._before.append((identity, self.texts.get(identity)))
        if text is None:
            self.texts.pop(identity, None)
        else:
            self.texts[identity] = text
        return identity

    def _changed(self, text: str) -> str:
        at = self.random.randint(0, len(text))
        match self.random.randint(0, 6):
            case 0:
                return text[:at] + self.random.choice("abcxyzT1 ") + text[at:]
            case 1:
                return text[:at] + text[at + self.random.randint(1, 4) :]
            case 2:
                return text[:at] + self.random.choice(_SNIPPETS) + text[at:]
            case 3:  # at a line's start, where declarations and fields are
                at = text.find("\n", at) + 1
                return text[:at] + self.random.choice(_SNIPPETS) + text[at:]
            case 4:
                return self._other_word(text)
            case 5:
                lines = text.splitlines(keepends=True)
                if lines:
                    del lines[self.random.randrange(len(lines))]
                return "".join(lines)
            case _:
                pieces = text.split("\n\n")
                copied = self.random.choice(pieces)
                pieces.insert(self.random.randint(0, len(pieces)), copied)
                return "\n\n".join(pieces)

    def _other_word(self, text: str) -> str:
        words = list(_WORD.finditer(text))
        if not words:
            return text
        one, other = self.random.choice(words), self.random.choice(words)
        return text[: one.start()] + other.group() + text[one.end() :]
