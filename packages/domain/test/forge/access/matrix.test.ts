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
      const decision = row.policy.decide(factsFor(caller, facts, holds))
      return cell(decision.allowed ? "yes" : String(decision.answer.status), 13)
    })
    return cell(row.name, width) + answers.join("")
  })
  return [`== ${title}`, "", head, ...lines].map((line) => line.trimEnd()).join("\n")
}

const introduction = `Who may do what on the code hosting service: every action, for ten people and three kinds of things.

anonymous    nobody is signed in            writer       writes everything, belongs to the team
outsider     signed in, holds nothing       admin        administers the repository, belongs to the team
restricted   the same, as restricted user   owner        owns it all, or is the user
reader       reads everything, belongs      read token   the owner, with a token that may only read
             to the organization            public-only  the owner, with a token for public things
                                            site admin   administers the site, holds nothing else

yes   it is done                            403   it is refused
401   a sign-in is asked for                404   there is nothing to see
                                            423   it can not be changed now

This file is written from the rules. When a change of the rules is meant, run the test again with -u and read what changed here.`

/**
 * Stores the answers of all actions in a readable file. When it fails, a caller gained or lost access:
 * check each changed line, and update the file only when every change is intended.
 */
it("every caller's answer on every action matches the matrix", async () => {
  const text = [introduction, ...things.map(([title, facts]) => table(title, facts))].join("\n\n")
  await expect(`${text}\n`).toMatchFileSnapshot("./access-matrix.txt")
})
