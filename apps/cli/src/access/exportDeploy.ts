import { builtInRoles } from "@slipway/domain/deploy/access"
import { printDeployWorld, readDeployScenario } from "@slipway/testkit/deploy-access"
import { Effect, type Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { userError } from "../forge/failures.ts"
import { attempt } from "./files.ts"
import { reader } from "./reader.ts"

const Team = Schema.Struct({ id: Schema.Int, name: Schema.String })
const Member = Schema.Struct({ account_uuid: Schema.String, name: Schema.String })
const Role = Schema.Struct({
  uuid: Schema.NullOr(Schema.String),
  name: Schema.String,
  capabilities: Schema.Array(Schema.String)
})
const Group = Schema.Struct({ uuid: Schema.String, name: Schema.String, members: Schema.Array(Schema.String) })
const Grant = Schema.Struct({
  account_uuid: Schema.NullOr(Schema.String),
  group_uuid: Schema.NullOr(Schema.String),
  place_type: Schema.String,
  place_uuid: Schema.NullOr(Schema.String),
  role: Schema.String
})
const Named = Schema.Struct({ uuid: Schema.String, name: Schema.String })
const Project = Schema.Struct({
  ...Named.fields,
  environments: Schema.Array(Schema.Struct({ ...Named.fields, is_protected: Schema.Boolean }))
})
const Resource = Schema.Struct({
  uuid: Schema.String,
  name: Schema.NullOr(Schema.String),
  type: Schema.String,
  environment_uuid: Schema.String
})

/** Returns a function that makes words of a scenario from names; each word is used once. */
const wordsOf = (taken: Set<string>) => (name: string, above?: string) => {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "") || "unnamed"
  const word = above === undefined ? plain : `${above}/${plain}`
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? word : `${word}-${count}`
    if (taken.has(candidate)) continue
    taken.add(candidate)
    return candidate
  }
}

const isPlaced = (type: string): boolean => type === "application" || type === "service"

/**
 * Exports the team of a token as a scenario: its members, groups, roles and grants, and the resources that the token can read.
 *
 * Spaces in names become hyphens; equal names get a number.
 */
export const exportDeployWorld = Effect.fnUntraced(function* (url: string, token: Redacted.Redacted | undefined) {
  if (!URL.canParse(url)) return yield* userError(`${url} is not an address`)
  const from = { url, token, service: "deploy", size: "per_page" } as const
  const { decoded, list } = reader(yield* HttpClient.HttpClient, from)
  const team = yield* decoded(Team, "/team")
  const members = yield* decoded(Schema.Array(Member), "/team/members")
  const groups = yield* decoded(Schema.Array(Group), `/teams/${team.id}/groups`)
  const roles = yield* decoded(Schema.Array(Role), "/roles")
  const grants = yield* decoded(Schema.Array(Grant), "/grants")
  const servers = yield* list(Named, "/servers")
  const projects = yield* Effect.forEach(yield* list(Named, "/projects"), ({ uuid }) =>
    decoded(Project, `/projects/${encodeURIComponent(uuid)}`)
  )
  const resources = yield* decoded(Schema.Array(Resource), "/resources")

  const word = wordsOf(new Set(["root"]))
  const places = new Map<string | null, string>()
  const named = (uuid: string | null, text: string) => {
    places.set(uuid, text)
    return text
  }
  const lines: Array<string> = []
  const people = new Map(members.map(({ account_uuid, name }) => [account_uuid, word(name)]))
  lines.push(...[...people.values()].map((name) => `user ${name}`))
  const recipients = new Map<string | null, string>(people)
  for (const { members: grouped, name, uuid } of groups) {
    const group = word(name)
    recipients.set(uuid, group)
    lines.push(["group", group, ...grouped.flatMap((each) => people.get(each) ?? [])].join(" "))
  }
  const owner = named(null, team.id === 0 ? "root" : word(team.name))
  const inTeam = owner === "root" ? "" : ` in ${owner}`
  if (owner !== "root") lines.push(`team ${owner}`)
  for (const { uuid, name } of servers) lines.push(`server ${named(uuid, word(name))}${inTeam}`)
  for (const { environments, name, uuid } of projects) {
    const project = named(uuid, word(name))
    lines.push(`project ${project}${inTeam}`)
    for (const each of environments) {
      const environment = named(each.uuid, word(each.name, project))
      lines.push(`environment ${environment}${each.is_protected ? " protected" : ""}`)
    }
  }
  for (const { environment_uuid, name, type, uuid } of resources) {
    const environment = places.get(environment_uuid)
    if (environment === undefined) continue
    lines.push(`${isPlaced(type) ? type : "database"} ${named(uuid, word(name ?? uuid, environment))}`)
  }
  const roleWord = wordsOf(new Set(Object.keys(builtInRoles)))
  const custom = new Map(roles.flatMap(({ name, uuid }) => (uuid === null ? [] : [[uuid, roleWord(name)]])))
  for (const { capabilities, uuid } of roles) {
    if (uuid !== null) lines.push(`role ${custom.get(uuid)} ${capabilities.join(" ")}`)
  }
  for (const { account_uuid, group_uuid, place_uuid, role } of grants) {
    const [who, on] = [recipients.get(account_uuid ?? group_uuid), places.get(place_uuid)]
    if (who !== undefined && on !== undefined) lines.push(`grant ${who} ${custom.get(role) ?? role} ${on}`)
  }
  return yield* attempt(() => printDeployWorld(readDeployScenario(lines.join("\n"))))
})
