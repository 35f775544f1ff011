import { Schema } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import { TeamId } from "../../identity/teams/Team.ts"
import { UserId } from "../../identity/users/User.ts"

/** The schema of the id of a branch protection. */
export const BranchProtectionId = Schema.Int.pipe(Schema.brand("BranchProtectionId"))
export type BranchProtectionId = typeof BranchProtectionId.Type

/** The schema of the users and teams to which an operation is limited. */
export const AllowedPeople = Schema.Struct({ users: Schema.Array(UserId), teams: Schema.Array(TeamId) })
export type AllowedPeople = typeof AllowedPeople.Type

/** The schema of a permission for all users with write access, or, if `limited`, only for the allowed ones. */
export const Permitted = Schema.Struct({ limited: Schema.Boolean, allowed: AllowedPeople })
export type Permitted = typeof Permitted.Type

/** The schema of a push permission: disabled for all, or enabled for permitted users and optionally deploy keys. */
export const PermittedPush = Schema.Struct({
  ...Permitted.fields,
  enabled: Schema.Boolean,
  /** Whether deploy keys with write access may push if the permission is limited. */
  deployKeys: Schema.Boolean
})
export type PermittedPush = typeof PermittedPush.Type

/** The schema of the rules of a branch protection, which repository administrators choose. */
export const BranchRules = Schema.Struct({
  push: PermittedPush,
  forcePush: PermittedPush,
  merge: Permitted,
  /** The number of approvals that a merge requires, and the reviewers with approvals that count. */
  approvals: Schema.Struct({
    ...Permitted.fields,
    required: Schema.Int,
    dismissStale: Schema.Boolean,
    ignoreStale: Schema.Boolean
  }),
  statusChecks: Schema.Struct({ enabled: Schema.Boolean, contexts: Schema.Array(Schema.String) }),
  blockOnRejectedReviews: Schema.Boolean,
  blockOnRequestedReviews: Schema.Boolean,
  blockOnOutdatedBranch: Schema.Boolean,
  /** Whether administrators of the repository also cannot merge if conditions are not met. */
  blockAdminOverride: Schema.Boolean,
  requireSignedCommits: Schema.Boolean,
  /** Globs, separated by semicolons, of files that no push and no merge can change. */
  protectedFiles: Schema.String,
  /** Globs, separated by semicolons, of files that every user with write access may change by a push. */
  unprotectedFiles: Schema.String
})
export type BranchRules = typeof BranchRules.Type

/** A branch protection: rules for all branches of a repository with a name that matches `ruleName`. */
export interface BranchProtection extends BranchRules {
  readonly id: BranchProtectionId
  readonly repositoryId: RepositoryId
  /** The name of a branch, or a glob. */
  readonly ruleName: string
  /** The priority: if several protections match a branch, the one with the smallest number applies. */
  readonly priority: number
  readonly createdAt: string
  readonly updatedAt: string
}

const nobody: AllowedPeople = { users: [], teams: [] }

/** The default rules of a branch protection: no user may push, and every user with write access may merge. */
export const strictRules: BranchRules = {
  push: { enabled: false, limited: false, allowed: nobody, deployKeys: false },
  forcePush: { enabled: false, limited: false, allowed: nobody, deployKeys: false },
  merge: { limited: false, allowed: nobody },
  approvals: { limited: false, allowed: nobody, required: 0, dismissStale: false, ignoreStale: false },
  statusChecks: { enabled: false, contexts: [] },
  blockOnRejectedReviews: false,
  blockOnRequestedReviews: false,
  blockOnOutdatedBranch: false,
  blockAdminOverride: false,
  requireSignedCommits: false,
  protectedFiles: "",
  unprotectedFiles: ""
}
