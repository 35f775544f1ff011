import type { BranchProtection, TagProtection } from "@slipway/domain/forge/code"
import { numberIn } from "@slipway/domain/forge/entry"
import { BranchProtections, type BranchRulesInput, type PeopleNames, TagProtections } from "@slipway/forge/code"
import { Effect } from "effect"
import type { BodyOf } from "../../../api/forge/base/endpoints.ts"
import {
  branchProtectionEndpoints,
  type EditBranchProtectionOption,
  tagProtectionEndpoints
} from "../../../api/forge/code/protections.ts"
import { renameFields } from "../base/show.ts"
import { handle, shown } from "../entry/handle.ts"

type Body = BodyOf<typeof EditBranchProtectionOption>

/** Returns an object without its undefined fields, so that an update leaves their stored values unchanged. */
const definedFields = <T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never

const rulesIn = (body: Body): BranchRulesInput => ({
  push: definedFields({
    enabled: body.enable_push,
    limited: body.enable_push_whitelist,
    deployKeys: body.push_whitelist_deploy_keys,
    users: body.push_whitelist_usernames,
    teams: body.push_whitelist_teams
  }),
  forcePush: definedFields({
    enabled: body.enable_force_push,
    limited: body.enable_force_push_allowlist,
    deployKeys: body.force_push_allowlist_deploy_keys,
    users: body.force_push_allowlist_usernames,
    teams: body.force_push_allowlist_teams
  }),
  merge: definedFields({
    limited: body.enable_merge_whitelist,
    users: body.merge_whitelist_usernames,
    teams: body.merge_whitelist_teams
  }),
  approvals: definedFields({
    limited: body.enable_approvals_whitelist,
    required: body.required_approvals,
    dismissStale: body.dismiss_stale_approvals,
    ignoreStale: body.ignore_stale_approvals,
    users: body.approvals_whitelist_username,
    teams: body.approvals_whitelist_teams
  }),
  statusChecks: definedFields({ enabled: body.enable_status_check, contexts: body.status_check_contexts }),
  ...definedFields({
    blockOnRejectedReviews: body.block_on_rejected_reviews,
    blockOnRequestedReviews: body.block_on_official_review_requests,
    blockOnOutdatedBranch: body.block_on_outdated_branch,
    blockAdminOverride: body.block_admin_merge_override,
    requireSignedCommits: body.require_signed_commits,
    protectedFiles: body.protected_file_patterns,
    unprotectedFiles: body.unprotected_file_patterns,
    priority: body.priority
  })
})

/** Returns the names of users or teams by id; ids without a name (hidden from the caller) are left out. */
const namesIn = <Id>(names: ReadonlyMap<Id, string>, ids: ReadonlyArray<Id>): ReadonlyArray<string> =>
  ids.flatMap((id) => names.get(id) ?? [])

const showBranch = ({ teams, users }: PeopleNames, rule: BranchProtection) => ({
  branch_name: rule.ruleName,
  rule_name: rule.ruleName,
  priority: rule.priority,
  enable_push: rule.push.enabled,
  enable_push_whitelist: rule.push.limited,
  push_whitelist_usernames: namesIn(users, rule.push.allowed.users),
  push_whitelist_teams: namesIn(teams, rule.push.allowed.teams),
  push_whitelist_deploy_keys: rule.push.deployKeys,
  enable_force_push: rule.forcePush.enabled,
  enable_force_push_allowlist: rule.forcePush.limited,
  force_push_allowlist_usernames: namesIn(users, rule.forcePush.allowed.users),
  force_push_allowlist_teams: namesIn(teams, rule.forcePush.allowed.teams),
  force_push_allowlist_deploy_keys: rule.forcePush.deployKeys,
  enable_merge_whitelist: rule.merge.limited,
  merge_whitelist_usernames: namesIn(users, rule.merge.allowed.users),
  merge_whitelist_teams: namesIn(teams, rule.merge.allowed.teams),
  enable_status_check: rule.statusChecks.enabled,
  status_check_contexts: rule.statusChecks.contexts,
  required_approvals: rule.approvals.required,
  enable_approvals_whitelist: rule.approvals.limited,
  approvals_whitelist_username: namesIn(users, rule.approvals.allowed.users),
  approvals_whitelist_teams: namesIn(teams, rule.approvals.allowed.teams),
  dismiss_stale_approvals: rule.approvals.dismissStale,
  ignore_stale_approvals: rule.approvals.ignoreStale,
  block_on_rejected_reviews: rule.blockOnRejectedReviews,
  block_on_official_review_requests: rule.blockOnRequestedReviews,
  block_on_outdated_branch: rule.blockOnOutdatedBranch,
  block_admin_merge_override: rule.blockAdminOverride,
  require_signed_commits: rule.requireSignedCommits,
  protected_file_patterns: rule.protectedFiles,
  unprotected_file_patterns: rule.unprotectedFiles,
  created_at: rule.createdAt,
  updated_at: rule.updatedAt
})

type Resource = Parameters<typeof BranchProtections.namesIn>[0]

const shownBranch = Effect.fnUntraced(function* (resource: Resource, rule: BranchProtection) {
  return shown(showBranch(yield* BranchProtections.namesIn(resource, [rule]), rule))
})

/** The handlers of the protections of branches. */
export const layerBranchProtections = handle(branchProtectionEndpoints, {
  "repository.branch-protection.list": ({ proof }) =>
    Effect.gen(function* () {
      const rules = yield* BranchProtections.list(proof)
      const names = yield* BranchProtections.namesIn(proof.resource, rules)
      return rules.map((rule) => showBranch(names, rule))
    }),
  "repository.branch-protection.create": ({ body: { branch_name, rule_name, ...body }, proof }) =>
    Effect.flatMap(BranchProtections.create(proof, (rule_name || branch_name) ?? "", rulesIn(body)), (rule) =>
      shownBranch(proof.resource, rule)
    ),
  "repository.branch-protection.read": ({ params, proof }) =>
    Effect.flatMap(BranchProtections.read(proof, params["*"]), (rule) => shownBranch(proof.resource, rule)),
  "repository.branch-protection.edit": ({ body, params, proof }) =>
    Effect.flatMap(BranchProtections.edit(proof, params["*"], rulesIn(body)), (rule) =>
      shownBranch(proof.resource, rule)
    ),
  "repository.branch-protection.delete": ({ params, proof }) => BranchProtections.remove(proof, params["*"]),
  "repository.branch-protection.prioritise": ({ body, proof }) => BranchProtections.prioritise(proof, body.ids)
})

const showTag = ({ teams, users }: PeopleNames, { allowed, ...rule }: TagProtection) => ({
  id: rule.id,
  name_pattern: rule.namePattern,
  whitelist_usernames: namesIn(users, allowed.users),
  whitelist_teams: namesIn(teams, allowed.teams),
  created_at: rule.createdAt,
  updated_at: rule.updatedAt
})

const shownTag = Effect.fnUntraced(function* (resource: Resource, rule: TagProtection) {
  return shown(showTag(yield* TagProtections.namesIn(resource, [rule]), rule))
})

const tagNames = { name_pattern: "namePattern", whitelist_usernames: "users", whitelist_teams: "teams" } as const

/** The handlers of the protections of tags. */
export const layerTagProtections = handle(tagProtectionEndpoints, {
  "repository.tag-protection.list": ({ proof }) =>
    Effect.gen(function* () {
      const rules = yield* TagProtections.list(proof)
      const names = yield* TagProtections.namesIn(proof.resource, rules)
      return rules.map((rule) => showTag(names, rule))
    }),
  "repository.tag-protection.create": ({ body, proof }) =>
    Effect.flatMap(TagProtections.create(proof, renameFields(body, tagNames)), (rule) =>
      shownTag(proof.resource, rule)
    ),
  "repository.tag-protection.read": ({ params, proof }) =>
    Effect.flatMap(TagProtections.read(proof, numberIn(params.id)), (rule) => shownTag(proof.resource, rule)),
  "repository.tag-protection.edit": ({ body, params, proof }) =>
    Effect.flatMap(TagProtections.edit(proof, numberIn(params.id), renameFields(body, tagNames)), (rule) =>
      shownTag(proof.resource, rule)
    ),
  "repository.tag-protection.delete": ({ params, proof }) => TagProtections.remove(proof, numberIn(params.id))
})
