import { TeamName, teamVisibilities, unitKeys } from "@slipway/domain/forge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { AccessChanges, dryRunQuery } from "./effectiveAccess.ts"
import { NotFoundBody, ServerErrorBody } from "./errors.ts"
import { LevelWord, Organization, optionalNullable, pageQuery, QueryFlag, Repository, text, User } from "./schemas.ts"

/** Who sees a team besides its members and the owners of its organization. */
export const TeamVisibility = Schema.Literals(teamVisibilities)

const UnitKey = Schema.Literals(unitKeys)

/** A team as it is shown; `permission` and `units` follow from `units_map`. */
export const Team = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  description: Schema.String,
  organization: Schema.optionalKey(Organization),
  includes_all_repositories: Schema.Boolean,
  can_create_org_repo: Schema.Boolean,
  permission: LevelWord.annotate({ description: "The lowest level that the team has on a unit." }),
  units: Schema.Array(UnitKey),
  units_map: Schema.Record(Schema.String, LevelWord).annotate({ description: "The level on each unit, by its key." }),
  visibility: TeamVisibility
}).annotate({ identifier: "Team" })

// What these words may be depends on each other: the rules of teams read them.
const settings = {
  description: optionalNullable(text(255)),
  includes_all_repositories: optionalNullable(Schema.Boolean),
  can_create_org_repo: optionalNullable(Schema.Boolean),
  permission: optionalNullable(text(20)),
  units: optionalNullable(Schema.Array(text(50)).check(Schema.isMaxLength(100))),
  units_map: optionalNullable(Schema.Record(text(50), text(20)).check(Schema.isMaxProperties(100))),
  visibility: optionalNullable(TeamVisibility)
}

/** The body that creates a team. */
export const CreateTeamOption = Schema.Struct({ name: TeamName, ...settings }).annotate({
  identifier: "CreateTeamOption"
})

/** The body that changes a team; what is left out stays, and so does the name when it is empty. */
export const EditTeamOption = Schema.Struct({
  name: optionalNullable(Schema.Union([Schema.Literal(""), TeamName])),
  ...settings
}).annotate({ identifier: "EditTeamOption" })

const org = { org: Schema.String }
const team = { id: Schema.String.annotate({ description: "The number of the team." }) }
const member = { ...team, username: Schema.String }
const repository = { ...team, org: Schema.String, repo: Schema.String }

/** The endpoints of teams. */
export class TeamsApi extends HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.get("list", "/orgs/:org/teams", { params: org, query: pageQuery, success: Schema.Array(Team) })
      .annotate(OpenApi.Summary, "List the teams of an organization that one sees")
      .pipe(access("organization.team.list")),
    HttpApiEndpoint.post("create", "/orgs/:org/teams", {
      params: org,
      payload: CreateTeamOption,
      success: Team.pipe(HttpApiSchema.status(201)),
      error: [NotFoundBody, ServerErrorBody]
    })
      .annotate(OpenApi.Summary, "Create a team")
      .pipe(access("organization.team.create")),
    HttpApiEndpoint.get("search", "/orgs/:org/teams/search", {
      params: org,
      query: {
        q: Schema.optionalKey(text(255)),
        include_desc: Schema.optionalKey(QueryFlag),
        ...pageQuery
      },
      success: Schema.Union([
        Schema.Struct({ ok: Schema.Literal(true), data: Schema.Array(Team) }),
        Schema.Struct({ ok: Schema.Literal(false), error: Schema.String })
      ])
    })
      .annotate(OpenApi.Summary, "Find teams by a part of their name or description")
      .pipe(access("organization.team.search")),
    HttpApiEndpoint.get("own", "/user/teams", { query: pageQuery, success: Schema.Array(Team) })
      .annotate(OpenApi.Summary, "List the teams that one is in")
      .pipe(access("account.team.list")),
    HttpApiEndpoint.get("read", "/teams/:id", { params: team, success: Team })
      .annotate(OpenApi.Summary, "Read a team")
      .pipe(access("team.read")),
    HttpApiEndpoint.patch("edit", "/teams/:id", {
      params: team,
      payload: EditTeamOption,
      query: dryRunQuery,
      success: Schema.Union([Team, AccessChanges]),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Change a team")
      .pipe(access("team.edit")),
    HttpApiEndpoint.delete("delete", "/teams/:id", {
      params: team,
      query: dryRunQuery,
      success: [HttpApiSchema.NoContent, AccessChanges],
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Delete a team; its repositories stay")
      .pipe(access("team.delete")),
    HttpApiEndpoint.get("members", "/teams/:id/members", {
      params: team,
      query: pageQuery,
      success: Schema.Array(User)
    })
      .annotate(OpenApi.Summary, "List the members of a team")
      .pipe(access("team.member.list")),
    HttpApiEndpoint.get("member", "/teams/:id/members/:username", {
      params: member,
      success: User,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a member of a team")
      .pipe(access("team.member.read")),
    HttpApiEndpoint.put("addMember", "/teams/:id/members/:username", {
      params: member,
      query: dryRunQuery,
      success: [HttpApiSchema.NoContent, AccessChanges],
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Add a member to a team")
      .pipe(access("team.member.add")),
    HttpApiEndpoint.delete("removeMember", "/teams/:id/members/:username", {
      params: member,
      query: dryRunQuery,
      success: [HttpApiSchema.NoContent, AccessChanges],
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Take a member out of a team")
      .pipe(access("team.member.remove")),
    HttpApiEndpoint.get("repositories", "/teams/:id/repos", {
      params: team,
      query: pageQuery,
      success: Schema.Array(Repository)
    })
      .annotate(OpenApi.Summary, "List the repositories of a team that one has access to")
      .pipe(access("team.repository.list")),
    HttpApiEndpoint.get("repository", "/teams/:id/repos/:org/:repo", {
      params: repository,
      success: Repository,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a repository of a team")
      .pipe(access("team.repository.read")),
    HttpApiEndpoint.put("addRepository", "/teams/:id/repos/:org/:repo", {
      params: repository,
      query: dryRunQuery,
      success: [HttpApiSchema.NoContent, AccessChanges],
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Let a team hold a repository of its organization")
      .pipe(access("team.repository.add")),
    HttpApiEndpoint.delete("removeRepository", "/teams/:id/repos/:org/:repo", {
      params: repository,
      query: dryRunQuery,
      success: [HttpApiSchema.NoContent, AccessChanges],
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Let a team let go of a repository, which stays")
      .pipe(access("team.repository.remove"))
  )
  .annotate(OpenApi.Description, "Teams of organizations: who is in them, and what they may do.") {}
