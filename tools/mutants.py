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


def mutations_of(path: Path) -> list[Mutation]:
    """Every mutation of one module."""
    source = path.read_text(encoding="utf-8")
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found, turns = [], dict[tuple[str, str, str], int]()
    for node, scope in mutable_nodes(ast.parse(source)):
        if not isinstance(node, ast.expr) or node.end_lineno is None or node.end_col_offset is None:
            continue
        begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        before = source.encode()[begin:end].decode()
        for changed in changed_nodes(node):
            after = f"({ast.unparse(ast.fix_missing_locations(changed))})"
            turn = turns[scope, before, after] = turns.get((scope, before, after), 0) + 1
            where = str(path.relative_to(ROOT))
            found.append(Mutation(where, node.lineno, begin, end, before, after, scope, turn))
    return found


def draw_mutations(number: int, seed: int, only: str) -> list[Mutation]:
    """A random sample, two thirds of it from the rooms where numbers are made, and these first.

    Which are drawn depends on each mutation's own name alone: a changed module changes the draw in that module.
    """
    first, rest = list[Mutation](), list[Mutation]()
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        if only in str(path):
            room = path.relative_to(ROOT / PACKAGE).parts[0]
            (first if room in FIRST_ROOMS else rest).extend(mutations_of(path))

    def place(mutation: Mutation) -> str:
        return hashlib.sha256(f"{seed} {mutation.key}".encode()).hexdigest()

    many = min(len(first), round(number * 2 / 3)) if rest else number
    return sorted(first, key=place)[:many] + sorted(rest, key=place)[: number - many]
