import { expect, it } from "@effect/vitest"
import { type AnyFacts, factsFor, rows } from "../../../../../scripts/vitest/accessRows.ts"
import { anonymous, ordinary, scopeAsFacts } from "../../../src/forge/access/facts/defaultFacts.ts"
import type { CallerFacts } from "../../../src/forge/access/facts/facts.ts"
import { scopeOf } from "../../../src/forge/access/facts/Scope.ts"

/** Callers, and their permissions on every resource. */
const people: ReadonlyArray<readonly [name: string, caller: CallerFacts, holds: AnyFacts]> = [
  ["anonymous", anonymous, {}],
  ["outsider", ordinary, {}],
  ["restricted", { ...ordinary, restricted: true }, {}],
  ["reader", ordinary, { organizationMember: true, collaborator: 1, teamPackages: 1 }],
  ["writer", ordinary, { organizationMember: true, teamMember: true, collaborator: 2, teamPackages: 2 }],
  ["admin", ordinary, { organizationMember: true, teamMember: true, collaborator: 3, teamPackages: 3 }],
  ["owner", ordinary, { organizationMember: true, organizationOwner: true, repositoryOwner: true, self: true }],
  [
    "read token",
    { ...ordinary, withPassword: false, ...readOnly() },
    { organizationMember: true, organizationOwner: true, repositoryOwner: true, self: true }
  ],
  [
    "public-only",
    { ...ordinary, withPassword: false, publicOnly: true },
    { organizationMember: true, organizationOwner: true, repositoryOwner: true, self: true }
  ],
  ["site admin", { ...ordinary, siteAdmin: true }, {}]
]

function readOnly() {
  return scopeAsFacts(
    scopeOf([
      "read:activitypub",
      "read:admin",
      "read:issue",
      "read:misc",
      "read:notification",
      "read:organization",
      "read:package",
      "read:repository",
      "read:user"
    ])
  )
}

const things: ReadonlyArray<readonly [title: string, facts: AnyFacts]> = [
  ["public: the organization, the user and the repository; the team is limited", { teamVisibility: "limited" }],
  [
    "private: all of them",
    {
      organizationVisibility: "private",
      userVisibility: "private",
      ownerVisibility: "private",
      teamVisibility: "private",
      private: true
    }
  ],
  ["archived: a public repository", { archived: true }]
]

const cell = (text: string, width: number) => text.padEnd(width)

const table = (title: string, facts: AnyFacts): string => {
  const shown = rows.filter(
    (row) =>
      title.startsWith("archived") === false ||
      row.policy.checks.some((check) => check.id === "not-archived" || check.id === "editable")
  )
  const width = Math.max(...shown.map((row) => row.name.length)) + 2
  const head = cell("", width) + people.map(([name]) => cell(name, 13)).join("")
  const lines = shown.map((row) => {
    const answers = people.map(([, caller, holds]) => {
      const decision = row.policy.decide(factsFor(caller, { codeSearch: true, ...facts }, holds))
      return cell(decision.allowed ? "yes" : String(decision.answer.status), 13)
    })
    return cell(row.name, width) + answers.join("")
  })
  return [`== ${title}`, "", head, ...lines].map((line) => line.trimEnd()).join("\n")
}

const introduction = `Permissions of the code hosting service: every action, for ten callers and three kinds of resources.

anonymous    is not signed in               writer       writes all units, is in the team
outsider     signed in, without grants      admin        administers the repository, is in the team
restricted   an outsider, restricted user   owner        owns all resources, or is the user
reader       reads all units, is in the     read token   the owner, with a read-only token
             organization                   public-only  the owner, with a token for public resources
                                            site admin   administers the site, without other grants

yes   allowed                               403   denied
401   requires sign-in                      404   hidden or missing
                                            423   locked: cannot change now

This file is generated from the rules. After an intended change of the rules, run the test with -u and review the changes here.`

/**
 * Stores the answers of all actions in a readable file. When it fails, a caller gained or lost access:
 * check each changed line, and update the file only when every change is intended.
 */
it("every caller's answer on every action matches the matrix", async () => {
  const text = [introduction, ...things.map(([title, facts]) => table(title, facts))].join("\n\n")
  await expect(
    `${text}\n`,
    "packages/domain/test/forge/access/access-matrix.txt: each changed line is a caller who gains or loses access. If all are intended: npx vitest run packages/domain/test/forge/access/matrix.test.ts --update=all"
  ).toMatchFileSnapshot("./access-matrix.txt")
})
