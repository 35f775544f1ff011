import { TeamName } from "@slipway/domain/forge/identity"
import { Schema } from "effect"
import { create, done, edit, endpoints, list, read, remove, search } from "../base/endpoints.ts"
import { SearchFailedBody, ServerErrorBody } from "../base/errors.ts"
import { optionalNullable, QueryFlag, Repository, Team, TeamVisibility, text, User } from "../base/schemas.ts"

export { Team, TeamVisibility } from "../base/schemas.ts"

// The allowed values depend on each other: the rules of teams read them.
const settings = {
  description: optionalNullable(text(255)),
  includes_all_repositories: optionalNullable(Schema.Boolean),
  can_create_org_repo: optionalNullable(Schema.Boolean),
  permission: optionalNullable(text(20)),
  units: optionalNullable(Schema.Array(text(50)).check(Schema.isMaxLength(100))),
  units_map: optionalNullable(Schema.Record(text(50), text(20)).check(Schema.isMaxProperties(100))),
  visibility: optionalNullable(TeamVisibility)
}

/** The request body that creates a team. */
export const CreateTeamOption = Schema.Struct({ name: TeamName, ...settings }).annotate({
  identifier: "CreateTeamOption"
})

/** The request body that changes a team; omitted fields and an empty name stay unchanged. */
export const EditTeamOption = Schema.Struct({
  name: optionalNullable(Schema.Union([Schema.Literal(""), TeamName])),
  ...settings
}).annotate({ identifier: "EditTeamOption" })

const searched = { q: Schema.optionalKey(text(255)), include_desc: Schema.optionalKey(QueryFlag) }

/** The endpoints of teams. */
export const teamEndpoints = endpoints("teams", "Teams of organizations: their members and permissions.", {
  "organization.team.list": list(Team),
  "organization.team.create": create(Team, { body: CreateTeamOption, errors: [ServerErrorBody] }),
  "organization.team.search": search(Team, { query: searched, errors: [SearchFailedBody] }),
  "account.team.list": list(Team),
  "team.read": read(Team),
  "team.edit": edit(Team, { body: EditTeamOption, dryRun: true }),
  "team.delete": remove({ dryRun: true })
})

/** The endpoints of the members of teams. */
export const teamMemberEndpoints = endpoints("teamMembers", "Members of a team.", {
  "team.member.list": list(User),
  "team.member.read": read(User),
  "team.member.add": done({ dryRun: true }),
  "team.member.remove": done({ dryRun: true })
})

/** The endpoints of the repositories of teams. */
export const teamRepositoryEndpoints = endpoints("teamRepositories", "Repositories of a team.", {
  "team.repository.list": list(Repository),
  "team.repository.read": read(Repository),
  "team.repository.add": done({ dryRun: true }),
  "team.repository.remove": done({ dryRun: true })
})
