import { describe, expect, it } from "@effect/vitest"
import type { Check } from "@slipway/access"
import { openResources, withoutGrants } from "../../../../../scripts/vitest/accessRows.ts"
import { decide } from "../../../src/forge/access/decide.ts"
import { newSiteSwitches, ordinary } from "../../../src/forge/access/facts/defaultFacts.ts"
import type { RepositoryFacts } from "../../../src/forge/access/facts/facts.ts"
import { repositoryLevel } from "../../../src/forge/access/levels.ts"
import { load } from "../../../src/forge/access/load.ts"
import { PolicySet } from "../../../src/forge/access/PolicySet.ts"
import { rowFacts } from "../../../src/forge/access/Rulebook.ts"
import { accessTables } from "../../../src/forge/access/tables.ts"

const { builtIn } = PolicySet
const moment = { at: "2026-11-20T12:00:00Z", caller: undefined }
const nobody = { id: "house.nobody", when: () => ({ op: "any" as const, of: [] }), because: "nobody may" }
const friday = { yes: "it is Friday", no: "it is not Friday", holds: ({ at }: { at: string }) => at === moment.at }
const fridays = builtIn.withFacts({ friday })
const quiet = fridays.forbid(["git.push", "issue.create"], {
  id: "house.quiet",
  when: ({ flag }) => flag("friday"),
  because: "nobody pushes on Fridays"
})

/** A repository that the caller owns, with all other facts of a decision. */
const owned = {
  ...openResources,
  ...withoutGrants,
  ...newSiteSwitches,
  ...ordinary,
  repositoryOwner: true,
  self: false
} as unknown as RepositoryFacts

const idsOf = (set: Pick<PolicySet, "rulebook">, action: string) => set.rulebook.checksOf(action).map(({ id }) => id)
const checkOf = (set: Pick<PolicySet, "rulebook">, action: string, named: string) =>
  set.rulebook.checksOf(action).find(({ id }) => id === named) as Check<never>

describe("custom rules", () => {
  it("can replace each role guard on every resource type that uses it, and change no other guard", () => {
    const guards = [
      ["site", "site-admin", "admin.user.create"],
      ["site", "may-create-org", "organization.create"],
      ["organization", "organization-member", "organization.member.list"],
      ["organization", "organization-owner", "organization.edit"],
      ["organization", "may-create-repository", "organization.repository.create"],
      ["repository", "W:code", "repository.contents.create"],
      ["repository", "W:releases", "release.create"],
      ["repository", "W:wiki", "wiki.create"],
      ["repository", "repo-admin", "repository.edit"],
      ["repository", "repo-owner", "repository.delete"]
    ] as const
    for (const [kind, guard] of guards) {
      const set = builtIn.replace(kind as "site", guard as "site-admin", nobody)
      for (const [each, table] of Object.entries(set.rulebook.tables.guards)) {
        const before = builtIn.rulebook.tables.guards[each] ?? {}
        expect(Object.keys(table)).toEqual(Object.keys(before))
        const same = before[guard] === builtIn.rulebook.tables.guards[kind]?.[guard]
        const replaced = Object.keys(table).filter((name) => table[name] !== before[name])
        expect([guard, each, replaced]).toEqual([guard, each, same && guard in before ? [guard] : []])
      }
      const [check] = set.rulebook.tables.guards[kind]?.[guard] ?? []
      const [asked] = builtIn.rulebook.tables.guards[kind]?.[guard] ?? []
      expect(check).toMatchObject({ id: guard, stage: asked?.stage, answer: asked?.answer, because: "nobody may" })
      expect([check?.grants.map(({ id }) => id), check?.forbids]).toEqual([["house.nobody"], []])
    }
    const inTeams = builtIn.replace("repository", "repo-admin", nobody).rulebook.tables.guards
    expect(inTeams.issue?.["repo-admin"]?.[0]?.because).toBe("nobody may")
    expect(() => builtIn.replace("repository", "R:code" as "W:code", nobody)).toThrow("lists depend on it")
  })

  it("can deny single write actions, and keep earlier deny rules", () => {
    expect(checkOf(quiet, "git.push", "house.quiet")).toMatchObject({
      id: "house.quiet",
      stage: "role",
      grants: [],
      answer: { status: 403, message: "nobody pushes on Fridays" },
      because: "nobody pushes on Fridays"
    })
    expect(checkOf(quiet, "git.push", "house.quiet").forbids.map(({ id }) => id)).toEqual(["house.quiet"])
    expect(idsOf(quiet, "issue.create")).toContain("house.quiet")
    expect(idsOf(quiet, "git.fetch")).not.toContain("house.quiet")
    const both = quiet.forbid(["git.push"], nobody)
    expect(idsOf(both, "git.push").filter((id) => id.startsWith("house."))).toEqual(["house.quiet", "house.nobody"])
    expect(() => builtIn.forbid(["issue.read"], nobody)).toThrow("`issue.read` reads, and lists do not apply the rule")
  })

  it("apply to facts in a plain record and to loaded facts", () => {
    const judged = { ...owned, ...quiet.at(moment) }
    const refusal = { status: 403, message: "nobody pushes on Fridays" }
    expect(decide("git.push", judged)).toMatchObject({ allowed: false, by: ["house.quiet"], answer: refusal })
    expect(decide("git.push", load("repository", judged))).toMatchObject({ allowed: false, answer: refusal })
    expect(decide("git.push", { ...owned, ...quiet.at({ ...moment, at: "another" }) })).toMatchObject({ allowed: true })
    expect(decide("git.push", load("repository", owned))).toMatchObject({ allowed: true })
    expect(quiet.explain("git.push", judged).by).toEqual(["house.quiet"])
    expect(quiet.changes("git.push", judged)).toEqual(["it is not Friday"])
  })

  it("apply only to their action, even if another action has the same conditions", () => {
    const row = { on: "site", summary: "Look", access: "write", scope: [], guards: [], grants: [] } as const
    const facts = { ...owned, ...newSiteSwitches }
    for (const order of [["house.open", "house.shut"] as const, ["house.shut", "house.open"] as const]) {
      const set = builtIn
        .withAction("house.open", { ...row, grants: [{ ...nobody, when: () => ({ op: "all", of: [] }) }] })
        .withAction("house.shut", { ...row, grants: [nobody] })
      const answers = Object.fromEntries(order.map((name) => [name, set.decide(name, facts).allowed]))
      expect(answers).toEqual({ "house.open": true, "house.shut": false })
    }
  })

  it("hide resources, their children and their entries in lists", () => {
    const always = { id: "house.hidden", when: () => ({ op: "all" as const, of: [] }), because: "it is a secret" }
    const hides = (kind: "repository" | "organization" | "team", action: string) =>
      idsOf(builtIn.hide(kind, always), action).includes("house.hidden")
    const actions = ["repository.read", "issue.read", "team.repository.read", "organization.read", "team.read"]
    expect(actions.map((action) => hides("repository", action))).toEqual([true, true, true, false, false])
    expect(actions.map((action) => hides("organization", action))).toEqual([false, false, true, true, true])
    expect(actions.map((action) => hides("team", action))).toEqual([false, false, true, false, true])
    expect(hides("organization", "user.organization.permissions")).toBe(true)
    const set = builtIn.hide("repository", always)
    expect(set.rulebook.checksOf("repository.read").find(({ id }) => id === "house.hidden")).toMatchObject({
      stage: "visibility",
      answer: { status: 404, message: "The target couldn't be found." }
    })
    expect(set.decide("repository.read", owned)).toMatchObject({ allowed: false, by: ["house.hidden"] })
    expect(repositoryLevel({ ...owned, ...set.at(moment) })).toBe(0)
    expect(repositoryLevel(owned)).toBe(4)
    expect(set.rulebook.hides("organization", {})).toBe(false)
    for (const [kind, lists] of [
      ["repository", ["repository"]],
      ["organization", ["organization", "organizationDirectory"]],
      ["team", ["team"]]
    ] as const) {
      const { rulebook } = builtIn.hide(kind, always)
      for (const list of ["repository", "organization", "organizationDirectory", "team", "user"] as const) {
        const isChanged = (lists as ReadonlyArray<string>).includes(list)
        expect([list, rulebook.listed(list) !== builtIn.rulebook.listed(list)]).toEqual([list, isChanged])
      }
    }
    expect(set.rulebook.listed("repository")).toEqual({
      op: "all",
      of: [builtIn.rulebook.listed("repository"), { op: "not", of: { op: "all", of: [] } }]
    })
    expect(set.rulebook.listedUnit("repo.code")).toMatchObject({ op: "all", of: [{}, { op: "not" }] })
  })

  it("may use only facts that lists know for each row", () => {
    expect(rowFacts).toEqual({
      repository: [
        "private",
        "ownerVisibility",
        "organizationMember",
        "organizationOwner",
        "repositoryOwner",
        "collaborator",
        "teamAdmin",
        "teamAny"
      ],
      organization: ["organizationVisibility", "organizationMember", "organizationOwner"],
      team: ["organizationVisibility", "organizationMember", "organizationOwner", "teamVisibility", "teamMember"]
    })
    const rule = { id: "house.rows", because: "so it is" }
    const known = fridays.hide("repository", {
      ...rule,
      when: ({ all, flag }) => all(flag("friday"), flag("siteAdmin"))
    })
    expect(idsOf(known, "repository.read")).toContain("house.rows")
    expect(() =>
      builtIn.hide("repository", { ...rule, when: () => ({ op: "flag", fact: "archived" }) as never })
    ).toThrow("the rule `house.rows` asks about `archived`, which lists do not load")
  })

  it("add each fact, resource type and action only once, and guard new actions by visibility", () => {
    const grant = { ...nobody, id: "house.grant" }
    const action = (on: string, grants: ReadonlyArray<typeof grant>) =>
      builtIn.withAction("house.look", {
        on: on as "site",
        summary: "Look",
        access: "read",
        scope: ["misc"],
        guards: ["sign-in"],
        grants
      })
    const kinds = ["site", "organization", "team", "user", "repository"]
    expect(kinds.map((on) => action(on, []).rulebook.actionOf("house.look").asks)).toEqual([
      [],
      ["org-visible"],
      ["team-visible"],
      ["user-visible"],
      ["repo-visible"]
    ])
    expect(action("site", []).rulebook.actionOf("house.look")).toEqual({
      on: "site",
      path: "",
      summary: "Look",
      routes: [],
      access: "read",
      scope: ["misc"],
      guards: ["sign-in"],
      asks: [],
      publicOnly: "public",
      signInFirst: false
    })
    expect(idsOf(action("site", []), "house.look")).toEqual(["scope", "public-only", "sign-in"])
    expect(checkOf(action("site", [grant]), "house.look", "house.look")).toMatchObject({
      id: "house.look",
      stage: "role",
      answer: { status: 403, message: "user may not house.look" },
      because: "Look",
      forbids: []
    })
    const room = builtIn.withKind("room", {})
    const own = room.withAction("room.enter", {
      on: "room",
      summary: "Enter",
      access: "write",
      scope: [],
      guards: [],
      grants: []
    })
    expect(own.rulebook.actionOf("room.enter").publicOnly).toBe("refused")
    expect(() => builtIn.withFacts({ archived: friday })).toThrow("`archived` is already a fact")
    expect(() => builtIn.withKind("team", {})).toThrow("`team` is already a resource type")
    expect(() => action("site", []).withAction("issue.read", {} as never)).toThrow("`issue.read` is already an action")
    expect(() => action("cellar", [grant])).toThrow("`cellar` is not a resource type")
    expect(() => own.rulebook.actionOf("room.leave")).toThrow("`room.leave` is not an action")
    expect(() => own.rulebook.actionOf("toString")).toThrow("`toString` is not an action")
  })

  it("appear with their additions in the access tables", () => {
    const lines = accessTables(quiet.hide("team", { ...nobody, when: ({ flag }) => flag("restricted") }))
    const from = lines.indexOf("## Custom rules")
    expect(lines.slice(from).split("\n").slice(0, 7)).toEqual([
      "## Custom rules",
      "",
      "| rule | effect | applies when | because |",
      "| --- | --- | --- | --- |",
      "| `house.quiet` | denies `git.push` | it is Friday | nobody pushes on Fridays |",
      "| `house.quiet` | denies `issue.create` | it is Friday | nobody pushes on Fridays |",
      "| `house.nobody` | hides a team | the caller is a restricted user | nobody may |"
    ])
  })

  it("use the fact layout of the resource type, even if actions on two types share guards", () => {
    const closed = fridays.hide("repository", {
      id: "house.closed",
      when: ({ flag }) => flag("friday"),
      because: "the house is closed"
    })
    const facts = { ...openResources, ...owned, commentAuthor: false, ...closed.at(moment) } as never
    expect(decide("issue.read", load("issue", facts))).toMatchObject({ by: ["house.closed"] })
    expect(decide("issue.comment.read", load("comment", facts))).toMatchObject({ by: ["house.closed"] })
  })
})
