import { setTimeout } from "node:timers/promises"

/** A database client. */
export interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: rows are looked into freely
  readonly query: (text: string) => Promise<{ readonly rows: ReadonlyArray<any> }>
}

interface Column {
  readonly name: string
  readonly type: string
  /** Whether the database generates the value: an identity column, a sequence default, or a computed column. */
  readonly isGenerated: boolean
  /**
   * The table and column to which the column is a foreign key; null if it is none.
   *
   * For the second column of a composite foreign key, `leader` is the first column.
   */
  readonly to: readonly [table: string, column: string] | null
  readonly leader: string | null
}

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** The columns of each unique index. */
  readonly uniqueIndexes: ReadonlyArray<ReadonlyArray<string>>
  /** The names of triggers that maintain row counts. */
  readonly counting: ReadonlyArray<string>
}

const tables = `
  SELECT t.relname AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL),
        'isGenerated', a.attidentity <> '' OR a.attgenerated <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%',
        'to', (SELECT json_build_array(p.relname, pa.attname) FROM pg_constraint c JOIN pg_class p ON p.oid = c.confrelid
          JOIN pg_attribute pa ON pa.attrelid = p.oid AND pa.attnum = c.confkey[1]
          WHERE c.conrelid = t.oid AND c.contype = 'f' AND c.conkey[1] = a.attnum
          ORDER BY cardinality(c.conkey) LIMIT 1),
        'leader', (SELECT l.attname FROM pg_constraint c JOIN pg_attribute l ON l.attrelid = t.oid AND l.attnum = c.conkey[1]
          WHERE c.conrelid = t.oid AND c.contype = 'f' AND c.conkey[2] = a.attnum LIMIT 1)) ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    ARRAY(SELECT tgname::text FROM pg_trigger WHERE tgrelid = t.oid
      AND (tgname ~ 'count' AND tgtype & 1 = 1 OR tgname ~ '_added_to_scope$')) AS counting,
    coalesce((SELECT json_agg((SELECT json_agg(a.attname) FROM pg_attribute a
        WHERE a.attrelid = t.oid AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])))
      FROM pg_index i WHERE i.indrelid = t.oid AND i.indisunique AND 0 <> ALL (i.indkey)), '[]') AS "uniqueIndexes"
  FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname`

/** For each column type, the SQL expression that varies a value by a number \`n\`. */
const others: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `${column} || '-' || n`,
  bytea: (column) => `sha256(${column} || convert_to(n::text, 'UTF8'))`,
  integer: (column) => `${column} + n`,
  bigint: (column) => `${column} + n`,
  "timestamp with time zone": (column) => `${column} + n * interval '1 second'`
}

/**
 * Matches tables that are not multiplied: they count other rows, have one row per database, or contain pending work.
 */
const single = /_count$|^(?:migration|.*_migrations|job|lease|task|instance|site|hook_news|hook_queue)/

/**
 * Columns that keep the value of the sample row.
 *
 * `block.blocker` can be a user or an organization, so an arbitrary id does not fit. More repositories in a team would
 * change the query plan of lists for its members.
 */
const fixed = new Set(["block.blocker", "team_repository.repository_id"])

/**
 * Tables that get fewer rows.
 *
 * A site has at most 500 badges, a deployment has at most 10,000 log lines, and webhook deliveries are large. More
 * organizations and teams of a user would give this user access to more repositories.
 */
const fewer: Readonly<Record<string, number>> = {
  badge: 400,
  deployment_line: 10_000,
  hook_delivery: 100_000,
  public_membership: 40,
  team_member: 40
}

/** Column values, by table, that prevent the service from processing the generated rows. */
const done: Readonly<Record<string, string>> = { deletion: "status = 'finished'" }

/** SQL conditions for the rows that the generated rows of a table may reference. */
const parents: Readonly<Record<string, string>> = {
  pull_request: "WHERE pull",
  team_repository: "WHERE organization_id = (SELECT min(id) FROM organization)"
}

/** Tables that can have many rows for the same resource. */
const repeated = new Set(["event"])

/** The query for the non-unique indexes, with their definitions. */
const indexes = `
  SELECT tablename AS table, indexname AS name, indexdef AS definition FROM pg_indexes
  JOIN pg_index i ON i.indexrelid = format('%I.%I', schemaname, indexname)::regclass
  WHERE schemaname = current_schema() AND NOT i.indisunique`

/** The number of new rows from which rebuilding an index is faster than updating it row by row. */
const many = 10_000

/** The query for tables with pages that PostgreSQL has not marked as all-visible. */
const unknown = `
  SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relpages > relallvisible`

/** The maximum number of sample rows per table; each has a different parent. */
const mostSamples = 10

/** Returns the SQL statements that multiply the rows of a table: one statement, or one for each parent column. */
const multiplying = (
  { columns, name, uniqueIndexes }: Table,
  samples: ReadonlyArray<string>,
  count: number
): ReadonlyArray<string> => {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const changed = new Set<string>()
  let elsewhere: ReadonlyArray<Column | undefined> = [undefined]
  for (const rule of uniqueIndexes) {
    const parts = rule.map((part) => byName.get(part) as Column)
    if (parts.some(({ isGenerated }) => isGenerated)) continue
    const movable = parts.filter((column) => !fixed.has(`${name}.${column.name}`))
    const free = movable.find(({ leader, to, type }) => to === null && leader === null && others[type] !== undefined)
    if (free !== undefined) changed.add(free.name)
    else elsewhere = movable.filter(({ to }) => to !== null)
  }
  const writableColumns = columns.filter(({ isGenerated }) => !isGenerated)
  const list = writableColumns.map((column) => `"${column.name}"`).join(", ")
  return elsewhere.map((moved) => {
    const values = writableColumns.map((column) =>
      column === moved || (moved !== undefined && column.leader === moved.name)
        ? `parent."${column.name}"`
        : changed.has(column.name)
          ? (others[column.type]?.(`sample."${column.name}"`) ?? "NULL")
          : `sample."${column.name}"`
    )
    const [table, key] = moved?.to ?? ["", ""]
    const along = columns.filter(({ leader }) => leader === moved?.name).map((column) => `, "${column.name}"`)
    const parent =
      moved === undefined
        ? ""
        : `JOIN (
            SELECT "${key}" AS "${moved.name}"${along.join("")}, row_number() OVER (ORDER BY "${key}" DESC) AS number FROM "${table}" ${parents[name] ?? ""}
          ) parent ON parent.number = n`
    return `
      INSERT INTO "${name}" (${list}) SELECT ${values.join(", ")}
      FROM "${name}" sample CROSS JOIN generate_series(1, ${Math.min(count, fewer[name] ?? count)}) n ${parent}
      WHERE sample.ctid = ANY ('{${samples.map((place) => `"${place}"`).join(", ")}}'::tid[])
      ON CONFLICT DO NOTHING`
  })
}

/** Sorts tables by foreign keys: referenced tables first. */
const inOrder = (all: ReadonlyArray<Table>): ReadonlyArray<Table> => {
  const found = new Set<Table>()
  const add = (table: Table | undefined, behind: ReadonlyArray<Table>): void => {
    if (table === undefined || found.has(table) || behind.includes(table)) return
    for (const { to } of table.columns) if (to !== null) add(byName.get(to[0]), [...behind, table])
    found.add(table)
  }
  const byName = new Map(all.map((table) => [table.name, table]))
  for (const table of all) add(table, [])
  return [...found]
}

/** Returns whether a table is a join table: a unique index contains two foreign keys. */
const ties = ({ columns, uniqueIndexes }: Table): boolean => {
  const references = new Set(columns.flatMap(({ name, to }) => (to === null ? [] : [name])))
  return uniqueIndexes.some((rule) => rule.filter((part) => references.has(part)).length > 1)
}

/** The query for statements that fill count tables in bulk, which is faster than triggers for each row. */
const counts = `
  SELECT format('INSERT INTO %I SELECT %I, %s FROM %I WHERE %I IS NOT NULL GROUP BY 1 ON CONFLICT DO NOTHING', counts.relname, key.attname,
    array_to_string(array_fill('count(*)'::text, ARRAY[counts.relnatts - 1]), ', '), counted.relname, key.attname) AS statement
  FROM pg_class counts JOIN pg_attribute key ON key.attrelid = counts.oid AND key.attnum = 1
  JOIN pg_class counted ON counts.relname = counted.relname || '_' || key.attname || '_count'
    AND counted.relnamespace = counts.relnamespace AND counted.relkind = 'r'
  WHERE counts.relnamespace = current_schema()::regnamespace AND counts.relkind = 'r'`

/** The query for statements that fill the table of counts per resource in bulk. */
const scopeCounts = `
  SELECT format('INSERT INTO scope_count (kind, scope, amount) SELECT %1$L, %2$I::text, count(*) FROM %1$I GROUP BY 2',
    tgrelid::regclass, convert_from(substring(tgargs FOR length(tgargs) - 1), 'UTF8')) AS statement
  FROM pg_trigger WHERE tgname ~ '_added_to_scope$' AND tgrelid IN (
    SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace
  )`

/**
 * Multiplies the sample rows of each table that has fewer rows, in the same repository, issue or organization.
 *
 * In tables with many rows already, only the last row is multiplied. Returns the tables
 * that cannot be multiplied because of a constraint, each with the first violated constraint.
 */
export const multiplyRows = async (
  client: Client,
  count: number,
  said: (text: string) => void = () => {}
): Promise<ReadonlyArray<string>> => {
  const refused: Array<string> = []
  const all = count < many ? [] : (await client.query(indexes)).rows
  for (const table of inOrder((await client.query(tables)).rows)) {
    if (done[table.name] !== undefined) await client.query(`UPDATE "${table.name}" SET ${done[table.name]}`)
    // Newest rows first; they may be stored in reused space.
    const last = `
      SELECT ctid::text AS place FROM "${table.name}" ORDER BY age(xmin), ctid DESC LIMIT ${mostSamples + 1}`
    const places = (await client.query(last)).rows.map(({ place }) => String(place))
    const isFull = places.length > mostSamples
    if (places.length === 0 || single.test(table.name) || (isFull && !ties(table) && !repeated.has(table.name)))
      continue
    said(table.name)
    const own = all.filter((index) => index.table === table.name)
    for (const { name } of own) await client.query(`DROP INDEX "${name}"`)
    // Referenced rows exist: foreign keys need no check.
    await client.query(`ALTER TABLE "${table.name}" DISABLE TRIGGER ALL, ENABLE TRIGGER USER`)
    for (const trigger of table.counting) await client.query(`ALTER TABLE "${table.name}" DISABLE TRIGGER "${trigger}"`)
    for (const statement of multiplying(table, isFull ? places.slice(0, 1) : places, count)) {
      await client.query(statement).catch((cause) => refused.push(`${table.name}: ${(cause as Error).message}`))
    }
    await client.query(`ALTER TABLE "${table.name}" ENABLE TRIGGER ALL`)
    for (const { definition } of own) await client.query(definition)
  }
  for (const { statement } of (await client.query(counts)).rows) await client.query(statement)
  const scoped = (await client.query(scopeCounts)).rows
  if (scoped.length > 0) await client.query("DELETE FROM scope_count")
  for (const { statement } of scoped) await client.query(statement)
  return refused
}

/** Runs `VACUUM` until PostgreSQL marks every page of every table as all-visible, at most 20 times. */
export const cleanUp = async (client: Client): Promise<void> => {
  await client.query("VACUUM ANALYZE")
  for (let turn = 0; turn < 20; turn++) {
    const { rows } = await client.query(unknown)
    const left = rows.map(({ name }) => String(name)).filter((name) => !single.test(name))
    if (left.length === 0) break
    await client.query(`VACUUM ${left.map((name) => `"${name}"`).join(", ")}`)
    await setTimeout(250)
  }
}
