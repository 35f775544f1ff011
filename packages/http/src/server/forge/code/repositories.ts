import type { PageRequest } from "@slipway/domain"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"
import { Repositories, RepositoryLists } from "@slipway/forge/code"
import { AccessPreview } from "@slipway/forge/explanation"
import { Migrations } from "@slipway/forge/integrations"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { BodyOf as Said } from "../../../api/forge/base/endpoints.ts"
import { isYes, type QueryFlag, withoutNulls } from "../../../api/forge/base/schemas.ts"
import type { MigrateRepoOptions } from "../../../api/forge/code/migrateOptions.ts"
import {
  type CreateRepoOption,
  type EditRepoOption,
  orders,
  type RepositorySearchQuery,
  repositoryEndpoints
} from "../../../api/forge/code/repositories.ts"

import { renameFields } from "../base/show.ts"
import { showRepositoriesTo, unitFields } from "../base/showRepositories.ts"
import { handle, orPreview } from "../entry/handle.ts"

const newRepository = (body: Said<typeof CreateRepoOption>) =>
  renameFields(body, {
    default_branch: "defaultBranch",
    auto_init: "autoInit",
    object_format_name: "objectFormat",
    issue_labels: "issueLabels"
  })

const migrationNames = {
  clone_addr: "address",
  repo_name: "name",
  repo_owner: "owner",
  auth_username: "username",
  auth_password: "password",
  auth_token: "token",
  mirror_interval: "interval"
} as const

const migration = ({
  issues = false,
  labels = false,
  lfs = false,
  milestones = false,
  pull_requests: pulls = false,
  releases = false,
  uid,
  ...body
}: Said<typeof MigrateRepoOptions>) => ({
  ...renameFields(body, migrationNames),
  // No user has the number 0, which clients send for none.
  ownerId: uid === 0 ? undefined : uid,
  parts: { issues, labels, lfs, milestones, pulls, releases }
})

const plainTracker = {
  external_tracker_format: "",
  external_tracker_style: "numeric",
  external_tracker_regexp_pattern: ""
} as const

type DefinedFields<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

const definedFields = <T extends object>(fields: T): DefinedFields<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>

const change = (body: Said<typeof EditRepoOption>): Repositories.RepositoryEdit => {
  const {
    has_actions,
    has_code,
    has_issues,
    has_packages,
    has_projects,
    has_pull_requests,
    has_releases,
    has_wiki,
    archived,
    default_branch,
    description,
    external_tracker,
    internal_tracker,
    name,
    private: hidden,
    template,
    website,
    ...preferences
  } = body
  const switches = {
    has_actions,
    has_code,
    has_issues,
    has_packages,
    has_projects,
    has_pull_requests,
    has_releases,
    has_wiki
  }
  const said = Object.fromEntries(Object.entries(switches).filter(([, on]) => on !== undefined))
  const set = { archived, defaultBranch: default_branch, description, name, private: hidden, template, website }
  return {
    ...definedFields(set),
    units: renameFields(said, unitFields),
    preferences: {
      ...preferences,
      ...(internal_tracker && { internal_tracker: withoutNulls(internal_tracker) }),
      ...(external_tracker && { external_tracker: { ...plainTracker, ...withoutNulls(external_tracker) } })
    }
  }
}

const yesOrNo = (flag: typeof QueryFlag.Type | undefined): boolean | undefined =>
  flag === undefined ? undefined : isYes(flag)

const searchOf = (query: typeof RepositorySearchQuery.Type): RepositoryLists.RepositorySearch => ({
  ...(isYes(query.topic) ? { topic: query.q?.trim() || undefined } : { text: query.q }),
  descriptions: isYes(query.includeDesc),
  // BOUNDARY: an unknown number finds nothing; clients send zero for none.
  user: (query.uid || undefined) as UserId | undefined,
  first: (query.priority_owner_id || undefined) as UserId | undefined,
  team: (query.team_id || undefined) as TeamId | undefined,
  starredBy: (query.starredBy || undefined) as UserId | undefined,
  exclusive: isYes(query.exclusive),
  kind: query.mode,
  // `is_private` selects one kind; `private` and `template` exclude one.
  private: yesOrNo(query.is_private) ?? (yesOrNo(query.private) === false ? false : undefined),
  template: yesOrNo(query.template) === false ? false : undefined,
  archived: yesOrNo(query.archived),
  order: query.sort && orders[query.sort],
  descending: query.sort !== undefined && query.order === "desc"
})

/** The handlers of repositories. */
export const layerRepositories = handle(
  repositoryEndpoints,
  {
    "repository.migrate": ({ body, proof }) => Migrations.migrate(proof, migration(body)),
    "account.repository.create": ({ body, proof }) => Repositories.create(proof, newRepository(body)),
    "organization.repository.create": ({ body, proof }) => Repositories.createIn(proof, newRepository(body)),
    "organization.repository.create-deprecated": ({ body, proof }) => Repositories.createIn(proof, newRepository(body)),
    "admin.user.repository.create": ({ body, params, proof }) =>
      Repositories.createFor(proof, params.username, newRepository(body)),
    "account.repository.list": ({ page, proof }) => RepositoryLists.ofSelf(proof, page),
    "user.repository.list": ({ page, proof }) => RepositoryLists.ofUser(proof, page),
    "organization.repository.list": ({ page, proof }) => RepositoryLists.ofOrganization(proof, page),
    "repository.search": ({ page, proof, query }) => RepositoryLists.search(proof, searchOf(query), page),
    "organization.repository.delete-all": ({ proof }) =>
      Effect.map(Repositories.removeAll(proof), (some) => HttpServerResponse.empty({ status: some ? 202 : 204 })),
    "repository.read": ({ proof }) => Effect.succeed(Repositories.read(proof)),
    "repository.read-by-id": ({ proof }) => Effect.succeed(Repositories.read(proof)),
    "repository.edit": (asked) => {
      const { proof } = asked
      const said = change(asked.body)
      const preview = (page: PageRequest) => AccessPreview.ofRepository(proof, Repositories.write(proof, said), page)
      return orPreview(asked, preview, Repositories.edit(proof, said))
    },
    "repository.delete": ({ proof }) => Repositories.remove(proof)
  },
  { showAllTo: showRepositoriesTo }
)
