import type { Vocabulary } from "@slipway/access"
import { levelWord, passes, type Rule, toProse } from "@slipway/access"
import type { Action, Guard } from "./Action.ts"
import { entryChecks } from "./admit.ts"
import { siteVocabulary, vocabularies } from "./facts/facts.ts"
import { repositoryForbids } from "./forbids.ts"
import {
  organizationRoles,
  organizationViewers,
  packageGrants,
  repositoryGrants,
  rules,
  siteGrants,
  teamReaders,
  userViewers
} from "./grants.ts"
import { order } from "./order.ts"
import { PolicySet } from "./PolicySet.ts"
import type { Rulebook } from "./Rulebook.ts"

const escape = (text: string) => text.replaceAll("|", "\\|")

const table = (head: ReadonlyArray<string>, lines: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...lines.map((line) => line.map(escape))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

const rulesTable = <F>(rows: ReadonlyArray<Rule<F>>, vocabulary: Vocabulary): string =>
  table(
    ["rule", "applies when", "because"],
    rows.map((rule) => [`\`${rule.id}\``, toProse(rule.when, vocabulary), rule.because])
  )

const answered = (answer: { readonly status: number; readonly message: string }) => `${answer.status} ${answer.message}`

/** The names of guards in the specification, where they differ from the names here. */
const specificationNames: { readonly [guard in string]?: string } = {
  "sign-in": "T",
  "repo-admin": "A",
  "repo-owner": "Own",
  "not-archived": "NA",
  "site-admin": "SA",
  "organization-member": "OM",
  "organization-owner": "OO",
  "team-readable": "TR",
  "team-member": "TM",
  "self-or-site-admin": "self-or-SA",
  "self-or-member-or-site-admin": "self-or-OM-or-SA"
}

const guardsTable = ({ tables: { guards } }: Rulebook): string => {
  const seen = new Map<string, ReadonlyArray<string>>()
  for (const checks of Object.values(guards)) {
    for (const [guard, list] of Object.entries(checks)) {
      for (const check of list) {
        const specified = specificationNames[guard]
        const line = [
          `\`${guard}\``,
          specified === undefined ? "" : `\`${specified}\``,
          check.stage,
          check.because,
          answered(check.answer)
        ]
        seen.set(JSON.stringify(line), line)
      }
    }
  }
  return table(["guard", "in the specification", "step", "condition", "response on failure"], [...seen.values()])
}

const guardList = (guards: ReadonlyArray<Guard>) => guards.map((guard) => `\`${guard}\``).join(" ")

const actionsTable = (rulebook: Rulebook, names: ReadonlyArray<string>): string =>
  table(
    ["action", "summary", "route", "scope", "guards", "public-only token"],
    names.map((name) => {
      const action = rulebook.actionOf(name)
      return [
        `\`${name}\``,
        action.summary,
        action.routes.map((route) => `\`${route}\``).join("<br>"),
        action.scope.map((category) => `${action.access}:${category}`).join(" "),
        guardList(action.guards) + (action.asks.length === 0 ? "" : ` + ${guardList(action.asks)}`),
        { refused: "refused", public: "public resources", self: "about the caller" }[action.publicOnly]
      ]
    })
  )

const repositoryTable = (): string =>
  table(
    ["rule", "grants", "applies when", "because"],
    Object.entries(repositoryGrants).map(([id, grant]) => [
      `\`${id}\``,
      typeof grant.gives === "number"
        ? levelWord(grant.gives)
        : { team: "the team's level on the unit", collaborator: "the granted level", taskLevel: "the token's level" }[
            grant.gives
          ],
      toProse(grant.when, vocabularies.repository),
      grant.because
    ])
  )

const packageTable = (): string =>
  table(
    ["rule", "grants", "applies when", "because"],
    Object.entries(packageGrants).map(([id, grant]) => [
      `\`${id}\``,
      typeof grant.gives === "number" ? levelWord(grant.gives) : "the team's level on packages",
      toProse(grant.when, vocabularies.packageOwner),
      grant.because
    ])
  )

const areaOf = (name: string) => name.slice(0, name.indexOf("."))

/** Returns the Markdown lines that describe custom rules; empty if there are none. */
const ownTables = (
  { tables: { checks, hidden }, vocabularies: known }: Rulebook,
  actionOf: (name: string) => Action
) => {
  const line = (rule: Rule<never>, does: string, kind: string) => [
    `\`${rule.id}\``,
    does,
    toProse(rule.when, known[kind] ?? {}),
    rule.because
  ]
  const lines = [
    ...Object.entries(checks).flatMap(([name, list]) =>
      list.flatMap(({ forbids, grants }) => [
        ...grants.map((rule) => line(rule, `allows \`${name}\``, actionOf(name).on)),
        ...forbids.map((rule) => line(rule, `denies \`${name}\``, actionOf(name).on))
      ])
    ),
    ...Object.entries(hidden).flatMap(([kind, list]) => list.map((rule) => line(rule, `hides a ${kind}`, kind)))
  ]
  return lines.length === 0 ? [] : ["## Custom rules", table(["rule", "effect", "applies when", "because"], lines)]
}

/** Returns the documentation of the access rules and of all actions with their routes, as Markdown. */
export const accessTables = ({ rulebook }: Pick<PolicySet, "rulebook"> = PolicySet.builtIn): string => {
  const names = Object.keys(rulebook.tables.actions)
  const areas = [...new Set(names.map(areaOf))].sort()
  return `${[
    "# Permissions of the code hosting service",
    "This page lists the access rules of the forge: the order of checks, the guards, the rules that give access, and all actions. `docs/explanation/access-model.md` explains the terms.",
    "Generated from the rules by `npm run access-tables`. A test fails if it is out of date.",
    "## The order of checks",
    "For each request, the forge evaluates these steps from top to bottom. The first check that fails determines the response.",
    table(
      ["step", "condition", "responses"],
      order.map((step) => [step.stage, step.says, step.answers.join(", ")])
    ),
    "## Before any action",
    "These rules apply to every request, whatever its route:",
    table(
      ["rule", "denies when", "because", "response"],
      entryChecks.map((check) => [
        `\`${check.id}\``,
        toProse({ op: "not", of: passes(check) }, siteVocabulary),
        check.because,
        answered(check.answer)
      ])
    ),
    "## Guards",
    'A guard is a requirement that several routes can share. Read the column "condition" after the words "the route". The specification is the list of routes that the forge must implement; it has shorter names for some guards.',
    guardsTable(rulebook),
    "## The site",
    "These rules give permissions on the site:",
    rulesTable(rules(siteGrants), vocabularies.site),
    "## Organizations",
    "These rules allow a caller to see an organization and its resources:",
    rulesTable(rules(organizationViewers), vocabularies.organization),
    "These rules give a caller a role in an organization:",
    rulesTable(rules(organizationRoles), vocabularies.organization),
    "## Teams",
    "These rules allow a caller to see a team:",
    rulesTable(rules(teamReaders), vocabularies.team),
    "## Users",
    "These rules allow a caller to see a user:",
    rulesTable(rules(userViewers), vocabularies.user),
    "## Repositories",
    "These rules give a caller a level on a repository; the highest level counts:",
    repositoryTable(),
    "These rules deny access, whatever the other rules grant:",
    rulesTable(rules(repositoryForbids), vocabularies.repository),
    "## Packages",
    "These rules give a caller a level on the packages of an owner; the highest level counts:",
    packageTable(),
    ...ownTables(rulebook, (name) => rulebook.actionOf(name)),
    "## Actions",
    'The column "scope" lists the scopes that a token needs. Guards after a `+` are not in the specification. The last column says what a token that is limited to public resources (public-only) can do: nothing (refused), read public resources, or read data about its user.',
    ...areas.flatMap((area) => [
      `### ${area}`,
      actionsTable(
        rulebook,
        names.filter((name) => areaOf(name) === area)
      )
    ])
  ].join("\n\n")}\n`
}
