import { describe, expect, it } from "@effect/vitest"
import {
  type Condition,
  compile,
  compileBits,
  countDistinct,
  distinctions,
  enumerate,
  Loaded,
  layoutOf,
  passes,
  specialise
} from "@slipway/access"
import {
  type AnyFacts,
  distinctRows,
  evaluateCondition,
  factsFor,
  rest,
  rows,
  stride
} from "../../../../../scripts/vitest/accessRows.ts"
import { isThorough, runs } from "../../../../../scripts/vitest/runs.ts"
import { decide } from "../../../src/forge/access/decide.ts"
import { anonymous } from "../../../src/forge/access/facts/defaultFacts.ts"
import {
  callerVocabulary,
  type RepositoryFacts,
  switchVocabulary,
  vocabularies
} from "../../../src/forge/access/facts/facts.ts"
import { load } from "../../../src/forge/access/load.ts"

const distinctChecks = [
  ...new Map(
    rows.flatMap((row) =>
      row.policy.checks.map((check) => [
        `${row.action.on} ${check.id} ${JSON.stringify(passes(check))}`,
        { name: `${row.action.on}: ${check.id}`, condition: passes(check), vocabulary: row.vocabulary }
      ])
    )
  ).values()
]

/** Every record that a condition can distinguish, or an even sample of them. */
const records = (condition: Condition<AnyFacts>, row: (typeof rows)[number], most: number) =>
  enumerate(condition, row.vocabulary, rest, stride(countDistinct(condition, row.vocabulary), most))

// An even sample if there are many; all of them in a thorough run.
describe("the checks, on all distinguishable records of facts", () => {
  for (const { condition, name, vocabulary } of distinctChecks) {
    it(`${name} decides as its data declares`, () => {
      const compiled = compile(condition)
      const layout = layoutOf(vocabulary)
      const onBits = compileBits(condition, layout)
      const count = countDistinct(condition, vocabulary)
      const step = stride(count, isThorough ? count : 10_000)
      let seen = 0
      for (const facts of enumerate(condition, vocabulary, rest, step)) {
        const expected = evaluateCondition(condition, facts)
        if (compiled(facts) !== expected) expect(facts, name).toBe("decided alike")
        if (onBits(new Loaded(layout, facts).bits) !== expected) expect(facts, name).toBe("decided alike on bits")
        seen++
      }
      expect(seen).toBe(Math.ceil(count / step))
    })
  }
})

describe("the actions", () => {
  it("are allowed exactly when their combined condition holds, and refused by the first failing check", () => {
    for (const row of distinctRows) {
      const steps = row.policy.checks.map((check) => ({ check, condition: passes(check) }))
      for (const facts of records(row.policy.condition, row, runs(500))) {
        const decision = row.policy.decide(facts)
        const failing = steps.find((step) => !evaluateCondition(step.condition, facts))
        expect(row.policy.allows(facts)).toBe(failing === undefined)
        expect(evaluateCondition(row.policy.condition, facts)).toBe(failing === undefined)
        if (decision.allowed) expect(failing).toBe(undefined)
        else {
          expect(decision.check).toBe(failing?.check.id)
          expect(decision.answer).toBe(failing?.check.answer)
          expect(decision.by.length).toBeGreaterThan(0)
        }
      }
    }
  })

  it("are decided the same if facts that are known before the query are applied first", () => {
    const early = Object.keys({ ...callerVocabulary, ...switchVocabulary })
    for (const row of distinctRows) {
      for (const facts of records(row.policy.condition, row, 300)) {
        const known = Object.fromEntries(early.map((fact) => [fact, facts[fact]])) as AnyFacts
        const left = specialise(row.policy.condition, known)
        expect(distinctions(left, row.vocabulary).filter(([fact]) => early.includes(fact))).toEqual([])
        expect(evaluateCondition(left, facts)).toBe(row.policy.allows(facts))
      }
    }
  })

  it("are monotone: a higher level or an additional role never removes an action", () => {
    const roles = [
      "siteAdmin",
      "organizationMember",
      "organizationOwner",
      "teamMember",
      "teamAdmin",
      "repositoryOwner",
      "self",
      "mayCreateRepositories",
      "mayCreateOrganizations",
      "mayEditGitHooks",
      "withPassword",
      "secondFactor"
    ]
    for (const row of distinctRows) {
      const raised = distinctions(row.policy.condition, row.vocabulary).flatMap(([fact, values]) => {
        const kind = row.vocabulary[fact]?.kind
        if (kind === "level") return values.slice(1).map((value) => [fact, value] as const)
        return roles.includes(fact) ? [[fact, true] as const] : []
      })
      for (const facts of records(row.policy.condition, row, 1500)) {
        if (!row.policy.allows(facts)) continue
        for (const [fact, value] of raised) {
          if (typeof value === "number" && value <= (facts[fact] as number)) continue
          if (!row.policy.allows({ ...facts, [fact]: value })) {
            expect({ action: row.name, fact, value, facts }).toBe("allowed still")
          }
        }
      }
    }
  })

  it("fail if a fact is missing or invalid", () => {
    const facts = factsFor(anonymous) as unknown as RepositoryFacts
    expect(() => load("repository", { ...facts, archived: undefined } as never)).toThrow("of the fact `archived`")
    expect(() => decide("repository.read", { ...facts, private: undefined } as never)).toThrow("of the fact `private`")
    expect(() => decide("repository.read", { ...facts, collaborator: 7 } as never)).toThrow(
      "of the fact `collaborator`"
    )
    expect(() => decide("repository.read", { ...facts, ownerVisibility: "open" } as never)).toThrow(
      "`open` is not a value"
    )
    expect(() => decide("repository.read", load("site", facts) as never)).toThrow("decided on facts other than these")
    expect(decide("repository.read", load("repository", facts)).allowed).toBe(true)
  })

  it("never read a fact that their resource type does not have", () => {
    for (const row of rows) {
      const known = Object.keys(vocabularies[row.action.on])
      for (const [fact] of distinctions(row.policy.condition, row.vocabulary)) expect(known, row.name).toContain(fact)
    }
  })

  it("allow an anonymous caller to read a public site wherever the specification names no guard", () => {
    const facts = factsFor(anonymous, { federation: true })
    const open = rows.filter((row) => row.action.access === "read" && row.policy.allows(facts)).map((row) => row.name)
    expect(open).toContain("organization.list")
    expect(open).toContain("repository.read")
    expect(open).toContain("repository.contents.read")
    expect(open).not.toContain("organization.member.list")
    expect(open.filter((name) => name.startsWith("admin.") || name.startsWith("account."))).toEqual([])
  })
})
