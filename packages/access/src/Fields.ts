import { type Condition, type Conditions, compile, conditionsOn } from "./Condition.ts"
import type { FactsOf, Vocabulary } from "./Facts.ts"
import { compileBits, layoutOf } from "./Loaded.ts"
import { type Tree, toProse, toTree } from "./Prose.ts"
import { factColumn, toSql } from "./Sql.ts"

/** The conditions under which a caller may read and write a field. Without `write`, the field is read-only. */
export interface FieldRules<F> {
  readonly read: Condition<F>
  readonly write?: Condition<F>
}

/** Applies the read and write rules of a record's fields. */
export interface Fields<F, N extends string> {
  /** Returns a record without the fields that the caller may not read and without fields that have no rules. */
  readonly read: <R extends object>(record: R, facts: F) => Partial<R>
  /** Returns the names of the changed fields that the caller may not write, including fields without rules. */
  readonly refused: (change: object, facts: F) => ReadonlyArray<string>
  /** Returns the SQL columns of a query. A field that the caller may not read is selected as null. */
  readonly columns: (alias?: string) => string
  /** Returns the read and write conditions in words, by field. */
  readonly prose: { readonly [K in N]: { readonly read: string; readonly write: string } }
  /** Explains why a field is readable or unreadable for given facts. */
  readonly explain: (field: N, facts: F) => Tree
}

/** Defines which fields of a record callers may read and write. Throws for an unknown fact or value. */
export const fieldMasks = <const V extends Vocabulary, const N extends string>(
  vocabulary: V,
  define: (on: Conditions<FactsOf<V>>) => Readonly<Record<N, FieldRules<FactsOf<V>>>>
): Fields<FactsOf<V>, N> => {
  type F = FactsOf<V>
  const never: Condition<F> = { op: "any", of: [] }
  const layout = layoutOf(vocabulary)
  const rows = Object.entries<FieldRules<F>>(define(conditionsOn<F>())).map(([name, { read, write = never }]) => {
    for (const each of [read, write]) compileBits(each, layout)
    return { name, read, write, mayRead: compile(read), mayWrite: compile(write) }
  })
  const named = new Map(rows.map((row) => [row.name, row]))
  const only = (may: "mayRead" | "mayWrite", facts: F) => (name: string) => named.get(name)?.[may](facts) === true
  return {
    read: (record, facts) => {
      const isShown = only("mayRead", facts)
      return Object.fromEntries(Object.entries(record).filter(([name]) => isShown(name))) as Partial<typeof record>
    },
    refused: (change, facts) => {
      const isOpen = only("mayWrite", facts)
      return Object.keys(change).filter((name) => !isOpen(name))
    },
    columns: (alias) =>
      rows
        .map(
          ({ name, read }) =>
            `case when ${toSql(read, alias)} then ${factColumn(name, alias)} end as ${factColumn(name)}`
        )
        .join(", "),
    prose: Object.fromEntries(
      rows.map(({ name, read, write }) => [
        name,
        { read: toProse(read, vocabulary), write: toProse(write, vocabulary) }
      ])
    ) as Fields<F, N>["prose"],
    explain: (field, facts) => toTree((named.get(field) as (typeof rows)[number]).read, facts, vocabulary)
  }
}
