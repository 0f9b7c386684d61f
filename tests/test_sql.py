"""SQL holds only what the program's own text says; values are bound."""

import ast
from pathlib import Path
from typing import Final

from tests.each import each

ROOT = Path(__file__).parents[1]
ROOMS = ("bot", "core", "prices")
FILES = sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))
RUN: Final = ("execute", "execute_at_once", "executemany", "executescript")
HANDED_ON: Final = {
    "prices/history/bulk.py": (
        {"_statement", "columns", "shared", "table", "tuple"},
        "names of a table and its columns, constants of every caller",
    ),
    "prices/records/erasing.py": (
        {"_erase_watches", "_tables", "connection", "team_id"},
        "tables that SQLite lists: `table` is also a name of the report's counts",
    ),
    "prices/history/health.py": ({"sql"}, "constants of the callers, in the same file"),
    "prices/upkeep/retention.py": (
        {"rule"},
        "constants of the file, in a tuple of rules",
    ),
    "prices/alerts/subscriptions.py": (
        {"where"},
        "constants of the callers, in the file",
    ),
    "prices/database/sqlite.py": (
        {"self", "trigger"},
        "the constant script of a migration; a trigger, named by a constant",
    ),
    "prices/upkeep/clock_repair.py": (
        {"_move"},
        "its own tables and columns, constants of the file",
    ),
    "prices/database/postgres.py": (
        {"_baseline", "_plan", "before", "how", "later", "plan", "sql"}
        | {"table", "take", "translated", "trigger"},
        "statements of the books in PostgreSQL's words, and their plans; its own file "
        "of tables; a trigger and its table, named by constants",
    ),
    "prices/database/connection.py": ({"sql"}, "what every caller of it is asked"),
    "prices/database/files.py": ({"name"}, "constants of the callers"),
    "prices/upkeep/moving.py": (
        {"_count", "_name", "connection", "key", "map", "table", "tuple"},
        "names that a database lists of itself, quoted",
    ),
    "prices/upkeep/schema.py": ({"table"}, "a name that SQLite lists, quoted"),
}
"""What statements are made of besides constants in sight, and why that is safe."""


class Statements(ast.NodeVisitor):
    """Finds what the statements of a file are made of that is no constant."""

    def __init__(self, tree: ast.Module) -> None:
        self.strange: set[str] = set()
        self._scopes: list[ast.AST] = [tree]
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Look into a function, its own names first."""
        self._scopes.append(node)
        self.generic_visit(node)
        self._scopes.pop()

    def visit_Call(self, node: ast.Call) -> None:
        """Follow what a statement is made of."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in RUN and node.args:
            self._follow(node.args[0], frozenset())
        self.generic_visit(node)

    def _follow(self, node: ast.AST, seen: frozenset[str]) -> None:
        if _is_dialect(node):
            return  # an engine's own words
        if isinstance(node, ast.Name):
            self._name(node.id, seen)
        elif isinstance(node, ast.Subscript):
            self._follow(node.value, seen)  # one of the values of what is indexed
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            self._follow(node.left, seen)  # "?" as often as there are values
        elif isinstance(node, ast.Attribute):
            self._follow(node.value, seen)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("len", "int"):
            return  # a number, whatever it is made of
        elif isinstance(node, ast.comprehension):
            self._follow(node.iter, seen)
        elif not isinstance(node, ast.Constant):
            for part in ast.iter_child_nodes(node):
                self._follow(part, seen)

    def _name(self, name: str, seen: frozenset[str]) -> None:
        if name.strip("_").isupper() and name not in self._made(self._scopes[0]):
            return  # a constant of another file, followed there by whoever made it
        if name in seen:
            return
        for scope in reversed(self._scopes):
            if values := self._made(scope).get(name):
                for value in values:
                    self._follow(value, seen | {name})
                return
        self.strange.add(name)

    def _made(self, scope: ast.AST) -> dict[str, list[ast.AST]]:
        """Which values each name of a scope is given."""
        made: dict[str, list[ast.AST]] = {}
        for node in _own(scope):
            for target, value in _bindings(node):
                for named in ast.walk(target):
                    if isinstance(named, ast.Name):
                        made.setdefault(named.id, []).append(value)
        return made


def _is_dialect(node: ast.AST) -> bool:
    """Tell whether something is a part of the engine's dialect."""
    return isinstance(node, ast.Attribute) and node.attr == "dialect"


def _bindings(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    if isinstance(node, ast.Assign):
        return [(target, node.value) for target in node.targets]
    if isinstance(node, ast.AnnAssign | ast.AugAssign) and node.value:
        return [(node.target, node.value)]
    if isinstance(node, ast.For | ast.comprehension):
        return [(node.target, node.iter)]
    return []


def _own(scope: ast.AST) -> list[ast.AST]:
    """The nodes of a scope, without those of functions within it."""
    found, waiting = [], list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef):
            found.append(node)
            waiting.extend(ast.iter_child_nodes(node))
    return found


def strangers(source: str, name: str = "") -> set[str]:
    """What the SQL of a file is made of that nobody vouched for."""
    if not any(run in source for run in RUN):
        return set()
    known, _ = HANDED_ON.get(name, (set(), ""))
    return Statements(ast.parse(source)).strange - known


@each(FILES)
def test_sql_is_made_of_constants(file: Path) -> None:
    """Nothing that comes from outside ever becomes a part of a statement."""
    name = file.relative_to(ROOT).as_posix()

    assert strangers(file.read_text("utf-8"), name) == set()


@each(HANDED_ON)
def test_no_exception_outlived_its_reason(name: str) -> None:
    """What is vouched for is still there."""
    known, _ = HANDED_ON[name]

    assert known - strangers(ROOT.joinpath(name).read_text("utf-8")) == set()


@each(
    [
        'f"SELECT * FROM t WHERE x = {text}"',
        '"SELECT * FROM t WHERE x = " + text',
        '"SELECT * FROM t WHERE x = {}".format(text)',
        '"SELECT * FROM t WHERE x = %s" % text',
        "statement",
        '"".join(parts)',
    ]
)
def test_a_value_in_a_statement_is_found(said: str) -> None:
    """However text gets into SQL, the test above sees it."""
    source = (
        "def f(connection, text, parts):\n"
        '    statement = f"SELECT {text}"\n'
        f"    connection.execute({said})\n"
    )
    assert strangers(source)


def test_constants_are_let_through() -> None:
    """Columns of a constant, question marks and one of two names are no values."""
    source = (
        '_COLUMNS = "a, b"\n'
        "def f(connection, values, which):\n"
        '    marks = ",".join("?" * len(values))\n'
        '    column = {"x": "low", "y": "high"}[which]\n'
        "    connection.execute(\n"
        '        f"SELECT {_COLUMNS}, {column} FROM t WHERE a IN ({marks})", values)\n'
    )
    assert strangers(source) == set()
