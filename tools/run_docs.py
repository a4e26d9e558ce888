"""Runs the ```python and ```console blocks of the given Markdown files, so that what the documentation shows is true.

The blocks of a file share one namespace and one empty temporary directory and run in order. Python with `>>>` is
checked as a doctest; other Python is executed. In a console block every line that begins with `$ ` is a command of
the shell, and what follows up to the next one is what it must print (`...` stands for anything). A block with a
title is written to the file of that name. A failure names the file and the line.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMED = r'\w+ title="[\w.]+"'
BLOCK = re.compile(rf"^( *)```(python|console|{NAMED})[^\S\n]*\n(.*?)^\1```[^\S\n]*$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """Each block: the number of the line before its first line, its language, and its lines without indentation."""
    for match in BLOCK.finditer(text):
        indent = len(match[1])
        code = "".join(line[indent:] if line.strip() else "\n" for line in match[3].splitlines(keepends=True))
        yield text.count("\n", 0, match.start(3)), match[2], code


def run_doctest(code: str, where: tuple[str, int], namespace: dict[str, Any]) -> str:
    name, line = where
    test = doctest.DocTestParser().get_doctest(code, namespace, name, name, line)
    test.globs = namespace  # get_doctest copies it; later blocks must see what this one defines
    report: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
    return "".join(report)


def run_code(code: str, where: tuple[str, int], namespace: dict[str, Any]) -> str:
    name, line = where
    try:
        # The empty lines in front make tracebacks show the line of the Markdown file.
        exec(compile("\n" * line + code, name, "exec"), namespace)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == name]
        if isinstance(error, SyntaxError):
            lines.append(error.lineno)
        summary = "".join(traceback.format_exception_only(error))
        return f"{name}:{lines[0] if lines else line + 1}: {summary}"
    return ""


def run_console(code: str, where: tuple[str, int], namespace: dict[str, Any]) -> str:
    name, line = where
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "COLUMNS": "80", "PATH": path}
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)
    line += parts[0].count("\n")
    for part in parts[1:]:
        command, expected = re.fullmatch(r"((?:.*\\\n)*.*\n)((?s:.*))", part).groups()  # type: ignore[union-attr]
        done = subprocess.run(command, shell=True, env=environment, text=True, stdout=-1, stderr=-2, check=False)
        if not doctest.OutputChecker().check_output(expected, done.stdout, OPTIONS):
            return f"{name}:{line + 1}: $ {command}Expected:\n{expected}Got:\n{done.stdout}"
        line += part.count("\n")
    return ""


def run_file(name: str, text: str) -> list[str]:
    """The failures of one file; stops at the first, since later blocks build on earlier ones."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for line, language, code in blocks(text):
        if language.endswith('"'):
            Path(language.split('"')[1]).write_text(code, encoding="utf-8")
            continue
        run = run_console if language == "console" else run_doctest if ">>> " in code else run_code
        if failure := run(code, (name, line), namespace):
            return [f"{name}:{line + 1}: this block fails\n{failure}"]
    return []


def main(names: list[str]) -> int:
    texts = {name: Path(name).read_text(encoding="utf-8") for name in names}
    home = Path.cwd()
    failures = []
    for name, text in texts.items():
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            try:
                failures += run_file(name, text)
            finally:
                os.chdir(home)
    print(*failures, sep="\n", end="\n" * bool(failures))
    print(f"{sum(len(list(blocks(text))) for text in texts.values())} blocks in {len(texts)} files")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
