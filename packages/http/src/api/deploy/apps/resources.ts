import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { NotFoundBody } from "../base/errors.ts"
import { stamps } from "../base/schemas.ts"
import { databaseTypes } from "../databases/databases.ts"

/** A resource on a server, as returned in lists. */
export const Resource = Schema.Struct({
  ...stamps,
  name: Schema.NullOr(Schema.String),
  type: Schema.Literals(["application", "service", ...databaseTypes]),
  status: Schema.String,
  fqdn: Schema.NullOr(Schema.String),
  project_uuid: Schema.String,
  environment_uuid: Schema.String,
  environment_name: Schema.String,
  server_uuid: Schema.String,
  destination_uuid: Schema.String
}).annotate({ identifier: "Resource" })

const Moment = Schema.NullOr(Schema.String)

/** A member of a team, with the fields that Coolify clients read. */
export const Member = Schema.Struct({
  id: Schema.Number,
  account_uuid: Schema.String,
  name: Schema.String,
  email: Schema.String,
  email_verified_at: Moment,
  two_factor_confirmed_at: Moment,
  force_password_reset: Schema.Boolean,
  marketing_emails: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Member" })

/** A team as returned by the API. */
export const Team = Schema.Struct({
  id: Schema.Number,
  name: Schema.String,
  description: Schema.String,
  personal_team: Schema.Boolean,
  /** The members of the team; empty in lists of teams. */
  members: Schema.Array(Member),
  token_days: Schema.NullOr(Schema.Number).annotate({
    description: "The maximum lifetime of new tokens of its members, in days; null for no limit."
  }),
  ...sameFields.team,
  created_at: Schema.String.annotate({ format: "date-time", description: "When the instance was first started." }),
  updated_at: Schema.String
}).annotate({ identifier: "Team" })

const uuid = { uuid: Schema.String }
const id = { id: Schema.String }

const members = "List the members of the team"

/** The endpoints of resources on servers, and of teams. */
export class ResourcesApi extends HttpApiGroup.make("resources")
  .add(
    HttpApiEndpoint.get("list", "/resources", { success: Schema.Array(Resource) })
      .annotate(OpenApi.Summary, "List all resources on servers")
      .pipe(access("resource.read")),
    HttpApiEndpoint.get("onServer", "/servers/:uuid/resources", {
      params: uuid,
      success: Schema.Array(Resource),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the applications on a server")
      .pipe(access("server.resource.list")),
    HttpApiEndpoint.get("domainsOfServer", "/servers/:uuid/domains", {
      params: uuid,
      success: Schema.Array(Schema.Struct({ ip: Schema.String, domains: Schema.Array(Schema.String) })),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the hosts of the applications on a server")
      .pipe(access("server.resource.list")),
    HttpApiEndpoint.get("listTeams", "/teams", { success: Schema.Array(Team) })
      .annotate(OpenApi.Summary, "List the teams of the caller")
      .pipe(access("teams.read")),
    HttpApiEndpoint.get("ownTeam", "/team", { success: Team, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read the team of the token in use")
      .pipe(access("team.read")),
    HttpApiEndpoint.get("ownMembers", "/team/members", { success: Schema.Array(Member), error: NotFoundBody })
      .annotate(OpenApi.Summary, members)
      .pipe(access("team.member.list")),
    HttpApiEndpoint.get("team", "/teams/:id", { params: id, success: Team, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a team by its number, or the token's team as `current`")
      .pipe(access("team.read")),
    HttpApiEndpoint.get("members", "/teams/:id/members", {
      params: id,
      success: Schema.Array(Member),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, members)
      .pipe(access("team.member.list"))
  )
  .annotate(OpenApi.Description, "Resources on servers, and their team.") {}
