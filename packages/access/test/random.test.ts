import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { type Condition, compile, type Node } from "../src/Condition.ts"
import { policy } from "../src/Decision.ts"
import type { Value } from "../src/Enumerate.ts"
import { bitsOf, compileBits, Loaded } from "../src/Loaded.ts"
import { toProse, toTree } from "../src/Prose.ts"
import { Diagrams, Prover } from "../src/proof/index.ts"
import { type ActionRules, defineRules } from "../src/Rules.ts"
import { toSql } from "../src/Sql.ts"
import { type Folder, layout, on, records, vocabulary } from "./support/folder.ts"

const { all, any, atLeast, flag, is, not } = on

/** Interprets a condition directly. */
const holds = (condition: Node, facts: Readonly<Record<string, Value>>): boolean => {
  if (condition.op === "flag") return facts[condition.fact] === true
  if (condition.op === "is") return facts[condition.fact] === condition.word
  if (condition.op === "atLeast") return Number(facts[condition.fact]) >= condition.level
  if (condition.op === "not") return !holds(condition.of, facts)
  if (condition.op === "all") return !condition.of.some((each) => !holds(each, facts))
  return condition.of.some((each) => holds(each, facts))
}

/** Returns random numbers below a limit, the same in each run. */
const dice = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const randomCondition = (below: (most: number) => number, depth: number): Condition<Folder> => {
  const kind = below(depth === 0 ? 5 : 9)
  const parts = () => Array.from({ length: below(4) }, () => randomCondition(below, depth - 1))
  if (kind === 0) return flag("signedIn")
  if (kind === 1) return flag("admin")
  if (kind === 2) return atLeast("shared", below(5) as 0)
  if (kind === 3) return is("seen", (["public", "limited", "private"] as const)[below(3)] as "public")
  if (kind === 4) return flag("archived")
  if (kind === 5) return not(randomCondition(below, depth - 1))
  return kind === 6 ? any(...parts()) : all(...parts())
}

/** Evaluates a sentence of `toProse`: statements joined by "and" or "or", with parentheses. */
const reads = (sentence: string, isTrue: (statement: string) => boolean): boolean => {
  const tokens = sentence.split(/(\(|\)| and | or )/).filter((each) => each !== "")
  let at = 0
  const operand = (): boolean => {
    const token = tokens[at++] as string
    if (token !== "(") return isTrue(token)
    const inner = joined()
    at++
    return inner
  }
  const joined = (): boolean => {
    let result = operand()
    while (tokens[at] === " and " || tokens[at] === " or ") {
      const isAnd = tokens[at++] === " and "
      const next = operand()
      result = isAnd ? result && next : result || next
    }
    return result
  }
  return joined()
}

const statementHolds =
  (facts: Folder) =>
  (statement: string): boolean => {
    if (statement === "always" || statement === "never") return statement === "always"
    const [, edge, word] = /^the shared level is (at least|below) (.*)$/.exec(statement) ?? []
    if (word !== undefined) {
      const level = ["none", "read", "write", "admin", "owner"].indexOf(word)
      return edge === "below" ? facts.shared < level : facts.shared >= level
    }
    const [, negated, visibility] = /^the folder is (not )?(.*)$/.exec(statement) ?? []
    if (visibility !== undefined) return (facts.seen === visibility) === (negated === undefined)
    return [
      facts.signedIn ? "signed in" : "anonymous",
      facts.admin ? "an administrator" : "no administrator",
      facts.archived ? "archived" : "in use"
    ].includes(statement)
  }

/** Returns a database with a row for each record. */
const filledDatabase = (): DatabaseSync => {
  const database = new DatabaseSync(":memory:")
  database.exec("create table facts (place int, signedIn int, admin int, shared int, seen text, archived int)")
  const insert = database.prepare("insert into facts values (?, ?, ?, ?, ?, ?)")
  for (const [place, { admin, archived, seen, shared, signedIn }] of records.entries()) {
    insert.run(place, Number(signedIn), Number(admin), shared, seen, Number(archived))
  }
  return database
}

describe("random conditions", () => {
  it("give the same result as a predicate, as bits, in SQL, as a tree, in prose, as a diagram and in an interpreter", () => {
    const below = dice(20_261_126)
    const bits = records.map((facts) => bitsOf(layout, facts))
    const diagrams = new Diagrams(vocabulary)
    const database = filledDatabase()
    let cases = 0
    while (cases < 100_000) {
      const condition = randomCondition(below, 4)
      const [predicate, onBits, diagram] = [compile(condition), compileBits(condition, layout), diagrams.of(condition)]
      const prose = toProse(condition, vocabulary)
      const selected = new Set(
        database
          .prepare(`select place from facts where ${toSql(condition)}`)
          .all()
          .map(({ place }) => place)
      )
      let count = 0
      for (const [place, facts] of records.entries()) {
        const expected = holds(condition, facts)
        const results = [
          predicate(facts),
          onBits(bits[place] as Int32Array),
          selected.has(place),
          diagrams.has(diagram, facts),
          toTree(condition, facts, vocabulary).holds,
          reads(prose, statementHolds(facts))
        ]
        if (results.some((each) => each !== expected)) expect({ condition, facts, results }).toBe(expected)
        cases++
        if (expected) count++
      }
      expect(diagrams.count(diagram)).toBe(BigInt(count))
    }
    database.close()
    expect(cases).toBe(100_080)
  })
})

/** The rules of an action as the interpreter reads them. */
interface RandomRules {
  readonly allow: ReadonlyArray<Condition<Folder>>
  readonly deny: ReadonlyArray<Condition<Folder>>
  readonly requires: ReadonlyArray<"read" | "edit">
}

const randomRules = (below: (most: number) => number, requires: RandomRules["requires"]): RandomRules => {
  const some = (most: number) => Array.from({ length: below(most) }, () => randomCondition(below, 2))
  return { allow: some(4), deny: some(3), requires: below(2) === 0 ? [] : requires }
}

const named = (rules: ReadonlyArray<Condition<Folder>>, name: string) =>
  Object.fromEntries(rules.map((when, at) => [`${name}${at}`, { when, because: name }]))

describe("random rules of actions", () => {
  it("give the same decisions as `check`, on loaded facts, as a list in SQL, as an explanation, in a proof and in an interpreter", () => {
    const below = dice(40_261_127)
    const database = filledDatabase()
    const loaded = records.map((facts) => new Loaded(layout, facts))
    const page = { from: "facts", key: "place", limit: records.length, dialect: "sqlite" } as const
    let cases = 0
    let allowedCases = 0
    while (cases < 100_000) {
      const table = {
        read: randomRules(below, []),
        edit: randomRules(below, ["read"]),
        remove: randomRules(below, ["read", "edit"])
      }
      const rules = defineRules(vocabulary, () => {
        const rows = Object.entries(table).map(([action, { allow, deny, requires }]) => [
          action,
          { allow: named(allow, `${action}-allow`), deny: named(deny, `${action}-deny`), requires }
        ])
        return Object.fromEntries(rows) as Record<keyof typeof table, ActionRules<Folder, "read" | "edit">>
      })
      const isAllowed = (action: keyof typeof table, facts: Folder): boolean => {
        const { allow, deny, requires } = table[action]
        const isGranted = allow.length === 0 || allow.some((each) => holds(each, facts))
        return isGranted && !deny.some((each) => holds(each, facts)) && requires.every((each) => isAllowed(each, facts))
      }
      const onLoaded = policy("remove", rules.actions.remove.checks, layout)
      const prover = new Prover({
        vocabularies: { folder: vocabulary },
        actions: { remove: { on: "folder", policy: onLoaded as never } },
        classes: {},
        consistency: [],
        isAboutCaller: () => true,
        usual: {}
      })
      const proved = prover.allowed("remove")
      const { diagrams } = prover.space("folder")
      const query = rules.listObjects("remove", {}, page)
      const listed = new Set(
        database
          .prepare(query.text)
          .all()
          .map(({ place }) => place)
      )
      for (const [place, facts] of records.entries()) {
        const expected = isAllowed("remove", facts)
        const { decision, steps } = rules.explain("remove", facts)
        const results = [
          rules.check("remove", facts).allowed,
          rules.actions.remove.allows(facts),
          onLoaded.allows(loaded[place] as Loaded<Folder>),
          onLoaded.decide(loaded[place] as Loaded<Folder>).allowed,
          listed.has(place),
          decision.allowed,
          steps.every(({ passed }) => passed),
          diagrams.has(proved, facts)
        ]
        if (results.some((each) => each !== expected)) expect({ table, facts, results }).toBe(expected)
        cases++
        if (expected) allowedCases++
      }
    }
    database.close()
    expect(cases).toBe(100_080)
    expect(allowedCases).toBeGreaterThan(10_000)
  })
})
