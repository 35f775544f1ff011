import { setTimeout } from "node:timers/promises"
import type { Client } from "pg"

interface Column {
  readonly name: string
  readonly type: string
  /** Whether the database makes it: a number of its own, or what follows from other columns. */
  readonly made: boolean
  /** The table and column that it refers to, where it does. */
  readonly to: readonly [table: string, column: string] | null
}

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** The columns of each rule that says what is there once. */
  readonly once: ReadonlyArray<ReadonlyArray<string>>
}

const tables = `
  SELECT t.relname AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL),
        'made', a.attidentity <> '' OR a.attgenerated <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%',
        'to', (SELECT json_build_array(p.relname, pa.attname) FROM pg_constraint c JOIN pg_class p ON p.oid = c.confrelid
          JOIN pg_attribute pa ON pa.attrelid = p.oid AND pa.attnum = c.confkey[1]
          WHERE c.conrelid = t.oid AND c.contype = 'f' AND c.conkey = ARRAY[a.attnum] LIMIT 1)) ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    coalesce((SELECT json_agg((SELECT json_agg(a.attname) FROM pg_attribute a
        WHERE a.attrelid = t.oid AND a.attnum = ANY (i.indkey)))
      FROM pg_index i WHERE i.indrelid = t.oid AND i.indisunique AND 0 <> ALL (i.indkey)), '[]') AS once
  FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname`

/** How a value of a type is made another one for each number \`n\`. */
const others: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `${column} || '-' || n`,
  bytea: (column) => `sha256(${column} || convert_to(n::text, 'UTF8'))`,
  integer: (column) => `${column} + n`,
  bigint: (column) => `${column} + n`,
  "timestamp with time zone": (column) => `${column} + n * interval '1 second'`
}

/** What counts other rows, is about the whole database, or has work to do that would be done. */
const single = /_count$|^(?:migration|.*_migrations|job|lease|task|instance|site)/

/** How many rows of a table are samples, each of something else. */
const mostSamples = 10

/** Returns the statements that multiply the first rows of a table: one, or one for each thing that these may belong to. */
const multiplying = ({ columns, name, once }: Table, samples: number, count: number): ReadonlyArray<string> => {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const changed = new Set<string>()
  let elsewhere: ReadonlyArray<Column | undefined> = [undefined]
  for (const rule of once) {
    const parts = rule.map((part) => byName.get(part) as Column)
    if (parts.some(({ made }) => made)) continue
    const free = parts.find(({ to, type }) => to === null && others[type] !== undefined)
    if (free !== undefined) changed.add(free.name)
    else elsewhere = parts.filter(({ to }) => to !== null)
  }
  const kept = columns.filter(({ made }) => !made)
  const list = kept.map((column) => `"${column.name}"`).join(", ")
  return elsewhere.map((moved) => {
    const values = kept.map((column) =>
      column === moved
        ? "parent.key"
        : changed.has(column.name)
          ? (others[column.type]?.(`sample."${column.name}"`) ?? "NULL")
          : `sample."${column.name}"`
    )
    const [table, key] = moved?.to ?? ["", ""]
    const parent =
      moved === undefined
        ? ""
        : `JOIN (SELECT "${key}" AS key, row_number() OVER (ORDER BY "${key}") AS number FROM "${table}") parent ON parent.number = n`
    return `
      INSERT INTO "${name}" (${list}) SELECT ${values.join(", ")}
      FROM (SELECT * FROM "${name}" ORDER BY ctid LIMIT ${samples}) sample CROSS JOIN generate_series(1, ${count}) n ${parent}
      ON CONFLICT DO NOTHING`
  })
}

/**
 * Makes so many rows of each of the first in tables that have fewer: beside it, in the same repository, issue or organization.
 *
 * Returns the tables whose rules of their own forbid that, with the first of these.
 */
export const multiplyRows = async (client: Client, count: number): Promise<ReadonlyArray<string>> => {
  const refused: Array<string> = []
  for (const table of (await client.query<Table>(tables)).rows) {
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM "${table.name}"`)
    const present = Number(rows[0]?.count)
    if (present === 0 || present >= count || single.test(table.name)) continue
    for (const statement of multiplying(table, Math.min(present, mostSamples), count)) {
      await client.query(statement).catch((cause) => refused.push(`${table.name}: ${(cause as Error).message}`))
    }
  }
  // Until every page is known to have no row that somebody doesn't see, as the seed of sites does.
  for (let turn = 0; turn < 20; turn++) {
    await client.query("VACUUM ANALYZE")
    const { rows } = await client.query(`
      SELECT coalesce(sum(greatest(relpages - relallvisible, 0)), 0)::int AS unknown FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`)
    if (Number(rows[0]?.unknown) === 0) break
    await setTimeout(250)
  }
  return refused
}
