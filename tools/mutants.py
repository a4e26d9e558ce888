"""What a mutation is: one operator or constant of the source that is exchanged, and which are left out by rule.

Left out, because nobody could notice them or because they say nothing about a number: documentation, annotations and
what is declared for the type checker; the text of messages and whatever raises or asserts; `__repr__`; options of
`dataclass`, `cast`, `TypeVar`, `round`; `strict=` of `zip`, whose lists are as long as each other unless there is a
defect already; the size of a cache; whether an array is copied; `if __name__ == "__main__"`. How much is worked on at a
time (`SIZES`) is left out too: another size gives the same bytes, which is what the laws of `tests/engines` hold.
"""

import ast
import copy
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src/adjudge")
FIRST_ROOMS = ("statistics", "metrics", "inference", "data")
SIZES = re.compile(r"^_?(?!MOST)(?:[A-Z_]*_)?(BLOCK|BLOCKS|TILE|CHUNK|WAITING)(?:_[A-Z_]+)?$")
SILENT_CALLS = {"cast", "TypeVar", "round"}
SILENT_KEYWORDS = {
    ("zip", "strict"),
    ("field", "repr"),
    ("field", "compare"),
    ("field", "init"),
    ("lru_cache", "maxsize"),
    ("astype", "copy"),
    ("array", "copy"),
}

COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
NAMES = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
}


@dataclass(frozen=True)
class Mutation:
    """One changed expression: where it stands, what it was and what it becomes.

    `scope` names the function or the assignment it stands in, `turn` is its place among the same changes there: the
    four together name it also when lines above it come and go.
    """

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str
    scope: str
    turn: int

    @property
    def key(self) -> str:
        return f"{self.path} {self.scope} {self.before} → {self.after} #{self.turn}"

    @property
    def room(self) -> str:
        return Path(self.path).parts[2]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before}  →  {self.after}"


def changed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one thing in it changed, in each way there is."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = copy.deepcopy(node)
        other.ops = [COMPARE[type(node.ops[0])]()]
        yield other
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _of_text(node):
        other = copy.deepcopy(node)
        other.op = ARITHMETIC[type(node.op)]()
        yield other
    elif isinstance(node, ast.BoolOp):
        other = copy.deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield other
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield ast.Attribute(node.value, NAMES[node.attr], node.ctx)


def _of_text(node: ast.BinOp) -> bool:
    """Whether a sum or product is one of text, lists or types, where the change is an error and no mutation."""
    return any(
        isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in ast.walk(node)
    ) or isinstance(node.left, ast.List | ast.Tuple)


def _called(node: ast.AST) -> str:
    function = node.func if isinstance(node, ast.Call) else node
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_silent(parent: ast.AST, node: ast.AST) -> bool:
    """Whether nobody could notice a change inside this child of the parent, by rule."""
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom | ast.Assert):
        return True
    if isinstance(node, ast.FunctionDef) and node.name == "__repr__":
        return True
    if isinstance(node, ast.If) and re.search(r"TYPE_CHECKING|__name__", ast.unparse(node.test)):
        return True
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(parent, ast.Module):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return bool(SIZES.match(ast.unparse(target)))
    if isinstance(parent, ast.ClassDef | ast.FunctionDef) and node in parent.decorator_list:
        return "dataclass" in ast.unparse(node)
    if isinstance(parent, ast.FunctionDef) and node is parent.returns:
        return True
    if isinstance(parent, ast.AnnAssign) and node is parent.annotation:
        return True
    if isinstance(parent, ast.arg):
        return True
    if isinstance(parent, ast.Call):
        keyword = node.arg if isinstance(node, ast.keyword) else ""
        return _called(parent) in SILENT_CALLS or (_called(parent), keyword) in SILENT_KEYWORDS
    return False


def mutable_nodes(tree: ast.AST, scope: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Expressions that decide something, each with the name of what it stands in."""
    for node in ast.iter_child_nodes(tree):
        if _is_silent(tree, node):
            continue
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inner = f"{scope}.{node.name}".strip(".")
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(tree, ast.Module | ast.ClassDef):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            inner = f"{scope}.{ast.unparse(target)}".strip(".")
        yield node, inner
        yield from mutable_nodes(node, inner)


def _starts(source: bytes) -> list[int]:
    """Where each line begins, in bytes."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _span(node: ast.expr, starts: list[int]) -> tuple[int, int]:
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return starts[node.lineno - 1] + node.col_offset, starts[end_line - 1] + end_column


def mutations_of(path: Path) -> list[Mutation]:
    """Every mutation of one module."""
    source = path.read_bytes()
    starts = _starts(source)
    mutations, turns = [], dict[tuple[str, str, str], int]()
    for node, scope in mutable_nodes(ast.parse(source)):
        if not isinstance(node, ast.expr):
            continue
        begin, end = _span(node, starts)
        before = source[begin:end].decode()
        for changed in changed_nodes(node):
            after = f"({ast.unparse(ast.fix_missing_locations(changed))})"
            turn = turns[scope, before, after] = turns.get((scope, before, after), 0) + 1
            where = str(path.relative_to(ROOT))
            mutations.append(Mutation(where, node.lineno, begin, end, before, after, scope, turn))
    return mutations


@cache
def all_mutations() -> tuple[Mutation, ...]:
    """Every mutation of the package."""
    return tuple(one for path in sorted((ROOT / PACKAGE).rglob("*.py")) for one in mutations_of(path))


def draw_mutations(number: int, seed: int) -> list[Mutation]:
    """A random sample, two thirds of it from the rooms where numbers are made, and these first.

    Which are drawn depends on each mutation's own name alone: a changed module changes the draw in that module.
    """
    first = [one for one in all_mutations() if one.room in FIRST_ROOMS]
    rest = [one for one in all_mutations() if one.room not in FIRST_ROOMS]

    def place(mutation: Mutation) -> str:
        return hashlib.sha256(f"{seed} {mutation.key}".encode()).hexdigest()

    many = min(len(first), round(number * 2 / 3)) if rest else number
    return sorted(first, key=place)[:many] + sorted(rest, key=place)[: number - many]


# All mutations in one program

SWITCH = """\
import mmap
from pathlib import Path

with Path(__file__).with_suffix(".bits").open("r+b") as file:
    bits = mmap.mmap(file.fileno(), 0)
many = len(bits) // 2


def on(number):
    bits[number] = 1
    return bits[many + number]


def seen(numbers, value):
    for number in numbers:
        bits[number] = 1
    return value
"""
"""The module `mutation_switch` of a tree with mutations: which were reached, and which are active.

Both stand in a file, so that processes that a test starts are seen as well.
"""

Edit = tuple[int, int, str, str]
"""From and to which byte of a module, and what is put before and after."""


def _switched(number: int, mutation: Mutation) -> Edit:
    text = f'({mutation.after} if __import__("mutation_switch").on({number}) else ('
    return mutation.start, mutation.end, text, "))"


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_bytes())


@cache
def runs_on_import(mutation: Mutation) -> bool:
    """Whether the changed expression stands outside of all functions."""
    tree = _tree(mutation.path)
    return not any(
        part.body[0].lineno <= mutation.line <= (part.end_lineno or 0)
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef)
    )


def _uses(path: Path, names: dict[str, list[int]], own: dict[str, list[int]]) -> Iterator[Edit]:
    """What uses a name that is made on import, or belongs to it: whoever runs that is told which mutations it sees."""
    source = path.read_bytes()
    starts = _starts(source)
    for node, scope in mutable_nodes(ast.parse(source)):
        numbers = own.get(scope.split(".")[0], []) if isinstance(node, ast.Return) else []
        shown = node.value if isinstance(node, ast.Return) else node
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            numbers = names.get(node.id, [])
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            numbers = names.get(node.attr, [])
        if numbers and isinstance(shown, ast.expr):
            begin, end = _span(shown, starts)
            yield begin, end, f'__import__("mutation_switch").seen({numbers}, (', "))"


def _edited(source: bytes, edits: list[Edit]) -> bytes:
    """The text with every edit, one inside the other where they nest; lines keep their numbers."""
    inserted: dict[int, list[tuple[int, int, str]]] = {}
    for turn, (begin, end, before, after) in enumerate(sorted(edits, key=lambda edit: (edit[0], -edit[1]))):
        inserted.setdefault(begin, []).append((1, turn, before))
        inserted.setdefault(end, []).append((0, -turn, after))
    parts, last = [], 0
    for place in sorted(inserted):
        parts += [source[last:place], *(text.encode() for _, _, text in sorted(inserted[place]))]
        last = place
    return b"".join([*parts, source[last:]])


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "module", "exec")
    except SyntaxError:
        return False
    return True


def write_switched(tree: Path, mutations: list[Mutation]) -> None:
    """Write every mutation into a copy of the package, each behind its switch.

    A pattern of `match` takes no switch: the mutations that do not compile so are left out (and counted as untried).
    """
    (tree / "src" / "mutation_switch.py").write_text(SWITCH, encoding="utf-8")
    (tree / "src" / "mutation_switch.bits").write_bytes(bytes(2 * len(mutations)))
    names, own = dict[str, list[int]](), dict[str, dict[str, list[int]]]()
    for number, one in enumerate(mutations):
        if runs_on_import(one):
            for name in re.findall(r"\w+", one.scope.split(".")[0]):  # one assignment may make several
                names.setdefault(name, []).append(number)
                own.setdefault(one.path, {}).setdefault(name, []).append(number)
    for path in sorted((tree / PACKAGE).rglob("*.py")):
        where = str(path.relative_to(tree))
        source, edits = path.read_bytes(), list[Edit]()
        for edit in [_switched(number, one) for number, one in enumerate(mutations) if one.path == where]:
            edits += [edit] if _compiles(_edited(source, [edit])) else []
        edits += [edit for edit in _uses(path, names, own.get(where, {})) if _compiles(_edited(source, [edit]))]
        if edits:
            path.write_bytes(_edited(source, edits))
