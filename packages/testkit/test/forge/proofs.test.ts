import { describe, expect, it } from "@effect/vitest"
import { type Condition, compile, factsIn } from "@slipway/access"
import { Prover, parseStatements, prove } from "@slipway/access/proof"
import { consistency, PolicySet, theoryOf } from "@slipway/domain/forge/access"
import {
  askersOf,
  checkScenarios,
  factsOf,
  parseScenarios,
  resourceKindsIn,
  resourcesIn,
  scenarioLines
} from "@slipway/testkit/access"
import { dice, randomWorld } from "@slipway/testkit/forge"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"

const theory = theoryOf()
const prover = new Prover(theory)
type Facts = Readonly<Record<string, unknown>>

const counterexampleOf = (text: string): string => {
  const [statement] = parseStatements(text, theory)
  if (statement === undefined) throw new Error("no statement")
  return scenarioLines(prover, prove(prover, statement)).join("\n")
}

describe("the relations between facts", () => {
  it("hold in random worlds, for every caller and resource", () => {
    const rules = consistency.map(({ id, on, when }) => ({
      id,
      on,
      facts: factsIn(when as unknown as Condition<Facts>) as ReadonlyArray<string>,
      holds: compile(when as unknown as Condition<Facts>)
    }))
    const random = dice(seed)
    const applied = new Set<string>()
    for (let round = 0; round < runs(6); round++) {
      const { world } = randomWorld(random, "small")
      for (const kind of resourceKindsIn(world)) {
        for (const things of resourcesIn(world, kind)) {
          for (const asker of [
            ...askersOf(world),
            { name: "bob", token: ["read:repository", "public-only"] as const }
          ]) {
            const facts: Facts = factsOf(world, asker, kind, things)
            for (const { facts: used, holds, id, on } of rules) {
              if (on !== undefined && on !== kind) continue
              if (!used.every((fact) => Object.hasOwn(facts, fact))) continue
              applied.add(id)
              if (!holds(facts)) expect({ asker, kind, things, broken: id }).toBe("consistent")
            }
          }
        }
      }
    }
    expect(applied.size).toBeGreaterThan(90)
  })
})

describe("a counterexample", () => {
  it("is a scenario that states the smallest contradiction", () => {
    expect(counterexampleOf("prove never anonymous repository.read")).toBe(
      [
        "organization acme",
        "repository acme/site",
        "anonymous repository.read acme/site -> allowed by repository.public"
      ].join("\n")
    )
    expect(counterexampleOf("prove never (not signed-in or public-only) pull.review.submit")).toBe(
      [
        "user ann",
        "organization acme",
        "repository acme/site",
        "review acme/site#1 reviewer=ann",
        "ann with all, public-only pull.review.submit acme/site#1 -> allowed by review.reviewer pull.unlocked"
      ].join("\n")
    )
    expect(counterexampleOf("prove equal repository.edit repository.delete")).toBe(
      [
        "user ann",
        "organization acme",
        "repository acme/site",
        "collaborator ann admin acme/site",
        "ann repository.edit acme/site -> allowed by repository.collaborator",
        "ann repository.delete acme/site -> 403 by repo-owner"
      ].join("\n")
    )
    expect(counterexampleOf("prove signed-in implies anonymous on repository.read")).toBe(
      [
        "user ann",
        "organization acme limited",
        "repository acme/site",
        "ann repository.read acme/site -> allowed by repository.public",
        "anonymous repository.read acme/site -> 404 by repo-visible"
      ].join("\n")
    )
    expect(counterexampleOf("prove dead repository.mirror")).toBe(
      [
        "user ann",
        "repository ann/site mirror",
        "ann repository.merge-upstream ann/site -> 423 by repository.mirror"
      ].join("\n")
    )
    expect(counterexampleOf("prove repository.edit implies repository.read")).toBe("")
  })

  it("lists the facts as comments if no scenario can express them", () => {
    expect(counterexampleOf("prove never job repository.read")).toBe(
      [
        "# the caller is a job of the actions service",
        "# the caller did not sign in with a password",
        "# repository.read -> allowed by repository.public"
      ].join("\n")
    )
    // Resources of the two callers differ: one of them owns the repository.
    expect(counterexampleOf("prove member implies owner on repository.subscription.add")).toMatch(
      /^# the caller is a member/
    )
  })

  it("is confirmed by a run without stores, for every action and class of callers that a scenario can name", () => {
    let stated = 0
    const unstated: Array<string> = []
    const classes = ["anonymous", "signed-in", "public-only", "restricted", "member", "owner", "administrator"]
    for (const [action, { on }] of Object.entries(theory.actions)) {
      if (action === "site.enter") continue
      for (const name of classes) {
        const needs = name === "member" || name === "owner" ? "organizationMember" : "signedIn"
        if (!Object.hasOwn(theory.vocabularies[on] ?? {}, needs)) continue
        const text = counterexampleOf(`prove never ${name} ${action}`)
        if (text === "") continue
        if (text.startsWith("#")) unstated.push(`${name} ${action}`)
        else {
          expect(
            checkScenarios(parseScenarios(text)).every(({ passed }) => passed),
            text
          ).toBe(true)
          stated++
        }
      }
    }
    // No scenario can lend a branch, or permit a user to edit git hooks.
    expect(unstated).toEqual([
      "member git.push",
      "owner repository.git-hook.list",
      "owner repository.git-hook.read",
      "owner repository.git-hook.edit",
      "owner repository.git-hook.delete"
    ])
    expect(stated).toBeGreaterThan(2_900)
  })

  it("can name custom resources", () => {
    const policy = PolicySet.builtIn
      .withKind("printer", { reserved: { kind: "flag", yes: "reserved", no: "free" } })
      .withAction("printer.use", {
        on: "printer",
        summary: "Print a page",
        access: "write",
        scope: ["misc"],
        guards: ["sign-in"],
        grants: [{ id: "printer.reserved", when: ({ flag }) => flag("reserved"), because: "it is reserved" }]
      })
    const custom = new Prover(theoryOf(policy.rulebook))
    const [statement] = parseStatements("prove never signed-in printer.use", custom.theory)
    if (statement === undefined) throw new Error("no statement")
    const proof = prove(custom, statement)
    expect(scenarioLines(custom, proof, policy)).toEqual([
      "user ann",
      "printer some reserved",
      "ann printer.use some -> allowed by printer.reserved"
    ])
    expect(proof.counterexample.map(({ action }) => action)).toEqual(["printer.use"])
  })
})
