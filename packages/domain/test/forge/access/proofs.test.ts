import { describe, expect, it } from "@effect/vitest"
import { type Condition, factsIn, Level, type Node, passes, specialise } from "@slipway/access"
import { always, never, Prover, parseStatements, prove } from "@slipway/access/proof"
import {
  type Action,
  type ActionName,
  actionNames,
  actions,
  isAboutCaller,
  listRules,
  notFound,
  policyOf,
  scopeFacts,
  switchVocabulary,
  theoryOf,
  unitFacts
} from "@slipway/domain/forge/access"
import { needsGrant, type RepositoryActionFacts, reachedRepositories, withoutGrants } from "@slipway/domain/forge/code"
import { gates } from "../../../../../scripts/vitest/accessRows.ts"

const theory = theoryOf()
const prover = new Prover(theory)

/** Returns the false cases of statements about the forge's rules. */
const failing = (text: string) =>
  parseStatements(text, theory).map((statement) => prove(prover, statement).failing.slice(0, 3))

const all = (statements: ReadonlyArray<string>) => failing(statements.join("\n")).flat()

/** One action of each group with the same condition. */
const distinct: ReadonlyArray<ActionName> = [
  ...new Map(actionNames.map((name) => [policyOf(name).condition, name])).values()
]

const uses = (name: ActionName, fact: string) =>
  (factsIn(policyOf(name).condition) as ReadonlyArray<string>).includes(fact)

const spaceOf = (name: ActionName) => prover.space(actions[name].on)

describe("for all possible records of facts", () => {
  it("I1: a token without the scope of an action is rejected", () => {
    const statements = actionNames.flatMap((name) =>
      actions[name].scope.map((category) => `prove never not ${scopeFacts[category]}>=${actions[name].access} ${name}`)
    )
    expect(statements.length).toBeGreaterThan(550)
    expect(all(statements)).toEqual([])
  })

  it("I4: a public-only token reads what an anonymous caller reads, except data about the caller", () => {
    const reads = actionNames.filter((name) => actions[name].access === "read")
    const about = reads.filter((name) => actions[name].publicOnly === "self")
    expect(
      all(reads.filter((name) => !about.includes(name)).map((name) => `prove public-only implies anonymous on ${name}`))
    ).toEqual([])
    // The statement is not true for every action, so that the proof can fail.
    expect(failing("prove public-only implies anonymous on account.read")).toEqual([["account.read"]])
  })

  it("I4: a public-only token has no access to private and limited resources", () => {
    const onRepositories = actionNames.filter((name) => Object.hasOwn(spaceOf(name).vocabulary, "private"))
    expect(onRepositories.length).toBeGreaterThan(200)
    expect(
      failing(`
        prove never (public-only and (private or not ownerVisibility=public)) ${onRepositories.join(", ")}
      `)
    ).toEqual([[]])
  })

  it("I5: a wider scope allows everything that a narrower scope allows", () => {
    for (const name of distinct) {
      const { diagrams } = spaceOf(name)
      const allowed = prover.allowed(name)
      for (const fact of Object.values(scopeFacts).filter((each) => uses(name, each))) {
        const at = (level: number) =>
          diagrams.some(diagrams.all(allowed, diagrams.withValues({ [fact]: level })), (each) => each === fact)
        for (const level of [0, 1]) {
          expect(diagrams.all(at(level), diagrams.not(at(level + 1))), `${name} ${fact} ${level}`).toBe(never)
        }
      }
    }
  })

  it("I5: no token creates tokens, and only a token with the admin scope acts for other users", () => {
    expect(
      failing(`
        prove never not withPassword user.token.*
        prove never (sudo and (not administrator or public-only or not scopeAdmin>=write)) site.enter
      `)
    ).toEqual([[], []])
  })

  it("I9: every action gives the same response for a hidden resource as for a missing one", () => {
    let checked = 0
    for (const name of actionNames) {
      const gate = gates[actions[name].on]
      if (gate === undefined) continue
      const space = spaceOf(name)
      const { checks } = policyOf(name)
      const seen = checks.filter(({ id }) => gate.includes(id)).map((check) => space.of(passes(check) as Node))
      const hidden = space.possibly(space.diagrams.not(space.diagrams.all(...seen)))
      expect(space.diagrams.all(hidden, prover.allowed(name)), name).toBe(never)
      let before = hidden
      for (const check of checks) {
        const passing = space.of(passes(check) as Node)
        const isEarly = check.stage === "scope" || (check.stage === "sign-in" && actions[name].signInFirst)
        if (!isEarly && JSON.stringify(check.answer) !== JSON.stringify(notFound)) {
          expect(space.diagrams.all(before, space.diagrams.not(passing)), `${name} ${check.id}`).toBe(never)
        }
        before = space.diagrams.all(before, passing)
        checked++
      }
    }
    expect(checked).toBeGreaterThan(2_000)
  })

  it("I10: a list shows exactly the rows that a single read shows", () => {
    const differences = (condition: Condition<never>, name: ActionName, given: Node = { op: "all", of: [] }) => {
      const space = spaceOf(name)
      const [one, other] = [space.diagrams.of(condition), prover.allowed(name)]
      const scopes = actions[name].scope.map(
        (category): Node => ({ op: "atLeast", fact: scopeFacts[category], level: 1 })
      )
      const callers = space.possibly(space.diagrams.of({ op: "all", of: [...scopes, given] }))
      const { diagrams } = space
      return [diagrams.all(callers, one, diagrams.not(other)), diagrams.all(callers, other, diagrams.not(one))]
    }
    expect(differences(listRules.repository as Condition<never>, "repository.read")).toEqual([never, never])
    expect(differences(listRules.user as Condition<never>, "user.read")).toEqual([never, never])
    expect(differences(listRules.organization as Condition<never>, "organization.read")).toEqual([never, never])
    const members: Node = {
      op: "all",
      of: [
        { op: "flag", fact: "organizationMember" },
        { op: "not", of: { op: "flag", fact: "publicOnly" } }
      ]
    }
    expect(differences(listRules.team as Condition<never>, "team.read", members)).toEqual([never, never])
  })

  it("I10: on a repository without a grant, an action is decided as without teams", () => {
    const onRepositories = actionNames.filter((name) => (actions[name] as Action).on === "repository")
    const space = prover.space("repository")
    const { diagrams } = space
    const ungranted = diagrams.not(space.of(reachedRepositories))
    let needed = 0
    for (const name of onRepositories) {
      const condition = policyOf(name).condition as unknown as Condition<RepositoryActionFacts>
      const [own, rest] = [space.of(condition), space.of(withoutGrants(condition))]
      expect(space.possibly(ungranted, own, diagrams.not(rest)), name).toBe(never)
      const ordinaryCaller = specialise(condition, { siteAdmin: false, actionsTask: false } as object)
      if (needsGrant(ordinaryCaller)) needed++
    }
    expect(onRepositories.length).toBeGreaterThan(200)
    expect(needed).toBeGreaterThan(90)
  })

  it("I11: the visibility of an organization guards everything below it", () => {
    const below = actionNames.filter((name) => Object.hasOwn(spaceOf(name).vocabulary, "organizationVisibility"))
    expect(below.length).toBeGreaterThan(50)
    expect(
      failing(`
        class outsider = not administrator and not owner and not organizationMember
        prove never (outsider and organizationVisibility=private) ${below.join(", ")}
        prove never (outsider and anonymous and organizationVisibility=limited) ${below.join(", ")}
      `).flat()
    ).toEqual([])
  })

  it("I12: every way to create a repository in an organization asks for the same permission", () => {
    const creating = actionNames.filter((name) =>
      [...actions[name].guards, ...actions[name].asks].some((guard) => guard === "may-create-repository")
    )
    expect(creating).toEqual(["organization.repository.create", "organization.repository.create-deprecated"])
    expect(
      all(
        creating.map((name) => `prove never not (administrator or organizationOwner or mayCreateRepositories) ${name}`)
      )
    ).toEqual([])
  })

  it("I13: a higher level allows everything that a lower level allows", () => {
    const levels = ["collaborator", "taskLevel", ...Object.values(unitFacts).map(({ team }) => team)]
    for (const name of distinct) {
      const { diagrams } = spaceOf(name)
      const allowed = prover.allowed(name)
      for (const fact of levels.filter((each) => uses(name, each))) {
        const at = (level: number) =>
          diagrams.some(diagrams.all(allowed, diagrams.withValues({ [fact]: level })), (each) => each === fact)
        for (const level of [Level.none, Level.read, Level.write, Level.admin]) {
          expect(diagrams.all(at(level), diagrams.not(at(level + 1))), `${name} ${fact} ${level}`).toBe(never)
        }
      }
    }
  })

  it("I13: the write level does not include admin, and the admin level does not include owner", () => {
    const named = (guard: string) =>
      actionNames.filter(
        (name) => actions[name].on === "repository" && (actions[name].guards as ReadonlyArray<string>).includes(guard)
      )
    const [administered, owned] = [named("repo-admin"), named("repo-owner")]
    expect([administered.length, owned.length]).toEqual([48, 15])
    expect(
      failing(`
        class manager = administrator or owner or taskLevel>=admin
        prove never not (manager or teamAdmin or collaborator>=admin) ${administered.join(", ")}
        prove never not (administrator or owner or taskLevel>=owner or collaborator>=owner) ${owned.join(", ")}
      `)
    ).toEqual([[], []])
  })

  it("every rule decides at least one possible record of facts", () => {
    expect(failing("prove live *")).toEqual([[]])
  })

  it("every action is allowed for some caller, and only an action without checks is allowed for all", () => {
    for (const name of actionNames) {
      const { diagrams, possible } = spaceOf(name)
      expect(diagrams.all(possible, prover.allowed(name)), name).not.toBe(never)
      expect(prover.allowed(name) === always, name).toBe(
        actions[name].scope.length === 0 && policyOf(name).checks.length === 0
      )
    }
  })
})

describe("the facts of a repository", () => {
  it("describe either the caller, or the resource and the site", () => {
    const facts = Object.keys(theory.vocabularies.repository ?? {})
    expect(facts.filter((fact) => !isAboutCaller(fact) && !fact.startsWith("unit"))).toEqual([
      ...Object.keys(switchVocabulary),
      "private",
      "ownerVisibility",
      "archived",
      "mirror",
      "blockedByOwner"
    ])
  })
})
