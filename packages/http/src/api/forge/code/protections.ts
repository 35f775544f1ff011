import { Schema } from "effect"
import { all, create, done, edit, endpoints, read, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, text } from "../base/schemas.ts"

const names = Schema.Array(Schema.String)

const switches = {
  enable_push: Schema.Boolean,
  enable_push_whitelist: Schema.Boolean,
  push_whitelist_deploy_keys: Schema.Boolean,
  enable_force_push: Schema.Boolean,
  enable_force_push_allowlist: Schema.Boolean,
  force_push_allowlist_deploy_keys: Schema.Boolean,
  enable_merge_whitelist: Schema.Boolean,
  enable_status_check: Schema.Boolean,
  enable_approvals_whitelist: Schema.Boolean,
  block_on_rejected_reviews: Schema.Boolean,
  block_on_official_review_requests: Schema.Boolean,
  block_on_outdated_branch: Schema.Boolean,
  block_admin_merge_override: Schema.Boolean,
  dismiss_stale_approvals: Schema.Boolean,
  ignore_stale_approvals: Schema.Boolean,
  require_signed_commits: Schema.Boolean
}

/** A branch protection as returned by the API; `rule_name` is the pattern of the protected branches. */
export const BranchProtection = Schema.Struct({
  branch_name: Schema.String,
  rule_name: Schema.String,
  priority: Schema.Int,
  ...switches,
  push_whitelist_usernames: names,
  push_whitelist_teams: names,
  force_push_allowlist_usernames: names,
  force_push_allowlist_teams: names,
  merge_whitelist_usernames: names,
  merge_whitelist_teams: names,
  approvals_whitelist_username: names,
  approvals_whitelist_teams: names,
  status_check_contexts: names,
  required_approvals: Schema.Int,
  protected_file_patterns: Schema.String,
  unprotected_file_patterns: Schema.String,
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "BranchProtection" })

const optional = <F extends Readonly<Record<string, Schema.Constraint>>>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, optionalNullable(schema)])) as unknown as {
    readonly [K in keyof F]: ReturnType<typeof optionalNullable<F[K]>>
  }

const nameList = Schema.Array(text(255)).check(Schema.isMaxLength(100))

const rules = optional({
  ...switches,
  priority: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
  push_whitelist_usernames: nameList,
  push_whitelist_teams: nameList,
  force_push_allowlist_usernames: nameList,
  force_push_allowlist_teams: nameList,
  merge_whitelist_usernames: nameList,
  merge_whitelist_teams: nameList,
  approvals_whitelist_username: nameList,
  approvals_whitelist_teams: nameList,
  status_check_contexts: nameList,
  required_approvals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
  protected_file_patterns: text(30_000),
  unprotected_file_patterns: text(30_000)
})

/** The request body that creates a branch protection; `branch_name` is a deprecated name of `rule_name`. */
export const CreateBranchProtectionOption = Schema.Struct({
  rule_name: optionalNullable(text(255)),
  branch_name: optionalNullable(text(255)),
  ...rules
}).annotate({ identifier: "CreateBranchProtectionOption" })

/** The request body that changes a branch protection. */
export const EditBranchProtectionOption = Schema.Struct(rules).annotate({ identifier: "EditBranchProtectionOption" })

/** The request body that sets the priorities of branch protections, by their order in a list of ids. */
export const UpdateBranchProtectionPriories = Schema.Struct({
  ids: Schema.Array(Schema.Int).check(Schema.isMaxLength(100))
}).annotate({ identifier: "UpdateBranchProtectionPriories" })

/** The endpoints of branch protections. */
export const branchProtectionEndpoints = endpoints(
  "branch-protections",
  "Rules for branches: permissions to push, and requirements to merge.",
  {
    "repository.branch-protection.list": all(BranchProtection),
    "repository.branch-protection.create": create(BranchProtection, { body: CreateBranchProtectionOption }),
    "repository.branch-protection.read": read(BranchProtection),
    "repository.branch-protection.edit": edit(BranchProtection, { body: EditBranchProtectionOption }),
    "repository.branch-protection.delete": remove(),
    "repository.branch-protection.prioritise": done({ body: UpdateBranchProtectionPriories })
  }
)

/** A tag protection as returned by the API; it protects the tags that match a pattern. */
export const TagProtection = Schema.Struct({
  id: Schema.Int,
  name_pattern: Schema.String,
  whitelist_usernames: names,
  whitelist_teams: names,
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "TagProtection" })

/** The request body that creates a tag protection. */
export const CreateTagProtectionOption = Schema.Struct({
  name_pattern: text(255),
  whitelist_usernames: optionalNullable(nameList),
  whitelist_teams: optionalNullable(nameList)
}).annotate({ identifier: "CreateTagProtectionOption" })

/** The request body that changes a tag protection. */
export const EditTagProtectionOption = Schema.Struct({
  name_pattern: optionalNullable(text(255)),
  whitelist_usernames: optionalNullable(nameList),
  whitelist_teams: optionalNullable(nameList)
}).annotate({ identifier: "EditTagProtectionOption" })

/** The endpoints of tag protections. */
export const tagProtectionEndpoints = endpoints(
  "tag-protections",
  "Rules for tags: permissions to create, move and delete them.",
  {
    "repository.tag-protection.list": all(TagProtection),
    "repository.tag-protection.create": create(TagProtection, { body: CreateTagProtectionOption }),
    "repository.tag-protection.read": read(TagProtection),
    "repository.tag-protection.edit": edit(TagProtection, { body: EditTagProtectionOption }),
    "repository.tag-protection.delete": remove()
  }
)
