import { afterAll, describe, expect, it } from "@effect/vitest"
import {
  type Condition,
  compile,
  countDistinct,
  distinctions,
  enumerate,
  factColumn,
  type Node,
  type Policy,
  passes,
  specialise,
  toSql,
  type Value,
  type Vocabulary
} from "@slipway/access"
import { type Action, actionNames, actions, listRules, policyOf, vocabularies } from "@slipway/domain/forge/access"
import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onOneEngine } from "../support/engines.ts"

type Facts = Readonly<Record<string, Value>>

/** Returns the same condition with facts of a type that the compiler does not check. */
const untyped = (condition: Node): Condition<Facts> => condition

/** Runs a statement and returns its single text. */
type Ask = (statement: string) => Promise<string>

const literal = (value: Value) => (typeof value === "string" ? `'${value}'` : String(value))
const arrayOf = (values: ReadonlyArray<Value>) =>
  `(array[${values.map(literal).join(",")}]${typeof values[0] === "string" ? "::text[]" : ""})`

/**
 * Returns a statement that enumerates the same fact records as `enumerate`, and evaluates the SQL translation on each.
 */
const sqlOf = (condition: Condition<Facts>, vocabulary: Vocabulary, step: number): string => {
  const facts = distinctions(condition, vocabulary)
  const count = countDistinct(condition, vocabulary)
  let divisor = 1
  const columns = facts.map(([name, values]) => {
    const column = `${arrayOf(values)}[(place / ${divisor}) % ${values.length} + 1] as ${factColumn(name)}`
    divisor *= values.length
    return column
  })
  return `select string_agg(case when ${toSql(condition)} then '1' else '0' end, '' order by place) as answers
       from (select ${["place", ...columns].join(", ")}
               from generate_series(0, ${count - 1}, ${step}) as places(place)) as facts`
}

const inDomain = (condition: Condition<Facts>, vocabulary: Vocabulary, step: number): string => {
  const holds = compile(condition)
  let answers = ""
  for (const facts of enumerate<Facts>(condition, vocabulary, {}, step)) answers += holds(facts) ? "1" : "0"
  return answers
}

const stride = (count: number, most: number): number => {
  let step = Math.ceil(count / most)
  while (step > 1 && [2, 3, 5, 7].some((prime) => step % prime === 0)) step++
  return Math.max(step, 1)
}

const rows = actionNames.map((name) => {
  const { checks, condition } = policyOf(name) as unknown as Policy<string, Facts>
  return { name, vocabulary: vocabularies[(actions[name] as Action).on] as Vocabulary, condition, checks }
})

onOneEngine(({ database }) => {
  const runtime = ManagedRuntime.make(database)
  afterAll(() => runtime.dispose())
  const ask: Ask = (statement) =>
    runtime.runPromise(
      Effect.map(
        Effect.flatMap(SqlClient, (sql) => sql.unsafe<{ answers: string | null }>(statement)),
        ([row]) => row?.answers ?? ""
      )
    )
  const inSql = (condition: Condition<Facts>, vocabulary: Vocabulary, step: number) =>
    ask(sqlOf(condition, vocabulary, step))

  it("the SQL of each check selects the same fact records as its evaluation in the process", async () => {
    const checks = new Map(
      rows.flatMap((row) =>
        row.checks.map((check) => {
          const condition = passes(check)
          return [JSON.stringify(condition), { id: check.id, condition, vocabulary: row.vocabulary }] as const
        })
      )
    )
    for (const { condition, id, vocabulary } of checks.values()) {
      expect((await inSql(condition, vocabulary, 1)) === inDomain(condition, vocabulary, 1), id).toBe(true)
    }
    expect(checks.size).toBeGreaterThan(50)
  }, 120_000)

  it("the SQL of each action selects the same fact records as its evaluation, in a uniform sample", async () => {
    const distinct = new Map(rows.map((row) => [JSON.stringify(row.condition), row]))
    for (const { condition, name, vocabulary } of distinct.values()) {
      const step = stride(countDistinct(condition, vocabulary), 2000)
      expect(await inSql(condition, vocabulary, step), name).toBe(inDomain(condition, vocabulary, step))
    }
  }, 120_000)

  it("the SQL of each list selects the same rows as its evaluation, also with known facts of the caller", async () => {
    const lists: ReadonlyArray<readonly [Condition<Facts>, Vocabulary]> = [
      [untyped(listRules.organization), vocabularies.organization],
      [untyped(listRules.organizationDirectory), vocabularies.organization],
      [untyped(listRules.team), vocabularies.team],
      [untyped(listRules.user), vocabularies.user],
      [untyped(listRules.repository), vocabularies.repository]
    ]
    const known: Facts = { signedIn: true, siteAdmin: false, restricted: false, publicOnly: false, actionsTask: false }
    for (const [condition, vocabulary] of lists) {
      for (const asked of [condition, specialise(condition, known)]) {
        const step = stride(countDistinct(asked, vocabulary), 20_000)
        expect(await inSql(asked, vocabulary, step)).toBe(inDomain(asked, vocabulary, step))
      }
    }
  }, 120_000)
})

describe("the SQL translation of the rules", () => {
  it("contains only fact names, listed words and numbers", () => {
    const fact = (name: string): Condition<Facts> => ({ op: "flag", fact: name })
    const word = (text: string): Condition<Facts> => ({ op: "is", fact: "visibility", word: text })
    expect(() => toSql(fact(`a" or true --`))).toThrow("cannot be part of an SQL condition")
    expect(() => toSql(word("x' or 'a'='a"))).toThrow("cannot be part of an SQL condition")
    expect(() => toSql(fact("a"), `x" join y`)).toThrow("cannot be part of an SQL condition")
    expect(toSql({ op: "all", of: [fact("a"), { op: "not", of: word("private") }] }, "r")).toBe(
      `("r"."a" and not ("r"."visibility" = 'private'))`
    )
  })
})
