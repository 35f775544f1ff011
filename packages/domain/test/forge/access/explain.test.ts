import { describe, expect, it } from "@effect/vitest"
import { type Authorized, authorize as authorizeBy, layoutOf, policy } from "@slipway/access"
import { type AnyFacts, factsFor } from "../../../../../scripts/vitest/accessRows.ts"
import { notFound } from "../../../src/forge/access/answers.ts"
import { authorize } from "../../../src/forge/access/decide.ts"
import { explain } from "../../../src/forge/access/explain.ts"
import { explanationLines } from "../../../src/forge/access/explanation.ts"
import { anonymous, ordinary } from "../../../src/forge/access/facts/defaultFacts.ts"
import type { RepositoryFacts, TeamFacts } from "../../../src/forge/access/facts/facts.ts"

const repository = (over: AnyFacts = {}, caller = ordinary) => factsFor(caller, over) as unknown as RepositoryFacts
const lines = (facts: RepositoryFacts) => explanationLines(explain("repository.contents.change", facts))

describe("an explanation", () => {
  it("names the scope, the visibility and the level that allow an action", () => {
    expect(lines(repository({ private: true, teamAny: 2, teamCode: 2 }))).toEqual([
      "repository.contents.change is allowed",
      "+ scope: needs the scope write:repository",
      "+ visibility: needs access to the repository (repository.team: members have the highest level of their teams on the unit)",
      "+ public-only: needs a public resource if the token is public-only",
      "+ public-only: needs the repository of the job if the caller is a job",
      "+ sign-in: needs a sign-in",
      "+ role: needs to write repo.code (repository.team: members have the highest level of their teams on the unit)",
      "+ switch: needs a repository that is not archived",
      "+ switch: needs a repository that is not a mirror"
    ])
  })

  it("ends at the refusing step, and shows the missing conditions of this step", () => {
    const explained = explain("repository.contents.change", repository())
    expect(explained.allowed).toBe(false)
    const last = explained.steps.at(-1)
    expect(last).toMatchObject({ stage: "role", passed: false, because: [] })
    const said = JSON.stringify(last?.tree)
    expect(said).toContain("the caller does not own the repository")
    expect(said).toContain("the level of the caller's best team on code is below write")
    expect(said).not.toContain("the caller is a site administrator")
  })

  it("gives the reason of the refusing rule", () => {
    expect(lines(repository({ repositoryOwner: true, archived: true })).at(-1)).toBe(
      "- switch: needs a repository that is not archived (repository.archived: an archived repository is read-only)"
    )
    expect(lines(repository({ collaborator: 2 }, { ...ordinary, withPassword: false, scopeRepository: 1 }))).toEqual([
      "repository.contents.change is refused: 403 token does not have the required scope(s): write:repository",
      "- scope: needs the scope write:repository (token.scope: a token is limited to its scope, whatever its user may do)"
    ])
  })

  it("I9: reveals nothing about a hidden resource, and shows the response for a missing resource", () => {
    for (const caller of [anonymous, ordinary]) {
      const explained = explain("repository.read", repository({ private: true }, caller))
      expect(explained).toEqual({ action: "repository.read", allowed: false, answer: notFound, by: [], steps: [] })
    }
  })
})

describe("a proof", () => {
  const team = { id: 7 }
  const facts = (over: AnyFacts) => factsFor(ordinary, over) as unknown as TeamFacts
  const addMember = (proof: Authorized<"team.member.add", typeof team>) => proof.resource.id

  it("contains the action, the resource and the granting rules", () => {
    const proof = authorize("team.member.add", facts({ organizationOwner: true }), team)
    if (!proof.allowed) throw new Error("an owner may add members")
    expect({ ...proof }).toEqual({
      allowed: true,
      action: "team.member.add",
      resource: team,
      by: ["team.organization-owner"]
    })
    expect(addMember(proof)).toBe(7)
  })

  it("is a refusal when the action is refused", () => {
    const refused = authorize("team.member.add", facts({ teamMember: true, organizationMember: true }), team)
    expect(refused).toEqual({
      allowed: false,
      check: "organization-owner",
      by: ["organization-owner"],
      answer: notFound
    })
  })

  it("cannot be forged, or used for another action", () => {
    const proof = authorize("team.member.remove", facts({ organizationOwner: true }), team)
    // @ts-expect-error a literal lacks what only `authorize` can give
    const forged: Authorized<"team.member.add", typeof team> = {
      allowed: true,
      action: "team.member.add",
      resource: team,
      by: []
    }
    expect(addMember(forged)).toBe(7)
    if (!proof.allowed) throw new Error("an owner may remove members")
    // @ts-expect-error a proof of one action is none of another
    expect(addMember(proof)).toBe(7)
  })

  it("is never ambiguous: a policy with two conditions for one rule id does not compile", () => {
    const rule = (fact: "a" | "b") => ({ id: "twice", when: { op: "flag" as const, fact }, because: "it is so" })
    const layout = layoutOf({
      a: { kind: "flag", yes: "a", no: "not a" },
      b: { kind: "flag", yes: "b", no: "not b" }
    })
    const check = (id: string, grants: ReadonlyArray<ReturnType<typeof rule>>) => ({
      id,
      stage: "role",
      grants,
      forbids: [],
      answer: notFound,
      because: id
    })
    const other = { ...rule("b"), id: "other" }
    const third = { ...rule("b"), id: "third" }
    expect(() => policy("x", [check("one", [rule("a"), third]), check("two", [rule("b"), other])], layout)).toThrow(
      "`x` has two conditions for the rule `twice`"
    )
    const one = policy<"x", { a: boolean; b: boolean }>("x", [check("one", [rule("a")])], layout)
    expect(authorizeBy(one, { a: true, b: false }, 1)).toEqual({
      allowed: true,
      action: "x",
      resource: 1,
      by: ["twice"]
    })
  })
})
