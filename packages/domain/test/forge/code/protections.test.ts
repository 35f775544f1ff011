import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { RepositoryId } from "../../../src/forge/base/names/repositoryId.ts"
import {
  type BranchProtection,
  type BranchProtectionId,
  type BranchRules,
  strictRules
} from "../../../src/forge/code/protections/BranchProtection.ts"
import { decideRefChange, evaluateRefChange, protectionOf } from "../../../src/forge/code/protections/evaluate.ts"
import { evaluateMerge, type MergeRequest } from "../../../src/forge/code/protections/evaluateMerge.ts"
import {
  type ChangeContents,
  type RefChange,
  type RefChanger,
  refusalText
} from "../../../src/forge/code/protections/refChange.ts"
import type { TagProtection, TagProtectionId } from "../../../src/forge/code/protections/TagProtection.ts"
import type { TeamId } from "../../../src/forge/identity/teams/Team.ts"
import type { UserId } from "../../../src/forge/identity/users/User.ts"

const at = "2026-01-02T03:04:05.678Z"
const old = "1".repeat(40)
const young = "2".repeat(40)

const ann = { userId: 1 as UserId, teams: [], deployKey: false, administers: false } satisfies RefChanger
const bob = { ...ann, userId: 2 as UserId, teams: [7 as TeamId] } satisfies RefChanger
const admin = { ...ann, userId: 3 as UserId, administers: true } satisfies RefChanger
const key = { userId: undefined, teams: [], deployKey: true, administers: false } satisfies RefChanger
const people = { ann, bob, admin, key }

const rule = (ruleName: string, set: Partial<BranchRules> = {}, priority = 1): BranchProtection => ({
  ...strictRules,
  ...set,
  id: ruleName.length as BranchProtectionId,
  repositoryId: 1 as RepositoryId,
  ruleName,
  priority,
  createdAt: at,
  updatedAt: at
})

const tag = (namePattern: string, users: ReadonlyArray<number> = []): TagProtection => ({
  id: namePattern.length as TagProtectionId,
  repositoryId: 1 as RepositoryId,
  namePattern,
  allowed: { users: users as ReadonlyArray<UserId>, teams: [] },
  createdAt: at,
  updatedAt: at
})

const all = { enabled: true, limited: false, allowed: { users: [], teams: [] }, deployKeys: false }
const onlyAnn = { ...all, limited: true, allowed: { users: [1 as UserId], teams: [] } }
const onlyTeam = { ...all, limited: true, allowed: { users: [], teams: [7 as TeamId] }, deployKeys: true }

const harmless: ChangeContents = { forced: false, files: ["src/a.ts"], unsigned: null }
const change = (ref: string, after: string | undefined = young, before: string | undefined = old): RefChange => ({
  ref,
  before,
  after
})
const gone = (ref: string): RefChange => ({ ref, before: old, after: undefined })
const made = (ref: string): RefChange => ({ ref, before: undefined, after: young })

interface Case {
  readonly says: string
  readonly branches?: ReadonlyArray<BranchProtection>
  readonly tags?: ReadonlyArray<TagProtection>
  readonly change: RefChange
  readonly contents?: Partial<ChangeContents>
  /** Callers who are allowed; all others are refused with the text. */
  readonly allowed: ReadonlyArray<keyof typeof people>
  readonly text?: string
}

const everybody = ["ann", "bob", "admin", "key"] as const
const main = "refs/heads/main"

const cases: ReadonlyArray<Case> = [
  { says: "a branch without a rule is open to every writer", change: change("refs/heads/x"), allowed: everybody },
  {
    says: "a branch without a rule accepts a force push",
    change: change("refs/heads/x"),
    contents: { forced: true },
    allowed: everybody
  },
  {
    says: "a new branch cannot have a name that starts with refs/",
    change: made("refs/heads/refs/heads/x"),
    allowed: [],
    text: "refs/heads/refs/heads/x: the name is not valid for a branch or a tag"
  },
  {
    says: "an existing branch with refs/ in its name is open to every writer",
    change: change("refs/heads/refs/heads/x"),
    allowed: everybody
  },
  {
    says: "the default branch cannot be deleted",
    change: gone(main),
    allowed: [],
    text: "refs/heads/main: the default branch cannot be deleted"
  },
  {
    says: "a rule without settings denies every push",
    branches: [rule("main")],
    change: change(main),
    allowed: [],
    text: "refs/heads/main: the rule `main` does not allow you to push to it"
  },
  {
    says: "a rule that allows every push also allows deploy keys, unless it is limited",
    branches: [rule("main", { push: all })],
    change: change(main),
    allowed: everybody
  },
  {
    says: "a rule with a list of users allows only these users",
    branches: [rule("main", { push: onlyAnn })],
    change: change(main),
    allowed: ["ann"],
    text: "refs/heads/main: the rule `main` does not allow you to push to it"
  },
  {
    says: "a rule with a list of teams and deploy keys allows only these teams and keys",
    branches: [rule("ma*", { push: onlyTeam })],
    change: change(main),
    allowed: ["bob", "key"],
    text: "refs/heads/main: the rule `ma*` does not allow you to push to it"
  },
  {
    says: "creating a branch that a rule matches counts as a push",
    branches: [rule("release/*")],
    change: made("refs/heads/release/1"),
    allowed: [],
    text: "refs/heads/release/1: the rule `release/*` does not allow you to push to it"
  },
  {
    says: "a protected branch cannot be deleted",
    branches: [rule("release/*", { push: all, forcePush: all })],
    change: gone("refs/heads/release/1"),
    allowed: [],
    text: "refs/heads/release/1: the rule `release/*` does not allow deleting it"
  },
  {
    says: "a force push requires a rule that allows it",
    branches: [rule("main", { push: all })],
    change: change(main),
    contents: { forced: true },
    allowed: [],
    text: "refs/heads/main: the rule `main` does not allow you to rewrite it"
  },
  {
    says: "a force push also requires permission to push",
    branches: [rule("main", { push: onlyTeam, forcePush: all })],
    change: change(main),
    contents: { forced: true },
    allowed: ["bob", "key"],
    text: "refs/heads/main: the rule `main` does not allow you to rewrite it"
  },
  {
    says: "a push with unknown history counts as a force push",
    branches: [rule("main", { push: all })],
    change: change(main),
    contents: { forced: undefined },
    allowed: [],
    text: "refs/heads/main: the rule `main` does not allow you to rewrite it"
  },
  {
    says: "a change of protected files is denied to every caller",
    branches: [rule("main", { push: all, protectedFiles: "*.lock; infra/**" })],
    change: change(main),
    contents: { files: ["src/a.ts", "web/Yarn.LOCK"] },
    allowed: [],
    text: "refs/heads/main: the rule `main` protects the file web/Yarn.LOCK"
  },
  {
    says: "a change of only unprotected files is allowed to every writer",
    branches: [rule("main", { push: onlyAnn, unprotectedFiles: "docs/**" })],
    change: change(main),
    contents: { files: ["docs/a.md", "docs/b/c.md"] },
    allowed: everybody
  },
  {
    says: "a change with one file outside the unprotected files requires permission to push",
    branches: [rule("main", { push: onlyAnn, unprotectedFiles: "docs/**" })],
    change: change(main),
    contents: { files: ["docs/a.md", "src/a.ts"] },
    allowed: ["ann"],
    text: "refs/heads/main: the rule `main` does not allow you to push to it"
  },
  {
    says: "a rule can require signed commits",
    branches: [rule("main", { push: all, requireSignedCommits: true })],
    change: change(main),
    contents: { unsigned: old },
    allowed: [],
    text: `refs/heads/main: the rule \`main\` requires signed commits, and ${old} has no valid signature`
  },
  {
    says: "a tag rule denies callers outside its list",
    tags: [tag("v*", [1])],
    change: made("refs/tags/v1"),
    allowed: ["ann"],
    text: "refs/tags/v1: the rule `v*` protects the tag"
  },
  {
    says: "a tag rule denies deletion too",
    tags: [tag("v*", [1])],
    change: gone("refs/tags/v1"),
    allowed: ["ann"],
    text: "refs/tags/v1: the rule `v*` protects the tag"
  },
  {
    says: "a change of a tag is allowed if one matching tag rule allows it",
    tags: [tag("v*", [1]), tag("v1.*", [2])],
    change: change("refs/tags/v1.2"),
    allowed: ["ann", "bob"],
    text: "refs/tags/v1.2: the rule `v*` protects the tag"
  },
  {
    says: "rules of branches do not apply to tags",
    branches: [rule("**")],
    change: made("refs/tags/main"),
    allowed: everybody
  },
  {
    says: "internal ref namespaces are denied to every caller",
    change: made("refs/pull/1/head"),
    allowed: [],
    text: "refs/pull/1/head: refs are branches (refs/heads/), tags (refs/tags/) and notes (refs/notes/)"
  },
  {
    says: "a branch cannot be named like an option or HEAD",
    change: made("refs/heads/HEAD"),
    allowed: [],
    text: "refs/heads/HEAD: the name is not valid for a branch or a tag"
  }
]

describe("a change of a ref", () => {
  for (const { allowed, branches = [], change, contents, says, tags = [], text } of cases) {
    it(`I18: ${says}`, () => {
      const rules = { branches, tags, defaultBranch: "main" }
      for (const [name, who] of Object.entries(people)) {
        const decision = evaluateRefChange(rules, who, change, { ...harmless, ...contents })
        const answer = decision.allowed ? "allowed" : refusalText(decision)
        expect([name, answer]).toEqual([name, allowed.includes(name as keyof typeof people) ? "allowed" : text])
      }
    })
  }

  const unread = "{a,b}".repeat(8)

  it("I18: a stored pattern that is too complex protects everything that it may match", () => {
    const rules = (branches: ReadonlyArray<BranchProtection>, tags: ReadonlyArray<TagProtection> = []) => ({
      branches,
      tags,
      defaultBranch: "main"
    })
    const says = (decision: ReturnType<typeof evaluateRefChange>) =>
      decision.allowed ? "allowed" : `${decision.rule}: ${decision.reason}`
    const pushed = change("refs/heads/abababab")
    expect(says(evaluateRefChange(rules([rule(unread)]), bob, pushed, harmless))).toBe(`${unread}: push`)
    // A too complex rule allows only what the next rule allows too.
    const both = rules([rule(unread, { push: all }, 1), rule("a*", {}, 2), rule("*", { push: onlyAnn }, 3)])
    expect(says(evaluateRefChange(both, ann, pushed, harmless))).toBe("a*: push")
    expect(says(evaluateRefChange(both, ann, change("refs/heads/b"), harmless))).toBe("allowed")
    const tagged = made("refs/tags/v1")
    expect(says(evaluateRefChange(rules([], [tag(unread)]), bob, tagged, harmless))).toBe(`${unread}: tag`)
    expect(says(evaluateRefChange(rules([], [tag(unread, [2]), tag("v*")]), bob, tagged, harmless))).toBe("v*: tag")
    const files = rules([rule("**", { push: all, protectedFiles: unread })])
    expect(says(evaluateRefChange(files, bob, pushed, harmless))).toBe("**: protected-file")
    const free = rules([rule("**", { unprotectedFiles: unread })])
    expect(says(evaluateRefChange(free, bob, pushed, { ...harmless, files: ["abababab"] }))).toBe("**: push")
  })

  it.effect("is decided without blocking other fibers, even with many files and long patterns", () =>
    Effect.gen(function* () {
      const patterns = Array.from({ length: 100 }, (_, at) => `**/${"*a/".repeat(80)}${at}`).join(";")
      const rules = { branches: [rule("**", { push: all, protectedFiles: patterns })], tags: [], defaultBranch: "main" }
      const files = Array.from({ length: 500 }, (_, at) => `${"a/".repeat(400)}${at}x`)
      let turns = 0
      const others = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => (turns += 1)),
            Effect.yieldNow
          )
        )
      )
      const decision = yield* decideRefChange(rules, bob, change("refs/heads/a"), { ...harmless, files })
      yield* Fiber.interrupt(others)
      expect(decision).toMatchObject({ allowed: false, reason: "protected-file" })
      expect(turns).toBeGreaterThan(20)
    })
  )

  it("is decided by the rule with the lowest priority number, and by an exact name before a glob", () => {
    const name = (protections: ReadonlyArray<BranchProtection>, branch: string) =>
      protectionOf(protections, branch)?.ruleName
    expect(name([rule("*", {}, 2), rule("ma*", {}, 1)], "main")).toBe("ma*")
    expect(name([rule("*", {}, 1), rule("main", {}, 1)], "main")).toBe("main")
    expect(name([rule("*", {}, 1), rule("main", {}, 2)], "main")).toBe("*")
    expect(name([rule("*"), rule("Main")], "a/b")).toBeUndefined()
  })
})

describe("a merge", () => {
  const ready: MergeRequest = {
    reviews: [],
    reviewsRequested: false,
    statuses: [],
    outdated: false,
    files: ["a"],
    unsigned: null
  }
  const review = (reviewer: RefChanger, verdict: "approved" | "rejected", stale = false, dismissed = false) => ({
    reviewer,
    verdict,
    stale,
    dismissed
  })
  const approvals = { ...strictRules.approvals, required: 1 }
  const blocked: ReadonlyArray<readonly [string, Partial<BranchRules>, Partial<MergeRequest>, ReadonlyArray<string>]> =
    [
      ["a rule without settings", {}, {}, []],
      ["a list of mergers", { merge: { limited: true, allowed: { users: [1 as UserId], teams: [] } } }, {}, ["merger"]],
      ["missing approvals", { approvals }, {}, ["approvals"]],
      ["an approval", { approvals }, { reviews: [review(ann, "approved")] }, []],
      ["a stale approval that counts", { approvals }, { reviews: [review(ann, "approved", true)] }, []],
      [
        "a stale approval that does not count",
        { approvals: { ...approvals, ignoreStale: true } },
        { reviews: [review(ann, "approved", true)] },
        ["approvals"]
      ],
      [
        "an approval of a user outside the approvers",
        { approvals: { ...approvals, limited: true, allowed: { users: [], teams: [7 as TeamId] } } },
        { reviews: [review(ann, "approved")] },
        ["approvals"]
      ],
      ["a rejection", { blockOnRejectedReviews: true }, { reviews: [review(ann, "rejected")] }, ["rejected"]],
      [
        "a dismissed rejection",
        { blockOnRejectedReviews: true },
        { reviews: [review(ann, "rejected", false, true)] },
        []
      ],
      ["a requested review", { blockOnRequestedReviews: true }, { reviewsRequested: true }, ["requested"]],
      ["an outdated branch", { blockOnOutdatedBranch: true }, { outdated: true }, ["outdated"]],
      [
        "a missing check",
        { statusChecks: { enabled: true, contexts: ["ci/*"] } },
        { statuses: [{ context: "lint", state: "success" }] },
        ["status-checks"]
      ],
      [
        "a failing check among the matching ones",
        { statusChecks: { enabled: true, contexts: ["ci/*"] } },
        {
          statuses: [
            { context: "ci/a", state: "success" },
            { context: "ci/b", state: "pending" }
          ]
        },
        ["status-checks"]
      ],
      [
        "passing checks",
        { statusChecks: { enabled: true, contexts: ["ci/*"] } },
        { statuses: [{ context: "ci/a", state: "success" }] },
        []
      ],
      [
        "a pattern of checks whose `*` matches slashes",
        { statusChecks: { enabled: true, contexts: ["ci*"] } },
        { statuses: [{ context: "ci/build/linux (push)", state: "success" }] },
        []
      ],
      [
        "a pattern of checks that matches the whole context",
        { statusChecks: { enabled: true, contexts: ["build"] } },
        { statuses: [{ context: "ci/build", state: "success" }] },
        ["status-checks"]
      ],
      [
        "a failed check below a matched folder",
        { statusChecks: { enabled: true, contexts: ["ci/*"] } },
        {
          statuses: [
            { context: "ci/a", state: "success" },
            { context: "ci/b/c", state: "failure" }
          ]
        },
        ["status-checks"]
      ],
      [
        "a warning, which counts as a failure",
        { statusChecks: { enabled: true, contexts: ["ci/*"] } },
        { statuses: [{ context: "ci/a", state: "warning" }] },
        ["status-checks"]
      ],
      [
        "any check when no context is named",
        { statusChecks: { enabled: true, contexts: [] } },
        { statuses: [{ context: "ci/a", state: "skipped" }] },
        []
      ],
      ["no checks at all", { statusChecks: { enabled: true, contexts: [] } }, {}, ["status-checks"]],
      ["protected files", { protectedFiles: "*.lock" }, { files: ["a.lock"] }, ["protected-file"]],
      ["signed commits", { requireSignedCommits: true }, { unsigned: old }, ["signature"]]
    ]
  for (const [says, rules, asked, blocks] of blocked) {
    it(`is decided by ${says}`, () => {
      const decision = evaluateMerge(rule("main", rules), bob, { ...ready, ...asked })
      expect(decision).toEqual({ allowed: blocks.length === 0, rule: "main", blocks, overridden: false })
    })
  }

  it("can be forced by an administrator if the rule allows this and no protected file changes", () => {
    const lacking = { ...ready, outdated: true }
    const held = { blockOnOutdatedBranch: true }
    expect(evaluateMerge(rule("main", held), admin, lacking, true)).toMatchObject({ allowed: true, overridden: true })
    expect(evaluateMerge(rule("main", held), admin, lacking)).toMatchObject({ allowed: false })
    expect(evaluateMerge(rule("main", held), bob, lacking, true)).toMatchObject({ allowed: false })
    const strict = rule("main", { ...held, blockAdminOverride: true })
    expect(evaluateMerge(strict, admin, lacking, true)).toMatchObject({ allowed: false })
    const files = rule("main", { ...held, protectedFiles: "a" })
    expect(evaluateMerge(files, admin, lacking, true)).toMatchObject({ allowed: false })
  })
})
