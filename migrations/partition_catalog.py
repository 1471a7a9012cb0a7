"""What belongs to a table, read from the catalogs, and the statements that give it to its copy in
the schema `moving`. Names are ours, so none needs quotes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psycopg
from psycopg.rows import TupleRow

Connection = psycopg.Connection[TupleRow]

_COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_CONSTRAINTS = """
SELECT conname, contype::text, pg_get_constraintdef(oid),
    ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
          JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place)
FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f')
"""
_INDEXES = """
SELECT pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid = %s::regclass
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid)
"""
_GRANTS = """
SELECT format('GRANT %%s ON public.%%s TO %%s', string_agg(privilege_type, ', '),
    relname, grantee::regrole)
FROM pg_class, aclexplode(relacl) WHERE oid = %s::regclass AND grantee NOT IN (relowner, 0)
GROUP BY relname, grantee
"""
_POLICIES = """
SELECT format('CREATE POLICY %%I ON public.%%I AS %%s FOR %%s TO %%s', policyname, tablename,
    permissive, cmd, (SELECT string_agg(quote_ident(role), ', ') FROM unnest(roles) role))
    || COALESCE(' USING (' || qual || ')', '')
    || COALESCE(' WITH CHECK (' || with_check || ')', '')
FROM pg_policies WHERE format('%%I.%%I', schemaname, tablename) = %s
"""
_TRIGGERS = """
SELECT pg_get_triggerdef(oid) FROM pg_trigger
WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgname <> 'zz_moving'
"""
# Views name their tables by number: each is made anew from its text.
_VIEWS = """
SELECT DISTINCT format('CREATE OR REPLACE VIEW %%s%%s AS %%s', v.oid::regclass,
    ' WITH (' || array_to_string(v.reloptions, ', ') || ')', pg_get_viewdef(v.oid))
FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid AND d.classid = 'pg_rewrite'::regclass
JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'v'
WHERE d.refobjid = %s::regclass
"""
_STATISTICS = """
SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxrelid = %s::regclass
"""
_PARTITIONED = "SELECT FROM pg_partitioned_table WHERE partrelid = to_regclass(%s)"
_ROWS = "SELECT greatest(reltuples, 0)::bigint::text FROM pg_class WHERE oid = %s::regclass"
_IDENTITY = """
SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attidentity <> ''
"""


@dataclass(frozen=True)
class Constraint:
    name: str
    kind: str  # p, u or f
    definition: str
    columns: Sequence[str]


@dataclass(frozen=True)
class Table:
    """after_swap: the statements that give the copy what goes by the table's name; statistics: by
    names that the table itself holds until it is dropped."""

    name: str
    columns: Sequence[str]
    identity: str | None
    rows: int  # as autovacuum last counted them
    constraints: Sequence[Constraint]
    indexes: Sequence[str]
    after_swap: Sequence[str]
    statistics: Sequence[str]

    @property
    def primary_key(self) -> Sequence[str]:
        return next(c.columns for c in self.constraints if c.kind == "p")


def is_partitioned(connection: Connection, table: str, *, schema: str = "public") -> bool:
    return connection.execute(_PARTITIONED, [f"{schema}.{table}"]).rowcount > 0


def read(connection: Connection, name: str) -> Table:
    def texts(query: str) -> list[str]:
        found = connection.execute(query.encode(), [f"public.{name}"]).fetchall()
        return [text for (text,) in found]

    return Table(
        name,
        columns=texts(_COLUMNS),
        identity=next(iter(texts(_IDENTITY)), None),
        rows=int(texts(_ROWS)[0]),
        constraints=[
            Constraint(*row) for row in connection.execute(_CONSTRAINTS, [f"public.{name}"])
        ],
        indexes=texts(_INDEXES),
        after_swap=[
            f"ALTER TABLE public.{name} ENABLE ROW LEVEL SECURITY",
            *(text for query in (_GRANTS, _POLICIES, _TRIGGERS, _VIEWS) for text in texts(query)),
        ],
        statistics=texts(_STATISTICS),
    )


def create_copy(table: Table, *, partitioned_by: str | None) -> str:
    partitioned = f" PARTITION BY RANGE ({partitioned_by})" if partitioned_by else ""
    return (
        f"CREATE TABLE moving.{table.name} (LIKE public.{table.name} INCLUDING DEFAULTS"
        " INCLUDING CONSTRAINTS INCLUDING IDENTITY INCLUDING GENERATED INCLUDING STORAGE"
        f" INCLUDING COMMENTS){partitioned}"
    )


def keys_and_indexes(table: Table, primary_key: Sequence[str], *, unique: str) -> Iterator[str]:
    """What is unique by `primary_key` needs no constraint of its own besides. unique: one that
    comes in addition, its name and definition."""
    add = f"ALTER TABLE moving.{table.name} ADD CONSTRAINT"
    for one in table.constraints:
        if one.kind == "p":
            same = list(one.columns) == list(primary_key)
            yield f"{add} {one.name} " + (
                one.definition if same else f"PRIMARY KEY ({', '.join(primary_key)})"
            )
        elif one.kind == "u" and list(one.columns) != list(primary_key):
            yield f"{add} {one.name} {one.definition}"
    if unique:
        yield f"{add} {unique}"
    for index in table.indexes:
        yield index.replace(f" ON public.{table.name} ", f" ON moving.{table.name} ").replace(
            f" ON ONLY public.{table.name} ", f" ON moving.{table.name} "
        )


def foreign_keys(table: Table) -> Iterator[str]:
    for one in table.constraints:
        if one.kind == "f":
            yield f"ALTER TABLE moving.{table.name} ADD CONSTRAINT {one.name} {one.definition}"
