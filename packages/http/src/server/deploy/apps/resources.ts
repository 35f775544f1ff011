import { Teams } from "@slipway/deploy/administration"
import { Resources } from "@slipway/deploy/databases"
import type { Account, Team } from "@slipway/domain/deploy/identity"
import { Effect, Stream } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ResourcesApi } from "../../../api/deploy/apps/resources.ts"
import { coolifyTeamFields } from "../../../api/deploy/base/coolifyFields.ts"
import { answerStream } from "../../lists.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(ResourcesApi).prefix("/api/v1") {}

const typeOf = (resource: Resources.Resource) => {
  switch (resource._tag) {
    case "Application":
      return "application" as const
    case "Database":
      return `standalone-${resource.row.kind}` as const
    case "Service":
      return "service" as const
  }
}

const domainsOf = (resource: Resources.Resource): string => {
  switch (resource._tag) {
    case "Application":
      return resource.row.generatedDomain ?? resource.row.configuration.domains
    case "Database":
      return ""
    case "Service":
      return resource.row.urls.map(({ url }) => url).join(",")
  }
}

/** Converts a resource on a server to its API response. */
export const showResource = (resource: Resources.Resource) => {
  const domains = domainsOf(resource)
  const { placement } = resource.row
  return {
    ...stampsOf(resource.row),
    name: resource._tag === "Application" ? resource.row.configuration.name : resource.row.name,
    type: typeOf(resource),
    status: resource.status,
    fqdn: domains === "" ? null : domains,
    project_uuid: placement.projectUuid,
    environment_uuid: placement.environmentUuid,
    environment_name: placement.environmentName,
    server_uuid: placement.serverUuid,
    destination_uuid: placement.destinationUuid
  }
}

/** Converts a member of a team to its API response. */
export const showMember = ({ createdAt, email, id, name, updatedAt, uuid }: Account) => ({
  id,
  account_uuid: uuid,
  name,
  email: email ?? "",
  email_verified_at: null,
  two_factor_confirmed_at: null,
  force_password_reset: false,
  marketing_emails: false,
  created_at: createdAt,
  updated_at: updatedAt
})

/** Converts a team with its members to its API response. */
export const showTeam = (
  { createdAt, description, id, name, tokenDays, updatedAt }: Team,
  members: ReadonlyArray<Account>
) => ({
  id,
  name,
  description,
  personal_team: false,
  members: members.map(showMember),
  token_days: tokenDays,
  ...coolifyTeamFields,
  created_at: createdAt,
  updated_at: updatedAt
})

const team = () =>
  Effect.gen(function* () {
    const proof = yield* granted("team.read")
    return showTeam(proof.resource.team, yield* Teams.members(proof))
  })

const members = () =>
  Effect.gen(function* () {
    return (yield* Teams.members(yield* granted("team.member.list"))).map(showMember)
  })

/** The handlers of resources on servers, and of teams. */
export const layerResources = HttpApiBuilder.group(Api, "resources", (handlers) =>
  handlers.handleAll({
    list: () =>
      Effect.gen(function* () {
        const proof = yield* granted("resource.read")
        return yield* answerStream(Stream.map(Resources.stream(proof), showResource))
      }),
    onServer: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.resource.list")
          return yield* answerStream(Stream.map(Resources.onServer(proof), showResource))
        })
      ),
    domainsOfServer: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.resource.list")
          return [yield* Resources.domainsOf(proof)]
        })
      ),
    listTeams: () =>
      Effect.gen(function* () {
        const proof = yield* granted("teams.read")
        return (yield* Teams.list(proof)).map((each) => showTeam(each, []))
      }),
    ownTeam: team,
    ownMembers: members,
    team,
    members
  })
)
