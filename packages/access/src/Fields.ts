import { type Condition, type Conditions, compile, conditionsOn } from "./Condition.ts"
import type { FactsOf, Vocabulary } from "./Facts.ts"
import { compileBits, layoutOf } from "./Loaded.ts"
import { type Tree, toProse, toTree } from "./Prose.ts"
import { factColumn, toSql } from "./Sql.ts"

/** The conditions to read and to write a field; without `write` it is read-only. */
export interface FieldRules<F> {
  readonly read: Condition<F>
  readonly write?: Condition<F>
}

/** The masks of a record's fields. */
export interface Fields<F, N extends string> {
  /** Returns a record without the fields that the caller may not read; fields without rules are removed. */
  readonly read: <R extends object>(record: R, facts: F) => Partial<R>
  /** Returns the fields of a change that the caller may not write; fields without rules are among them. */
  readonly refused: (change: object, facts: F) => ReadonlyArray<string>
  /** Returns the columns of a query: a field that the caller may not read is null. */
  readonly columns: (alias?: string) => string
  /** Returns the read and write conditions in words, by field. */
  readonly prose: { readonly [K in N]: { readonly read: string; readonly write: string } }
  /** Returns why a field can or cannot be read. */
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
