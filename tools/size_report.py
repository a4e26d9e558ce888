"""Small rooms, no attics: reports how large modules and functions are, and fails when one is too large."""

import ast
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path("src/adjudge")
ATTICS = {"utils", "helpers", "common", "misc", "manager", "handler"}
MODULE_LINES, FUNCTION_LINES, PARAMETERS = 350, 50, 5
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def body_lines(function: Function) -> int:
    """Lines from the first statement after the docstring to the last."""
    body = function.body[ast.get_docstring(function) is not None :]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def parameters(function: Function) -> int:
    names = [a.arg for a in function.args.posonlyargs + function.args.args]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def comment_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(token.type == tokenize.COMMENT for token in tokenize.tokenize(file.readline))


def row(what: str, sizes: list[int], limit: int) -> str:
    return f"{what:<10}{len(sizes):>7}{median(sizes or [0]):>9.0f}{max(sizes, default=0):>7}{limit:>8}"


def main() -> int:
    modules = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}
    lengths = {path: text.count("\n") for path, text in modules.items()}
    found = [(path, f) for path, text in modules.items() for f in functions(ast.parse(text))]
    comments = sum(map(comment_lines, modules)) / max(1, sum(lengths.values()))

    print(f"{'':<10}{'count':>7}{'median':>9}{'max':>7}{'limit':>8}")
    print(row("modules", list(lengths.values()), MODULE_LINES))
    print(row("functions", [body_lines(f) for _, f in found], FUNCTION_LINES))
    print(f"comments  {comments:>7.1%} of lines")

    # What is written from declarations grows with them, and is read nowhere.
    written = {path for path, text in modules.items() if "Written by tools/" in text.split("\n", 1)[0]}
    failures = [f"{p}: {n} lines" for p, n in lengths.items() if n > MODULE_LINES and p not in written]
    failures += [f"{p}: `{p.stem}` says nothing about its content" for p in modules if p.stem in ATTICS]
    for path, f in found:
        where = f"{path}:{f.lineno}: {f.name}"
        failures += [f"{where} has {body_lines(f)} lines"] * (body_lines(f) > FUNCTION_LINES)
        failures += [f"{where} takes {parameters(f)} positional parameters"] * (parameters(f) > PARAMETERS)
    print(*failures, sep="\n", end="\n" * bool(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
