import type { OwnedData } from "@slipway/domain"
import { columnTypes, type OwnedSqlTable, ownedTable, tableNameOf } from "./table.ts"

const literal = (value: string | number | boolean): string =>
  typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)

/**
 * Returns the fields that are used for lookups or sorting. Their columns need the collation "C", which compares texts
 * byte by byte.
 */
const comparedFields = ({ filters, orders, unique, within }: OwnedData): ReadonlySet<string> =>
  new Set([
    ...within,
    ...filters,
    ...Object.values(orders).flatMap((order) => order.by),
    ...Object.values(unique).flat()
  ])

const reference = (to: string, onRemove: "removes" | "empties"): string =>
  ` REFERENCES "${tableNameOf(to)}" (id) ON DELETE ${onRemove === "removes" ? "CASCADE" : "SET NULL"}`

const columnsOf = (table: OwnedSqlTable): ReadonlyArray<string> => {
  const compared = comparedFields(table.kind)
  return Object.entries(table.kind.fields).flatMap(([field, data]) => {
    const { ignoringCase, nullable, onRemove, oneOf, refersTo, type } = data
    const collation = (own: boolean) => (type === "text" && own ? ` COLLATE "C"` : "")
    const need = nullable ? "" : " NOT NULL"
    const column = table.column(field)
    return [
      [
        column,
        ` ${columnTypes[type]}${collation(oneOf !== undefined || (compared.has(field) && !ignoringCase))}${need}`,
        oneOf === undefined ? "" : ` CHECK (${column} IN (${oneOf.map(literal).join(", ")}))`,
        refersTo === undefined ? "" : reference(refersTo, onRemove)
      ].join(""),
      ...(ignoringCase ? [`${table.key(field)} text COLLATE "C"${need}`] : [])
    ]
  })
}

/** Returns the columns of each index that a resource type needs, for its lists, filters and references. */
const indexesOf = ({ column, key, kind, place }: OwnedSqlTable): ReadonlyArray<ReadonlyArray<string>> => {
  const orders = Object.values(kind.orders).map(({ by }) => [...by.filter((field) => field !== "id").map(place), "id"])
  const [first = []] = orders
  const scopes = kind.within.length === 0 ? [[]] : kind.within.map((field) => [column(field)])
  const wanted = [
    ...scopes.flatMap((scope) => orders.map((order) => [...scope, ...order])),
    ...kind.filters.map((field) => [
      ...(scopes[0] ?? []).filter((each) => each !== key(field)),
      key(field),
      ...first.filter((each) => each !== place(field) && each !== key(field))
    ])
  ].filter((each) => each.join() !== "id")
  // A unique value already has an index.
  const leading = new Set([
    ...wanted.map(([first]) => first),
    ...Object.values(kind.unique).map(([first = ""]) => column(first))
  ])
  const referring = Object.entries(kind.fields).flatMap(([field, { refersTo }]) =>
    refersTo === undefined || leading.has(column(field)) ? [] : [[column(field)]]
  )
  return [...new Map([...wanted, ...referring].map((each) => [each.join(), each])).values()]
}

/** Returns the statements that create the indexes of an owned resource type (a type with a generated store). */
const createIndexes = (kind: OwnedData): ReadonlyArray<string> => {
  const table = ownedTable(kind)
  return indexesOf(table).map((columns) => `CREATE INDEX ON ${table.name} (${columns.join(", ")})`)
}

const createNumbers = (table: OwnedSqlTable): ReadonlyArray<string> => {
  const { fields, numbered, within } = table.kind
  const [scope] = within
  const refersTo = scope === undefined ? undefined : fields[scope]?.refersTo
  if (numbered === undefined || scope === undefined || refersTo === undefined) return []
  return [
    `CREATE TABLE ${table.numbers} (
      ${table.column(scope)} bigint PRIMARY KEY${reference(refersTo, "removes")},
      last bigint NOT NULL
    )`,
    `CREATE UNIQUE INDEX ON ${table.name} (${table.column(scope)}, ${table.column(numbered)})`
  ]
}

/**
 * Returns the statements that create the triggers and counters for one field: they count the rows that refer to each
 * resource.
 */
const createCounts = (table: OwnedSqlTable, field: string): ReadonlyArray<string> => {
  const { counters, fields, name } = table.kind
  const refersTo = fields[field]?.refersTo
  if (refersTo === undefined) throw new Error(`${name} counts by ${field}, which is not a reference`)
  const own = Object.entries(counters).filter(([, { of }]) => of === field)
  const counted = own.map(([counter]) => table.column(counter))
  const column = table.column(field)
  const counts = table.counts(field)
  const isCounted = (row: string) =>
    own.map(([, { where = {} }]) => {
      const conditions = Object.entries(where).map(
        ([each, value]) => `${row}.${table.column(each)} IS NOT DISTINCT FROM ${literal(value)}`
      )
      return conditions.length === 0 ? "1" : `(${conditions.join(" AND ")})::int`
    })
  const step = (row: string, sign: string) =>
    counted.map((each, at) => `${each} = ${counts}.${each} ${sign} ${isCounted(row)[at]}`).join(", ")
  const watched = [...new Set([field, ...own.flatMap(([, { where = {} }]) => Object.keys(where))])].map(table.column)
  const run = `"${counts.slice(1, -1)}_changed"`
  return [
    `CREATE TABLE ${counts} (
      ${column} bigint PRIMARY KEY${reference(refersTo, "removes")},
      ${counted.map((each) => `${each} bigint NOT NULL`).join(",\n      ")}
    )`,
    `CREATE FUNCTION ${run}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE ${counts} SET ${step("OLD", "-")} WHERE ${column} = OLD.${column};
      END IF;
      IF TG_OP <> 'DELETE' AND NEW.${column} IS NOT NULL THEN
        INSERT INTO ${counts} (${column}, ${counted.join(", ")}) VALUES (NEW.${column}, ${isCounted("NEW").join(", ")})
        ON CONFLICT (${column}) DO UPDATE SET ${step("NEW", "+")};
      END IF;
      RETURN NULL;
    END
    $$`,
    `CREATE TRIGGER counted AFTER INSERT OR DELETE OR UPDATE OF ${watched.join(", ")} ON ${table.name}
    FOR EACH ROW EXECUTE FUNCTION ${run}()`
  ].map((each) => (each.startsWith("CREATE TRIGGER counted") ? each.replace("counted", run) : each))
}

/** Returns the statements that create the counters of an owned resource type (a type with a generated store). */
export const createCounters = (kind: OwnedData): ReadonlyArray<string> => {
  const table = ownedTable(kind)
  return [...new Set(Object.values(kind.counters).map(({ of }) => of))].flatMap((field) => createCounts(table, field))
}

/**
 * Returns the statements that create the table of an owned resource type, with its indexes, counters and number
 * sequences. Its store is generated too.
 *
 * Use them in a new migration. A released migration must not change, even if the declaration of the type does.
 */
export const createTable = (kind: OwnedData): ReadonlyArray<string> => {
  const table = ownedTable(kind)
  const unique = Object.entries(kind.unique).map(
    ([name, fields]) =>
      `CONSTRAINT ${uniqueConstraint(kind, name)} UNIQUE (${fields.map((field) => table.key(field)).join(", ")})`
  )
  return [
    `CREATE TABLE ${table.name} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      ${[...columnsOf(table), ...unique].join(",\n      ")}
    )`,
    ...createIndexes(kind),
    ...createNumbers(table),
    ...createCounters(kind)
  ]
}

/** Returns the name of the database constraint for a unique key of a resource type. */
export const uniqueConstraint = (kind: OwnedData, unique: string): string =>
  `${tableNameOf(kind.name)}_${unique.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)}_once`
