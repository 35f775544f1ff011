import { BranchName, RepositoryName } from "@slipway/domain/forge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { AccessChanges, dryRunQuery } from "./effectiveAccess.ts"
import { ForbiddenBody, NotFoundBody } from "./errors.ts"
import {
  LevelWord,
  optionalNullable,
  organizationParams,
  pageQuery,
  Repository,
  text,
  User,
  userParams
} from "./schemas.ts"
import { Team } from "./teams.ts"

/** The body that creates a repository. */
export const CreateRepoOption = Schema.Struct({
  name: RepositoryName,
  description: optionalNullable(text(2_048)),
  private: optionalNullable(Schema.Boolean),
  template: optionalNullable(Schema.Boolean),
  default_branch: optionalNullable(BranchName),
  object_format_name: optionalNullable(Schema.Literal("sha1")),
  auto_init: optionalNullable(Schema.Boolean),
  readme: optionalNullable(text(100)),
  gitignores: optionalNullable(text(1_000)),
  license: optionalNullable(text(100))
}).annotate({ identifier: "CreateRepoOption" })

/** The body that changes a repository. */
export const EditRepoOption = Schema.Struct({
  name: optionalNullable(RepositoryName),
  description: optionalNullable(text(2_048)),
  website: optionalNullable(text(1_024)),
  private: optionalNullable(Schema.Boolean),
  archived: optionalNullable(Schema.Boolean),
  template: optionalNullable(Schema.Boolean),
  default_branch: optionalNullable(BranchName),
  has_code: optionalNullable(Schema.Boolean),
  has_issues: optionalNullable(Schema.Boolean),
  has_pull_requests: optionalNullable(Schema.Boolean),
  has_releases: optionalNullable(Schema.Boolean),
  has_wiki: optionalNullable(Schema.Boolean),
  has_projects: optionalNullable(Schema.Boolean),
  has_packages: optionalNullable(Schema.Boolean),
  has_actions: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "EditRepoOption" })

/** The body that gives somebody a level on a repository; `write` where none is named. */
export const AddCollaboratorOption = Schema.Struct({
  permission: optionalNullable(Schema.Literals(["read", "write", "admin"]))
}).annotate({ identifier: "AddCollaboratorOption" })

/** What somebody may do with a repository. */
export const RepoCollaboratorPermission = Schema.Struct({
  permission: LevelWord,
  role_name: LevelWord,
  units: Schema.Record(Schema.String, LevelWord).annotate({ description: "The level on each unit, by its key." }),
  user: User
}).annotate({ identifier: "RepoCollaboratorPermission" })

const params = { username: Schema.String, reponame: Schema.String }
const made = Repository.pipe(HttpApiSchema.status(201))
const page = { query: pageQuery, success: Schema.Array(Repository) }

/** The endpoints of repositories. */
export class RepositoriesApi extends HttpApiGroup.make("repositories")
  .add(
    HttpApiEndpoint.post("create", "/user/repos", { payload: CreateRepoOption, success: made, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Create a repository of one's own")
      .pipe(access("account.repository.create")),
    HttpApiEndpoint.post("createIn", "/orgs/:org/repos", {
      params: organizationParams,
      payload: CreateRepoOption,
      success: made,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Create a repository of an organization")
      .pipe(access("organization.repository.create")),
    HttpApiEndpoint.post("createInDeprecated", "/org/:org/repos", {
      params: organizationParams,
      payload: CreateRepoOption,
      success: made,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Create a repository of an organization")
      .annotate(OpenApi.Deprecated, true)
      .pipe(access("organization.repository.create-deprecated")),
    HttpApiEndpoint.post("createFor", "/admin/users/:username/repos", {
      params: userParams,
      payload: CreateRepoOption,
      success: made,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Create a repository of another user")
      .pipe(access("admin.user.repository.create")),
    HttpApiEndpoint.get("own", "/user/repos", page)
      .annotate(OpenApi.Summary, "List one's repositories")
      .pipe(access("account.repository.list")),
    HttpApiEndpoint.get("ofUser", "/users/:username/repos", { ...page, params: userParams })
      .annotate(OpenApi.Summary, "List the repositories of a user that one has access to")
      .pipe(access("user.repository.list")),
    HttpApiEndpoint.get("ofOrganization", "/orgs/:org/repos", { ...page, params: organizationParams })
      .annotate(OpenApi.Summary, "List the repositories of an organization that one has access to")
      .pipe(access("organization.repository.list")),
    HttpApiEndpoint.get("search", "/repos/search", {
      query: { q: Schema.optionalKey(text(255)), ...pageQuery },
      success: Schema.Struct({ ok: Schema.Literal(true), data: Schema.Array(Repository) })
    })
      .annotate(OpenApi.Summary, "Find repositories that one has access to by a part of their name")
      .pipe(access("repository.search")),
    HttpApiEndpoint.delete("removeAll", "/orgs/:org/repos", {
      params: organizationParams,
      success: [HttpApiSchema.NoContent, HttpApiSchema.Empty(202)],
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Delete the repositories of an organization, in the background")
      .pipe(access("organization.repository.delete-all")),
    HttpApiEndpoint.get("read", "/repos/:username/:reponame", { params, success: Repository })
      .annotate(OpenApi.Summary, "Read a repository")
      .pipe(access("repository.read")),
    HttpApiEndpoint.get("readById", "/repositories/:id", { params: { id: Schema.String }, success: Repository })
      .annotate(OpenApi.Summary, "Read a repository by its number")
      .pipe(access("repository.read-by-id")),
    HttpApiEndpoint.patch("edit", "/repos/:username/:reponame", {
      params,
      query: dryRunQuery,
      payload: EditRepoOption,
      success: Schema.Union([Repository, AccessChanges]),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Change a repository; an old name leads to it")
      .pipe(access("repository.edit")),
    HttpApiEndpoint.delete("remove", "/repos/:username/:reponame", {
      params,
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Delete a repository")
      .pipe(access("repository.delete"))
  )
  .annotate(OpenApi.Description, "Repositories of users and organizations, each with a git repository behind it.") {}

const collaborator = { ...params, collaborator: Schema.String }

/** The endpoints of those who collaborate on a repository. */
export class CollaboratorsApi extends HttpApiGroup.make("collaborators")
  .add(
    HttpApiEndpoint.get("list", "/repos/:username/:reponame/collaborators", {
      params,
      query: pageQuery,
      success: Schema.Array(User)
    })
      .annotate(OpenApi.Summary, "List the collaborators of a repository")
      .pipe(access("repository.collaborator.list")),
    HttpApiEndpoint.get("check", "/repos/:username/:reponame/collaborators/:collaborator", {
      params: collaborator,
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Ask whether a user collaborates on a repository")
      .pipe(access("repository.collaborator.check")),
    HttpApiEndpoint.put("add", "/repos/:username/:reponame/collaborators/:collaborator", {
      params: collaborator,
      payload: AddCollaboratorOption,
      success: HttpApiSchema.NoContent,
      error: [NotFoundBody, ForbiddenBody]
    })
      .annotate(OpenApi.Summary, "Give a user a level on a repository")
      .pipe(access("repository.collaborator.add")),
    HttpApiEndpoint.delete("remove", "/repos/:username/:reponame/collaborators/:collaborator", {
      params: collaborator,
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Take the level of a collaborator")
      .pipe(access("repository.collaborator.remove")),
    HttpApiEndpoint.get("permission", "/repos/:username/:reponame/collaborators/:collaborator/permission", {
      params: collaborator,
      success: RepoCollaboratorPermission,
      error: [NotFoundBody, ForbiddenBody]
    })
      .annotate(OpenApi.Summary, "Ask what a user may do with a repository, by teams too")
      .pipe(access("repository.collaborator.permission"))
  )
  .annotate(OpenApi.Description, "Users who were given a level on a repository.") {}

const team = { ...params, team: Schema.String }

/** The endpoints of the teams that hold a repository. */
export class RepositoryTeamsApi extends HttpApiGroup.make("repositoryTeams")
  .add(
    HttpApiEndpoint.get("list", "/repos/:username/:reponame/teams", {
      params,
      query: pageQuery,
      success: Schema.Array(Team),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the teams that hold a repository")
      .pipe(access("repository.team.list")),
    HttpApiEndpoint.get("check", "/repos/:username/:reponame/teams/:team", {
      params: team,
      success: Team,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a team that holds a repository")
      .pipe(access("repository.team.check")),
    HttpApiEndpoint.put("add", "/repos/:username/:reponame/teams/:team", {
      params: team,
      success: HttpApiSchema.NoContent,
      error: [NotFoundBody, ForbiddenBody]
    })
      .annotate(OpenApi.Summary, "Let a team hold a repository")
      .pipe(access("repository.team.add")),
    HttpApiEndpoint.delete("remove", "/repos/:username/:reponame/teams/:team", {
      params: team,
      success: HttpApiSchema.NoContent,
      error: [NotFoundBody, ForbiddenBody]
    })
      .annotate(OpenApi.Summary, "Let a team let go of a repository")
      .pipe(access("repository.team.remove"))
  )
  .annotate(OpenApi.Description, "Teams that hold a repository.") {}
