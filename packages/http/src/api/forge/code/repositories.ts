import { website } from "@slipway/domain/forge/base"
import {
  BranchName,
  ExternalTracker,
  ExternalWiki,
  InternalTracker,
  NewBranchName,
  Preferences,
  RepositoryName,
  type RepositoryOrder
} from "@slipway/domain/forge/code"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { check, create, done, edit, endpoints, list, raw, read, remove, search } from "../base/endpoints.ts"
import { LevelWord, optionalNullable, QueryFlag, QueryNumber, Repository, text, User } from "../base/schemas.ts"
import { Team } from "../identity/teams.ts"
import { MigrateRepoOptions } from "./migrateOptions.ts"

/** The request body that creates a repository. */
export const CreateRepoOption = Schema.Struct({
  name: RepositoryName,
  description: optionalNullable(text(2_048)),
  private: optionalNullable(Schema.Boolean),
  template: optionalNullable(Schema.Boolean),
  default_branch: optionalNullable(NewBranchName),
  object_format_name: optionalNullable(Schema.Literals(["sha1", "sha256"])),
  auto_init: optionalNullable(Schema.Boolean),
  readme: optionalNullable(text(100)),
  gitignores: optionalNullable(text(1_000)),
  license: optionalNullable(text(100)),
  issue_labels: optionalNullable(text(100))
}).annotate({ identifier: "CreateRepoOption" })

const { external_tracker: _, external_wiki: __, internal_tracker: ___, ...plainPreferences } = Preferences.fields
const { external_tracker_url, ...trackerFields } = ExternalTracker.fields

const optionals = <F extends Readonly<Record<string, Schema.Constraint>>>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, optionalNullable(schema)])) as unknown as {
    readonly [K in keyof F]: ReturnType<typeof optionalNullable<F[K]>>
  }

/** The request body that changes a repository. */
export const EditRepoOption = Schema.Struct({
  name: optionalNullable(RepositoryName),
  description: optionalNullable(text(2_048)),
  website: optionalNullable(website(1_024)),
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
  has_actions: optionalNullable(Schema.Boolean),
  ...optionals(plainPreferences),
  internal_tracker: optionalNullable(Schema.Struct(optionals(InternalTracker.fields))),
  external_tracker: optionalNullable(Schema.Struct({ external_tracker_url, ...optionals(trackerFields) })),
  external_wiki: optionalNullable(ExternalWiki)
}).annotate({ identifier: "EditRepoOption" })

/** The request body that grants a user an access level on a repository; the default is `write`. */
export const AddCollaboratorOption = Schema.Struct({
  permission: optionalNullable(Schema.Literals(["read", "write", "admin"]))
}).annotate({ identifier: "AddCollaboratorOption" })

/** The permissions of a user on a repository. */
export const RepoCollaboratorPermission = Schema.Struct({
  permission: LevelWord,
  role_name: LevelWord,
  units: Schema.Record(Schema.String, LevelWord).annotate({ description: "The level on each unit, by its key." }),
  user: User
}).annotate({ identifier: "RepoCollaboratorPermission" })

/** Maps the values of the query parameter `sort` to the sort orders of the domain. */
export const orders = {
  alpha: "fullName",
  created: "createdAt",
  updated: "updatedAt",
  size: "size",
  stars: "stars",
  forks: "forks",
  git_size: "size",
  id: "id"
} as const satisfies Readonly<Record<string, RepositoryOrder>>

/** The query parameters of a repository search. */
export const RepositorySearchQuery = Schema.Struct({
  q: Schema.optionalKey(text(255)),
  topic: Schema.optionalKey(QueryFlag),
  includeDesc: Schema.optionalKey(QueryFlag),
  uid: Schema.optionalKey(QueryNumber),
  exclusive: Schema.optionalKey(QueryFlag),
  priority_owner_id: Schema.optionalKey(QueryNumber),
  team_id: Schema.optionalKey(QueryNumber),
  starredBy: Schema.optionalKey(QueryNumber),
  private: Schema.optionalKey(QueryFlag),
  is_private: Schema.optionalKey(QueryFlag),
  template: Schema.optionalKey(QueryFlag),
  archived: Schema.optionalKey(QueryFlag),
  mode: Schema.optionalKey(Schema.Literals(["source", "fork", "mirror", "collaborative"])),
  sort: Schema.optionalKey(Schema.Literals(Object.keys(orders) as ReadonlyArray<keyof typeof orders>)),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"]))
})

/** The endpoints of repositories. */
export const repositoryEndpoints = endpoints(
  "repositories",
  "Repositories of users and organizations, each with a git repository.",
  {
    "repository.migrate": create(Repository, { body: MigrateRepoOptions }),
    "account.repository.create": create(Repository, { body: CreateRepoOption }),
    "organization.repository.create": create(Repository, { body: CreateRepoOption }),
    "organization.repository.create-deprecated": create(Repository, { body: CreateRepoOption }),
    "admin.user.repository.create": create(Repository, { body: CreateRepoOption }),
    "account.repository.list": list(Repository),
    "user.repository.list": list(Repository),
    "organization.repository.list": list(Repository),
    "repository.search": search(Repository, { query: RepositorySearchQuery.fields }),
    "organization.repository.delete-all": raw({ status: 204, others: [HttpApiSchema.Empty(202)] }),
    "repository.read": read(Repository),
    "repository.read-by-id": read(Repository),
    "repository.edit": edit(Repository, { body: EditRepoOption, dryRun: true }),
    "repository.delete": remove()
  }
)

/** The endpoints of the collaborators of a repository. */
export const collaboratorEndpoints = endpoints("collaborators", "Users with a direct grant on a repository.", {
  "repository.collaborator.list": list(User),
  "repository.collaborator.check": check(),
  "repository.collaborator.add": done({ body: AddCollaboratorOption }),
  "repository.collaborator.remove": done(),
  "repository.collaborator.permission": read(RepoCollaboratorPermission)
})

/** The endpoints of the teams with access to a repository. */
export const repositoryTeamEndpoints = endpoints("repositoryTeams", "Teams with access to a repository.", {
  "repository.team.list": list(Team),
  "repository.team.check": read(Team),
  "repository.team.add": done(),
  "repository.team.remove": done()
})
