import { describe, expect, it } from "@effect/vitest"
import { type Check, type Condition, compile, Level, passes } from "@slipway/access"
import { type AnyFacts, distinctRows } from "../../../../../scripts/vitest/accessRows.ts"
import { entering, levelOn, listing, listingUnit, passing, units } from "../../../../../scripts/vitest/oracle.ts"
import { refused } from "../../../../../scripts/vitest/refusals.ts"
import { admit } from "../../../src/forge/access/admit.ts"
import { entryAnswers } from "../../../src/forge/access/answers.ts"
import {
  anonymous,
  newSiteSwitches,
  noGrants,
  noMembership,
  noPackageGrants,
  noTeamMembership,
  ordinary
} from "../../../src/forge/access/facts/defaultFacts.ts"
import { type RepositoryFacts, type SiteFacts, vocabularies } from "../../../src/forge/access/facts/facts.ts"
import {
  emptyScope,
  fullScope,
  isWithin,
  mintScope,
  narrowScope,
  parseScopeWord,
  scopeCategories,
  scopeLevelWords,
  scopeOf,
  scopeWords,
  wordsOf
} from "../../../src/forge/access/facts/Scope.ts"
import { parseTeamVisibility } from "../../../src/forge/access/facts/TeamVisibility.ts"
import {
  everyUnit,
  externalUnits,
  isAdminUnits,
  levelOfUnits,
  normaliseUnits,
  parseUnit,
  type Units,
  unitKeys
} from "../../../src/forge/access/facts/Unit.ts"
import { guardChecks } from "../../../src/forge/access/guards/table.ts"
import { missingItem } from "../../../src/forge/access/items.ts"
import { repositoryLevel, unitLevel } from "../../../src/forge/access/levels.ts"
import { listedInDirectory, listedUnit, listRules } from "../../../src/forge/access/lists.ts"
import { entryStages } from "../../../src/forge/access/order.ts"

type Checks = Readonly<Record<string, ReadonlyArray<Check<AnyFacts>>>>

const units10 = Object.keys(units) as ReadonlyArray<keyof typeof units>

/** Returns pseudorandom numbers below one, the same in each run. */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Facts that are mostly off and low, so that a rule which allows access is often the only one. */
const worlds: ReadonlyArray<AnyFacts> = (() => {
  const random = numbers(7)
  const vocabulary = Object.assign({}, ...Object.values(vocabularies)) as Readonly<
    Record<string, { readonly kind: string }>
  >
  const pick = <T>(values: ReadonlyArray<T>) => values[Math.floor(random() * values.length)] as T
  const valueOf = (fact: string, kind: string) => {
    if (fact.startsWith("scope")) return random() < 0.6 ? 2 : pick([0, 1, 2])
    if (fact.endsWith("Visibility")) return pick(["public", "limited", "private"])
    if (kind === "flag")
      return random() < (/^unit|^(signedIn|found|withPassword|signatureValid)$/.test(fact) ? 0.7 : 0.2)
    return random() < 0.7 ? 0 : pick([0, 1, 2, 3, 4])
  }
  return Array.from({ length: 1000 }, () =>
    Object.fromEntries(Object.entries(vocabulary).map(([fact, { kind }]) => [fact, valueOf(fact, kind)]))
  )
})()

/** Compares a decision with the second implementation of its rule in every world, and expects both results to occur. */
const agree = (name: string, decides: (facts: AnyFacts) => boolean, reading: (facts: AnyFacts) => unknown) => {
  let yes = 0
  for (const facts of worlds) {
    const expected = Boolean(reading(facts))
    if (decides(facts) !== expected) expect({ name, facts, decided: !expected }).toBe(`decided ${expected}`)
    if (expected) yes++
  }
  expect(yes, name).toBeGreaterThan(0)
}

const decides = <F>(condition: Condition<F>) => compile(condition) as unknown as (facts: AnyFacts) => boolean

describe("a second implementation of the specification agrees with the tables", () => {
  it("about each guard on each resource type", () => {
    const seen = new Set<string>()
    for (const [kind, guards] of Object.entries(guardChecks)) {
      for (const [guard, checks] of Object.entries(guards as unknown as Checks)) {
        const each = checks.map((check) => decides(passes(check)))
        const reading = passing[guard]
        if (reading === undefined) {
          throw new Error(`add the guard \`${guard}\` to \`passing\` in scripts/vitest/oracle.ts`)
        }
        agree(`${kind}: ${guard}`, (facts) => each.every((passes) => passes(facts)), reading)
        seen.add(guard)
      }
    }
    expect(
      [...seen].sort(),
      "guards of packages/domain/src/forge/access/guards and of `passing` in scripts/vitest/oracle.ts differ"
    ).toEqual(Object.keys(passing).sort())
  })

  it("about each level on a repository and its units", () => {
    expect(unitKeys).toEqual(units10)
    for (const facts of worlds) {
      const about = facts as unknown as RepositoryFacts
      expect([repositoryLevel(about), ...unitKeys.map((unit) => unitLevel(about, unit))]).toEqual([
        levelOn(facts),
        ...units10.map((unit) => levelOn(facts, unit))
      ])
    }
  })

  it("about the rows that lists show", () => {
    const conditions = { ...listRules, directory: listedInDirectory }
    expect(
      Object.keys(conditions).sort(),
      "`listRules` in packages/domain/src/forge/access/lists.ts and `listing` in scripts/vitest/oracle.ts differ"
    ).toEqual(Object.keys(listing).sort())
    for (const [name, condition] of Object.entries(conditions)) {
      agree(
        name,
        decides(condition as Condition<never> as Condition<AnyFacts>),
        listing[name] as (facts: AnyFacts) => unknown
      )
    }
    for (const unit of units10) agree(unit, decides(listedUnit(unit)), (facts) => listingUnit(facts, unit))
  })

  it("about the checks before every action", () => {
    for (const facts of worlds) {
      const decision = admit(facts as unknown as SiteFacts)
      const stopped = entering.find(([, stops]) => stops(facts))?.[0]
      expect(decision.allowed ? undefined : decision.answer).toEqual(stopped && { status: 403, message: stopped })
    }
    expect(worlds.filter((facts) => entering.every(([, stops]) => !stops(facts))).length).toBeGreaterThan(100)
  })

  it("about each action as a whole, and its refusal messages", () => {
    for (const { action, name, policy } of distinctRows) {
      for (const facts of worlds.slice(0, 250)) {
        const decision = policy.decide(facts)
        const answer = decision.allowed ? undefined : decision.answer
        const expected = refused(action, facts)
        if (answer?.status === expected?.status && answer?.message === expected?.message) continue
        expect(
          { name, facts, answer },
          `${name}: the tables differ from scripts/vitest/oracle.ts or scripts/vitest/refusals.ts`
        ).toBe(expected)
      }
    }
  })
})

describe("default facts", () => {
  const scopes = {
    publicOnly: false,
    scopeActivitypub: 2,
    scopeAdmin: 2,
    scopeIssue: 2,
    scopeMisc: 2,
    scopeNotification: 2,
    scopeOrganization: 2,
    scopePackage: 2,
    scopeRepository: 2,
    scopeUser: 2
  }
  const nobody = {
    signedIn: false,
    siteAdmin: false,
    restricted: false,
    actionsTask: false,
    secondFactor: false,
    active: true,
    prohibited: false,
    mustChangePassword: false,
    awaitsApproval: false,
    withPassword: false,
    mayCreateOrganizations: false,
    mayEditGitHooks: false,
    sudo: false,
    ...scopes
  }

  it("describe an anonymous caller, or an ordinary user with a password", () => {
    expect(anonymous).toEqual(nobody)
    expect(ordinary).toEqual({ ...nobody, signedIn: true, withPassword: true, mayCreateOrganizations: true })
  })

  it("match the settings of a new site", () => {
    const on = Object.entries(newSiteSwitches).filter(([, value]) => value)
    expect(on.map(([name]) => name)).toEqual([
      "usersPage",
      "stars",
      "webhooks",
      "attachments",
      "apiReference",
      "heatmap",
      "timeTracking",
      "organizationCreation"
    ])
    expect(Object.keys(newSiteSwitches)).toHaveLength(16)
  })

  it("grant no level and no role", () => {
    const all = [noMembership, noTeamMembership, noGrants, noPackageGrants]
    expect(all.map((facts) => Object.keys(facts).length)).toEqual([4, 3, 18, 4])
    for (const facts of all) expect(Object.values(facts).filter(Boolean)).toEqual([])
  })
})

describe("scopes of tokens", () => {
  it("accept only words of closed lists", () => {
    const categories = "activitypub admin issue misc notification organization package repository user"
    expect(scopeCategories.join(" ")).toBe(categories)
    const pairs = categories.split(" ").flatMap((category) => [`read:${category}`, `write:${category}`])
    expect(scopeWords).toEqual(["all", "public-only", ...pairs])
    expect(scopeLevelWords).toEqual(["none", "read", "write"])
    expect(["all", "write:user", "user", "", "read:", "constructor"].map(parseScopeWord)).toEqual([
      "all",
      "write:user",
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

  it("use the highest level of each category, regardless of the word order", () => {
    const nothing = Object.fromEntries(scopeCategories.map((category) => [category, 0]))
    expect(emptyScope).toEqual({ levels: nothing, publicOnly: false })
    expect(scopeOf(["write:user", "read:user", "read:issue", "public-only"])).toEqual({
      levels: { ...nothing, user: 2, issue: 1 },
      publicOnly: true
    })
    expect(Object.values(fullScope.levels)).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2])
    expect(scopeOf(["all"])).toEqual(fullScope)
    expect(wordsOf(scopeOf(["write:user", "read:issue", "public-only"]))).toEqual([
      "public-only",
      "read:issue",
      "write:user"
    ])
  })

  it("are limited to the intersection of two scopes", () => {
    const [a, b] = [scopeOf(["write:user", "read:issue"]), scopeOf(["read:user", "write:issue", "public-only"])]
    for (const narrow of [narrowScope(a, b), narrowScope(b, a), mintScope(["write:user", "read:issue"], b)]) {
      expect(wordsOf(narrow)).toEqual(["public-only", "read:issue", "read:user"])
    }
    expect([isWithin(narrowScope(a, b), a), isWithin(a, b), isWithin(b, a), isWithin(a, a)]).toEqual([
      true,
      false,
      false,
      true
    ])
    expect([isWithin(scopeOf(["read:user"]), scopeOf(["read:user", "public-only"]))]).toEqual([false])
  })
})

describe("units of teams", () => {
  it("consist of ten units, two of them external and read-only", () => {
    expect(externalUnits).toEqual(["repo.ext_wiki", "repo.ext_issues"])
    expect(["repo.wiki", "wiki", "repo.nothing"].map(parseUnit)).toEqual(["repo.wiki", undefined, undefined])
    expect(everyUnit(Level.admin)).toEqual({
      "repo.code": 3,
      "repo.issues": 3,
      "repo.pulls": 3,
      "repo.releases": 3,
      "repo.wiki": 3,
      "repo.ext_wiki": 1,
      "repo.ext_issues": 1,
      "repo.projects": 3,
      "repo.packages": 3,
      "repo.actions": 3
    })
    expect(normaliseUnits({ "repo.code": 0, "repo.wiki": 2, "repo.ext_wiki": 2, "repo.pulls": 4 })).toEqual({
      "repo.pulls": 3,
      "repo.wiki": 2,
      "repo.ext_wiki": 1
    })
  })

  it("give the team the lowest level of its units, or admin if every unit has its maximum", () => {
    const almost: Units = { ...everyUnit(Level.admin), "repo.ext_wiki": 0 }
    const { "repo.ext_wiki": _, ...others } = everyUnit(Level.admin)
    expect([everyUnit(Level.admin), almost, others, {}].map(isAdminUnits)).toEqual([true, false, false, false])
    const some: ReadonlyArray<Units> = [{}, { "repo.code": 0 }, { "repo.code": 2, "repo.wiki": 1 }, { "repo.code": 3 }]
    expect([...some, almost].map(levelOfUnits)).toEqual([0, 0, 1, 3, 1])
    expect(levelOfUnits(everyUnit(Level.admin))).toBe(3)
    expect(levelOfUnits(everyUnit(Level.write))).toBe(1)
  })
})

it("the refusal of a public-only token names the resource type", () => {
  const things: Readonly<Record<string, ReadonlyArray<string>>> = {
    site: [],
    signedLink: [],
    organization: ["orgs"],
    organizationUser: ["orgs", "users"],
    team: ["orgs"],
    teamRepository: ["orgs", "repos"],
    user: ["users"],
    packageOwner: ["packages"]
  }
  for (const { action, name, policy } of distinctRows) {
    const closed = policy.checks.filter(({ id }) => id === "public-only").map(({ answer }) => answer)
    const endpoint = { status: 403, message: "this endpoint is not available for public-only tokens" }
    if (action.publicOnly === "refused") expect(closed, name).toEqual([endpoint])
    else {
      const told = things[action.on] ?? [action.scope.includes("issue") ? "issues" : "repos"]
      const limited = told.map((thing) => ({ status: 403, message: `token scope is limited to public ${thing}` }))
      expect(closed.slice(0, limited.length), name).toEqual(limited)
      expect(closed.slice(limited.length).filter(({ message }) => message !== endpoint.message)).toEqual([])
    }
  }
})

it("a caller with too many failed sign-ins gets 429", () => {
  expect(entryAnswers.slowed).toEqual({ status: 429, message: "too many failed sign-ins, try again later" })
})

it("a missing resource has no facts that grant access", () => {
  expect(missingItem("comment")).toEqual({
    found: false,
    pull: false,
    author: false,
    locked: false,
    commentAuthor: false
  })
  expect(missingItem("heldTeam")).toEqual({ found: false, ownersDecide: false })
})

it("the stages before an action and the levels of scopes are closed lists", () => {
  expect(entryStages).toEqual(["account", "strict", "sudo"])
  expect(vocabularies.site.scopeUser.levels).toEqual([0, 1, 2])
})

it("the visibilities of teams are a closed list", () => {
  expect(["private", "limited", "public", "secret"].map(parseTeamVisibility)).toEqual([
    "private",
    "limited",
    "public",
    undefined
  ])
})
