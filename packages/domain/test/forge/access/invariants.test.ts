import { describe, expect, it } from "@effect/vitest"
import { compile, countDistinct, enumerate, Level, levels, parseLevel, passes } from "@slipway/access"
import {
  type AnyFacts,
  asAnonymous,
  distinctRows,
  factsFor,
  gates,
  rest,
  rows,
  stride,
  withoutGrants
} from "../../../../../scripts/vitest/accessRows.ts"
import { admit } from "../../../src/forge/access/admit.ts"
import { notFound } from "../../../src/forge/access/answers.ts"
import { decide } from "../../../src/forge/access/decide.ts"
import { explain } from "../../../src/forge/access/explain.ts"
import { anonymous, ordinary, scopeAsFacts } from "../../../src/forge/access/facts/defaultFacts.ts"
import {
  type RepositoryFacts,
  repositoryVocabulary,
  type SiteFacts,
  userVocabulary
} from "../../../src/forge/access/facts/facts.ts"
import {
  fullScope,
  isWithin,
  mintScope,
  normaliseScope,
  type ScopeWord,
  scopeOf,
  scopeWords,
  wordsOf
} from "../../../src/forge/access/facts/Scope.ts"
import { externalUnits, unitKeys } from "../../../src/forge/access/facts/Unit.ts"
import { repositoryLevel, unitLevel } from "../../../src/forge/access/levels.ts"
import { listRules } from "../../../src/forge/access/lists.ts"

const repository = (over: Partial<RepositoryFacts> = {}) =>
  factsFor(ordinary, over as AnyFacts) as unknown as RepositoryFacts

const sample = (row: (typeof rows)[number], most: number, over: AnyFacts = {}) =>
  enumerate(
    row.policy.condition,
    row.vocabulary,
    { ...rest, ...over },
    stride(countDistinct(row.policy.condition, row.vocabulary), most)
  )

describe("I4: a public-only token reads a subset of what an anonymous caller reads", () => {
  it("for every read that is not about the caller", () => {
    let allowed = 0
    for (const row of distinctRows) {
      if (row.action.access !== "read" || row.action.publicOnly === "self") continue
      for (const each of sample(row, 6000)) {
        const facts = {
          ...each,
          publicOnly: true,
          signedIn: true,
          withPassword: false,
          actionsTask: false,
          taskLevel: 0
        }
        if (!row.policy.allows(facts)) continue
        allowed++
        if (!row.policy.allows(asAnonymous(facts))) expect({ action: row.name, facts }).toBe("readable by everyone")
      }
    }
    expect(allowed).toBeGreaterThan(1000)
  })

  it("only the listed actions are reads about the caller", () => {
    const about = rows.filter((row) => row.action.access === "read" && row.action.publicOnly === "self")
    expect(about.map((row) => row.name)).toEqual([
      "account.organization.list",
      "account.team.list",
      "account.read",
      "account.summary.read",
      "account.follower.list",
      "account.following.list",
      "account.following.check",
      "account.repository.list",
      "account.starred.list",
      "account.starred.check",
      "account.milestone.list",
      "account.subscription.list",
      "token.read",
      "repository.subscription.read",
      "issue.subscription.check"
    ])
  })

  it("a public-only token never reaches a private or limited resource, even for a site administrator", () => {
    const closed: ReadonlyArray<AnyFacts> = [
      { organizationVisibility: "limited" },
      { organizationVisibility: "private" },
      { userVisibility: "limited" },
      { userVisibility: "private" },
      { ownerVisibility: "limited" },
      { ownerVisibility: "private" },
      { private: true }
    ]
    for (const row of rows) {
      for (const over of closed) {
        const [fact] = Object.keys(over) as [string]
        if (!(fact in row.vocabulary) || !row.policy.checks.some((check) => check.id === "public-only")) continue
        const facts = factsFor({ ...ordinary, siteAdmin: true, publicOnly: true }, over)
        expect(row.policy.allows(facts), `${row.name} ${fact}`).toBe(false)
      }
    }
  })
})

describe("I5: a created token is within the scope of its creator", () => {
  const some: ReadonlyArray<ReadonlyArray<ScopeWord>> = [
    [],
    ["all"],
    ["public-only"],
    ["all", "public-only"],
    ...scopeWords.map((word): ReadonlyArray<ScopeWord> => [word]),
    ["write:repository", "read:user"],
    ["read:repository", "public-only"]
  ]

  it("for every requested and every available scope", () => {
    for (const asked of some) {
      for (const held of some) {
        const minted = mintScope(asked, scopeOf(held))
        expect(isWithin(minted, scopeOf(held)), `${asked} through ${held}`).toBe(true)
        expect(isWithin(minted, mintScope(asked, fullScope))).toBe(true)
      }
    }
  })

  it("a wider scope allows everything that a narrower scope allows", () => {
    for (const row of distinctRows) {
      const facts = factsFor({ ...ordinary, siteAdmin: true }, { federation: true, gitHooks: true })
      for (const inner of some) {
        for (const outer of some) {
          if (!isWithin(scopeOf(inner), scopeOf(outer))) continue
          if (row.policy.allows({ ...facts, ...scopeAsFacts(scopeOf(inner)) })) {
            expect(row.policy.allows({ ...facts, ...scopeAsFacts(scopeOf(outer)) }), row.name).toBe(true)
          }
        }
      }
    }
  })

  it("no token can create tokens, regardless of how the token is sent", () => {
    const token = factsFor({ ...ordinary, siteAdmin: true, withPassword: false }, { self: true })
    for (const action of ["user.token.list", "user.token.create", "user.token.delete"] as const) {
      expect(decide(action, token as never)).toMatchObject({
        allowed: false,
        answer: { status: 401, message: "auth required" }
      })
      expect(decide(action, { ...token, withPassword: true } as never).allowed).toBe(true)
    }
  })

  it("sudo requires an administrator's password, or an administrator's token with the scope write:admin", () => {
    const asks = (over: AnyFacts) => admit(factsFor({ ...ordinary, sudo: true }, over) as unknown as SiteFacts)
    const refusal = { allowed: false, answer: { status: 403, message: "Only administrators allowed to sudo." } }
    expect(asks({ siteAdmin: true }).allowed).toBe(true)
    expect(asks({})).toMatchObject(refusal)
    expect(admit(factsFor({ ...anonymous, sudo: true }) as unknown as SiteFacts)).toMatchObject(refusal)
    for (const words of some) {
      const scope = scopeOf(words)
      const sudo = asks({ siteAdmin: true, withPassword: false, ...scopeAsFacts(scope) }).allowed
      expect(sudo, String(words)).toBe(scope.levels.admin === 2 && !scope.publicOnly)
    }
  })

  it("every set of scope words has exactly one normal form", () => {
    for (const words of some) {
      expect(scopeOf(normaliseScope(words))).toEqual(scopeOf(words))
      expect(normaliseScope(normaliseScope(words))).toEqual(normaliseScope(words))
    }
    expect(normaliseScope(["read:user", "write:user", "read:issue"])).toEqual(["read:issue", "write:user"])
    expect(normaliseScope(["read:user", "all", "public-only"])).toEqual(["all", "public-only"])
    expect(wordsOf(fullScope)).toEqual(["all"])
  })
})

describe("I9: a hidden resource gets the same answer as a missing one", () => {
  it("with the same status and text on every action, and without reasons", () => {
    const outsiders: ReadonlyArray<AnyFacts> = [
      factsFor(anonymous),
      factsFor(ordinary),
      factsFor({ ...ordinary, withPassword: false, publicOnly: true }),
      factsFor({ ...ordinary, restricted: true })
    ]
    const hidden = {
      organizationVisibility: "private",
      userVisibility: "private",
      ownerVisibility: "private",
      private: true,
      teamVisibility: "private"
    }
    for (const row of rows) {
      if (gates[row.action.on] === undefined) continue
      for (const outsider of outsiders) {
        const facts = { ...outsider, ...hidden }
        const decision = row.policy.decide(facts)
        if (decision.allowed) throw new Error(`${row.name} shows a hidden thing`)
        // No resource is loaded yet when authentication is checked first.
        if (decision.check === "sign-in" && row.action.signInFirst) continue
        expect(decision.answer, row.name).toBe(notFound)
        const explained = explain(row.name, facts as never)
        expect(explained.steps, row.name).toEqual([])
        expect(explained.answer).toBe(notFound)
      }
    }
  })

  it("before authentication is required, so that 401 never reveals a resource", () => {
    for (const row of rows) {
      const gate = gates[row.action.on]
      if (gate === undefined || row.action.signInFirst) continue
      const ids = row.policy.checks.map((check) => check.id)
      for (const id of gate) {
        expect(ids, row.name).toContain(id)
        if (ids.includes("sign-in")) expect(ids.indexOf(id), row.name).toBeLessThan(ids.indexOf("sign-in"))
        if (ids.includes("public-only")) expect(ids.indexOf(id), row.name).toBeLessThan(ids.indexOf("public-only"))
      }
    }
  })
})

describe("I10: a list shows exactly the rows that a single read would show", () => {
  const alike = (
    name: string,
    condition: Parameters<typeof compile<AnyFacts>>[0],
    vocabulary: Parameters<typeof enumerate>[1],
    row: (typeof rows)[number] | undefined
  ) => {
    const lists = compile(condition)
    let shown = 0
    for (const facts of enumerate(condition, vocabulary, rest)) {
      expect(lists(facts), name).toBe(row?.policy.allows(facts))
      if (lists(facts)) shown++
    }
    expect(shown).toBeGreaterThan(10)
  }
  const named = (name: string) => rows.find((row) => row.name === name)

  it("for repositories, users and organizations", () => {
    alike("repository", listRules.repository as never, repositoryVocabulary, named("repository.read"))
    alike("user", listRules.user as never, userVocabulary, named("user.read"))
    alike(
      "organization",
      listRules.organization as never,
      named("organization.read")?.vocabulary ?? {},
      named("organization.read")
    )
  })

  it("for teams, if the caller is a member of the organization", () => {
    const team = named("team.read")
    const lists = compile(listRules.team as never as Parameters<typeof compile<AnyFacts>>[0])
    for (const facts of enumerate(listRules.team as never, team?.vocabulary ?? {}, rest)) {
      if (facts.organizationMember !== true || facts.publicOnly === true) continue
      expect(lists(facts)).toBe(team?.policy.allows({ ...facts, signedIn: true }))
    }
  })
})

describe("I11: the visibility of an organization guards everything below it", () => {
  it("for every caller who cannot see it", () => {
    for (const row of rows) {
      if (row.action.on !== "organization" && row.action.on !== "organizationUser") continue
      const sees = row.policy.checks.find((check) => check.id === "org-visible")
      if (sees === undefined) throw new Error(`${row.name} doesn't ask for the organization's visibility`)
      const seen = compile(passes(sees))
      for (const facts of sample(row, 3000)) {
        if (seen(facts)) continue
        const decision = row.policy.decide(facts)
        if (decision.allowed) expect({ action: row.name, facts }).toBe("refused")
        else if (decision.check !== "scope") expect(decision.answer, row.name).toBe(notFound)
      }
    }
  })
})

describe("I13: levels are a closed list, and no caller gets more than granted", () => {
  it("an unknown word is not a level", () => {
    for (const word of ["", "root", "Owner", "5", "constructor", "write "]) expect(parseLevel(word)).toBe(undefined)
    expect(["none", "read", "write", "admin", "owner"].map(parseLevel)).toEqual([0, 1, 2, 3, 4])
  })

  it("a level includes every lower level", () => {
    for (const collaborator of levels) {
      for (const teamCode of levels) {
        const facts = repository({ private: true, collaborator, teamCode, teamAny: teamCode })
        // A team cannot grant ownership of a unit.
        expect(unitLevel(facts, "repo.code")).toBe(Math.min(Math.max(collaborator, teamCode), Level.admin))
        expect(repositoryLevel(facts)).toBe(Math.max(collaborator, Math.min(teamCode, Level.write)))
      }
    }
  })

  it("the write level does not include admin, and the admin level does not include owner", () => {
    const writer = repository({ collaborator: Level.write, teamAny: Level.write, teamCode: Level.write })
    const admin = repository({ collaborator: Level.admin, teamAdmin: true })
    for (const row of rows.filter((each) => each.action.on === "repository")) {
      const guards: ReadonlyArray<string> = row.action.guards
      if (guards.includes("repo-admin")) expect(row.policy.allows(writer as unknown as AnyFacts), row.name).toBe(false)
      if (guards.includes("repo-owner")) expect(row.policy.allows(admin as unknown as AnyFacts), row.name).toBe(false)
    }
    expect(decide("repository.edit", admin).allowed).toBe(true)
    expect(decide("repository.contents.change", writer).allowed).toBe(true)
  })

  it("external units are at most readable, even for owners", () => {
    for (const unit of unitKeys) {
      const level = unitLevel(repository({ repositoryOwner: true }), unit)
      expect(level, unit).toBe(externalUnits.includes(unit) ? Level.read : Level.admin)
    }
  })

  it("permission on one unit does not grant another", () => {
    const issues = repository({ private: true, teamIssues: Level.write, teamAny: Level.write })
    expect(unitLevel(issues, "repo.issues")).toBe(Level.write)
    expect(unitLevel(issues, "repo.code")).toBe(Level.none)
    expect(decide("repository.contents.read", issues)).toMatchObject({ allowed: false, check: "R:code" })
  })

  it("a caller without a grant has no permission on a private repository", () => {
    for (const caller of [anonymous, ordinary]) {
      const facts = factsFor(caller, { private: true }, withoutGrants) as unknown as RepositoryFacts
      expect(repositoryLevel(facts)).toBe(Level.none)
    }
  })
})
