import { type Ordered, ordered } from "./Facts.ts"
import { higher, type Level, Level as levels, levelWords } from "./Level.ts"
import { factColumn } from "./Sql.ts"

/** The SQL tables of a resource tree, such as folders and documents, and of the access levels granted on its nodes. */
export interface Tree {
  /** The table of the nodes, such as folders and documents. */
  readonly nodes: string
  readonly id: string
  /** The column with the parent of a node; null for a root. */
  readonly parent: string
  /** The table of the grants. A row gives a subject a level from 0 to 4 on a node. */
  readonly grants: string
  readonly node: string
  readonly subject: string
  readonly level: string
  /** The number of ancestor levels from which a node inherits grants, at most 32. */
  readonly depth: number
}

/** A level that a node gets from its own grants and from the grants of its ancestors. */
export interface Inherited {
  /** The description of the level as a fact of a vocabulary, for prose and explanations. */
  readonly fact: Ordered<Level>
  /** Returns the highest level that is granted on a node or on one of its ancestors, up to the depth. */
  readonly levelOf: <Id>(node: Id, parentOf: (node: Id) => Id | undefined, grantedOn: (node: Id) => Level) => Level
  /**
   * Returns an SQL expression for the same level; `alias` is the alias of the node table in the query.
   *
   * `subjects` are the placeholders of the caller and its groups, such as `$1, $2`.
   */
  readonly sql: (alias: string, subjects: ReadonlyArray<string>) => string
  /**
   * Returns an SQL query of the nodes on which the subjects have a level: the columns `id` and `level`.
   *
   * Joined to the nodes of a list, it is faster than `sql`, which reads the ancestors of each row. It needs an index on
   * the column with the parent.
   */
  readonly sqlLevels: (subjects: ReadonlyArray<string>) => string
}

/** The largest permitted depth: the number of ancestors that are searched for grants. */
const deepest = 32

const bounded = (depth: number, what: string): number => {
  if (Number.isInteger(depth) && depth >= 1 && depth <= deepest) return depth
  throw new Error(`${what} must have a depth from 1 to ${deepest}: without a bound, a circle of parents never ends`)
}

const placeholder = /^(\?\d*|\$\d+|:[a-z_]+)$/

const checkPlaceholders = (subjects: ReadonlyArray<string>): void => {
  for (const each of subjects) {
    if (!placeholder.test(each)) throw new Error(`\`${each}\` is not a placeholder, such as \`?\` or \`$1\``)
  }
}

/** Defines a level that nodes inherit from their ancestors. Throws if the depth is not from 1 to 32. */
export const inherited = (of: string, tree: Tree): Inherited => {
  const depth = bounded(tree.depth, `the relation "${of}"`)
  const column = (table: string, name: string) => factColumn(name, table)
  const [nodes, grants] = [factColumn(tree.nodes), factColumn(tree.grants)]
  return {
    fact: ordered<Level>(of, [0, 1, 2, 3, 4], levelWords),
    levelOf: (node, parentOf, grantedOn) => {
      let level: Level = levels.none
      let at: typeof node | undefined = node
      for (let step = 0; step <= depth && at !== undefined; step++) {
        level = higher(level, grantedOn(at))
        at = parentOf(at)
      }
      return level
    },
    sql: (alias, subjects) => {
      checkPlaceholders(subjects)
      if (subjects.length === 0) return "0"
      return [
        `(with recursive "up" (id, parent, step) as (`,
        `select ${column(alias, tree.id)}, ${column(alias, tree.parent)}, 0 union all `,
        `select ${column("n", tree.id)}, ${column("n", tree.parent)}, "up".step + 1 from ${nodes} as "n" `,
        `join "up" on ${column("n", tree.id)} = "up".parent where "up".step < ${depth}) `,
        `select coalesce(max(${column("g", tree.level)}), 0) from "up" join ${grants} as "g" `,
        `on ${column("g", tree.node)} = "up".id where ${column("g", tree.subject)} in (${subjects.join(", ")}))`
      ].join("")
    },
    sqlLevels: (subjects) => {
      checkPlaceholders(subjects)
      const isGranted = subjects.length === 0 ? "false" : `${column("g", tree.subject)} in (${subjects.join(", ")})`
      return [
        `(with recursive "down" (id, level, step) as (`,
        `select ${column("g", tree.node)}, ${column("g", tree.level)}, 0 from ${grants} as "g" where ${isGranted} union `,
        `select ${column("n", tree.id)}, "down".level, "down".step + 1 from ${nodes} as "n" `,
        `join "down" on ${column("n", tree.parent)} = "down".id where "down".step < ${depth}) `,
        `select id, max(level) as level from "down" group by id)`
      ].join("")
    }
  }
}

/**
 * Returns a caller and all groups that contain the caller, directly or through other groups up to the depth. Each
 * subject occurs once.
 *
 * Throws if the depth is not from 1 to 32.
 */
export const subjectsOf = <Id>(
  caller: Id,
  groupsOf: (member: Id) => Iterable<Id>,
  depth: number
): ReadonlyArray<Id> => {
  const found = new Set([caller])
  let last: ReadonlyArray<Id> = [caller]
  for (let step = 0; step < bounded(depth, "groups") && last.length > 0; step++) {
    last = last.flatMap((member) => [...groupsOf(member)]).filter((group) => !found.has(group) && found.add(group))
  }
  return [...found]
}
