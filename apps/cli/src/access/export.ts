import { parseLevel } from "@slipway/access"
import { normaliseUnits, parseUnit, type Unit } from "@slipway/domain/forge/access"
import type { World, WorldPermitted, WorldRepository, WorldTeam } from "@slipway/testkit/access"
import { Effect, type Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { userError } from "../forge/failures.ts"
import { type Reader, reader } from "./reader.ts"

const visibility = Schema.Literals(["public", "limited", "private"])
const Account = Schema.Struct({
  login: Schema.String,
  is_admin: Schema.Boolean,
  restricted: Schema.Boolean,
  visibility
})
const Organization = Schema.Struct({ name: Schema.String, visibility })
const Team = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  visibility,
  permission: Schema.String,
  includes_all_repositories: Schema.Boolean,
  can_create_org_repo: Schema.Boolean,
  units_map: Schema.Record(Schema.String, Schema.String)
})
const on = Schema.optionalKey(Schema.Boolean)
const Repository = Schema.Struct({
  name: Schema.String,
  full_name: Schema.String,
  owner: Schema.Struct({ login: Schema.String }),
  private: Schema.Boolean,
  archived: Schema.Boolean,
  mirror: Schema.Boolean,
  has_code: on,
  has_issues: on,
  has_pull_requests: on,
  has_releases: on,
  has_wiki: on,
  has_projects: on,
  has_packages: on,
  has_actions: on
})
const Permission = Schema.Struct({ permission: Schema.String })
const Named = Schema.Struct({ name: Schema.String })
const names = Schema.NullOr(Schema.Array(Schema.String))
const Protection = Schema.Struct({
  rule_name: Schema.String,
  enable_push: Schema.Boolean,
  enable_push_whitelist: Schema.Boolean,
  push_whitelist_usernames: names,
  push_whitelist_teams: names,
  enable_force_push: Schema.Boolean,
  enable_force_push_allowlist: Schema.Boolean,
  force_push_allowlist_usernames: names,
  force_push_allowlist_teams: names
})

const switches: ReadonlyArray<readonly [keyof typeof Repository.Type, Unit]> = [
  ["has_code", "repo.code"],
  ["has_issues", "repo.issues"],
  ["has_pull_requests", "repo.pulls"],
  ["has_releases", "repo.releases"],
  ["has_wiki", "repo.wiki"],
  ["has_projects", "repo.projects"],
  ["has_packages", "repo.packages"],
  ["has_actions", "repo.actions"]
]

const segment = encodeURIComponent

const permitted = (enabled: boolean, limited: boolean, ...lists: ReadonlyArray<typeof names.Type>): WorldPermitted =>
  !enabled ? [] : limited ? lists.flatMap((list) => list ?? []) : "*"

const teamOf = Effect.fnUntraced(function* (
  { list }: Reader,
  organization: string,
  { id, name, visibility: seen, ...settings }: typeof Team.Type
) {
  const members = yield* list(Account, `/teams/${id}/members`)
  const repositories = settings.includes_all_repositories ? [] : yield* list(Named, `/teams/${id}/repos`)
  const owners = name === "Owners" && settings.permission === "owner"
  const units = Object.entries(settings.units_map).flatMap(([key, word]) => {
    const unit = parseUnit(key)
    return unit === undefined ? [] : [[unit, Math.min(parseLevel(word) ?? 0, 3)]]
  })
  const team: WorldTeam = {
    organization,
    name,
    visibility: seen,
    units: normaliseUnits(Object.fromEntries(units)),
    owners,
    createsRepositories: settings.can_create_org_repo,
    repositories: settings.includes_all_repositories ? "all" : repositories.map((each) => each.name),
    members: members.map(({ login }) => login)
  }
  return { team, people: members }
})

const repositoryOf = Effect.fnUntraced(function* ({ decoded, list }: Reader, source: typeof Repository.Type) {
  const path = `/repos/${segment(source.owner.login)}/${segment(source.name)}`
  const people = yield* list(Account, `${path}/collaborators`)
  const levels = yield* Effect.forEach(people, ({ login }) =>
    Effect.map(
      decoded(Permission, `${path}/collaborators/${segment(login)}/permission`),
      ({ permission }) => [login, Math.min(parseLevel(permission) ?? 0, 3)] as const
    )
  )
  const protections = yield* list(Protection, `${path}/branch_protections`)
  const repository = {
    owner: source.owner.login,
    name: source.name,
    private: source.private,
    archived: source.archived,
    mirror: source.mirror,
    off: switches.flatMap(([field, unit]) => (source[field] === false ? [unit] : [])),
    collaborators: new Map(levels)
  } as WorldRepository
  return {
    people,
    repository,
    protections: protections.map((each) => ({
      repository: source.full_name,
      rule: each.rule_name,
      push: permitted(
        each.enable_push,
        each.enable_push_whitelist,
        each.push_whitelist_usernames,
        each.push_whitelist_teams
      ),
      force: permitted(
        each.enable_force_push,
        each.enable_force_push_allowlist,
        each.force_push_allowlist_usernames,
        each.force_push_allowlist_teams
      )
    }))
  }
})

/**
 * Exports the world of a forge: of some organizations, or of the whole site with an administrator's token.
 *
 * A collaborator's level applies to all units.
 */
export const exportWorld = Effect.fnUntraced(function* (
  url: string,
  token: Redacted.Redacted | undefined,
  named: ReadonlyArray<string>
) {
  if (!URL.canParse(url)) return yield* userError(`${url} is not an address`)
  const read = reader(yield* HttpClient.HttpClient, { url, token, service: "a forge", size: "limit" })
  const { decoded, list } = read
  const accounts = named.length === 0 ? yield* list(Account, "/admin/users") : []
  const organizations =
    named.length === 0
      ? yield* list(Organization, "/admin/orgs")
      : yield* Effect.forEach(named, (name) => decoded(Organization, `/orgs/${segment(name)}`))
  const teams = yield* Effect.forEach(organizations, ({ name }) =>
    Effect.flatMap(list(Team, `/orgs/${segment(name)}/teams`), (rows) =>
      Effect.forEach(rows, (row) => teamOf(read, name, row))
    )
  )
  const owned = [
    ...organizations.map(({ name }) => `/orgs/${segment(name)}/repos`),
    ...accounts.map(({ login }) => `/users/${segment(login)}/repos`)
  ]
  const rows = (yield* Effect.forEach(owned, (path) => list(Repository, path))).flat()
  const repositories = yield* Effect.forEach(rows, (row) => repositoryOf(read, row))
  const people = [
    ...accounts,
    ...teams.flat().flatMap((each) => each.people),
    ...repositories.flatMap((each) => each.people)
  ]
  return {
    site: {},
    users: new Map(
      people.map(({ is_admin, login, restricted, visibility: seen }) => [
        login,
        { name: login, visibility: seen, admin: is_admin, restricted, secondFactor: false, createsOrganizations: true }
      ])
    ),
    organizations: new Map(organizations.map((each) => [each.name, each])),
    teams: teams.flat().map(({ team }) => team),
    repositories: repositories.map(({ repository }) => repository),
    tokens: new Map(),
    protections: repositories.flatMap((each) => each.protections),
    items: [],
    blocks: []
  } satisfies World
})
