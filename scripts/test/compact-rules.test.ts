import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import type { Facts } from "@slipway/access"
import { type Action, actionNames, actions, policyOf, vocabularies } from "@slipway/domain/forge/access"
import { allows, decide } from "@slipway/domain/forge/rules"
import { file, source } from "../compact-rules.ts"

/** Generates numbers from 0 below a limit, always the same ones. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const valueOf = (fact: Facts.Fact, pick: (below: number) => number) =>
  fact.kind === "flag"
    ? pick(2) === 1
    : fact.kind === "word"
      ? fact.words[pick(fact.words.length)]
      : pick(fact.levels.length)

describe("the compact rules", () => {
  it("match the tables; `npm run access-tables` writes them", () => {
    expect(readFileSync(file, "utf8")).toBe(source())
  })

  it("decide every action like the full rules, with the same rules and answers", () => {
    const pick = numbers(7)
    let allowed = 0
    for (const name of actionNames) {
      const { on }: Action = actions[name]
      for (let n = 0; n < 30; n++) {
        const made = Object.entries(vocabularies[on]).map(([fact, says]) => [fact, valueOf(says, pick)])
        // Few random records pass the first steps, so half of the records satisfy them.
        const easy = { signedIn: true, publicOnly: false, siteAdmin: true, found: true }
        const facts = { ...Object.fromEntries(made), ...(n % 2 === 0 ? easy : {}) }
        const decision = decide(name, facts as never)
        if (decision.allowed) allowed++
        expect(decision, name).toEqual(policyOf(name).decide(facts as never))
      }
    }
    expect(allowed).toBeGreaterThan(2_000)
  })

  it("report an unknown action or fact", () => {
    // @ts-expect-error an unknown action
    expect(() => decide("git.bush", {})).toThrow("`git.bush` is not an action")
    // @ts-expect-error facts that are missing
    expect(() => allows("git.push", {})).toThrow(/^the fact `\w+` is missing$/)
  })
})
