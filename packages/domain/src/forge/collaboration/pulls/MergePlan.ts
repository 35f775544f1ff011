import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { PushId } from "../../code/pushes/Push.ts"
import { type MergeStyle, mergeStyles } from "../../code/repositories/preferences.ts"
import type { NewEvent } from "../../identity/audit/Event.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { IssueId } from "../issues/Issue.ts"

/** The merge styles of pull requests. */
export const mergeStyleNames = Object.keys(mergeStyles) as ReadonlyArray<MergeStyle>

/** The options of a merge, as requested by the user. */
export interface MergeWish {
  readonly style: MergeStyle
  /** The title of the merge commit; if it is empty, the default title and message are used. */
  readonly title: string
  readonly message: string
  readonly deleteBranch: boolean
}

/**
 * A merge that was requested but is not finished. It starts immediately, or once all required checks succeed. When it
 * has started, `from` and `to` contain the old and new commit of the base branch.
 */
export interface MergePlan extends MergeWish {
  readonly id: number
  readonly issueId: IssueId
  readonly repositoryId: RepositoryId
  readonly mergerId: UserId
  /** The head commit when the merge was requested. If the head changes, the merge is cancelled. */
  readonly headSha: ObjectId
  /** The commits of the base branch before the merge (`from`) and after it (`to`); null until the merge starts. */
  readonly from: ObjectId | null
  readonly to: ObjectId | null
  /** The id of the stored push that moves the base branch; null until the merge starts. */
  readonly pushId: PushId | null
  /** The event that is recorded when the merge is complete. */
  readonly event: NewEvent
  readonly createdAt: string
}

/** The requested merges that are not finished, at most one per pull request. */
export const mergePlans = owned<MergePlan>()("mergePlan", {
  within: ["repositoryId", "issueId"],
  fields: {
    issueId: Fields.reference("issue"),
    repositoryId: Fields.reference("repository"),
    mergerId: Fields.reference("user"),
    style: Fields.oneOf(...mergeStyleNames),
    title: Fields.text(),
    message: Fields.text(),
    deleteBranch: Fields.boolean(),
    headSha: Fields.text(),
    from: Fields.nullable(Fields.text()),
    to: Fields.nullable(Fields.text()),
    event: Fields.json(),
    createdAt: Fields.time(),
    pushId: Fields.nullable(Fields.integer())
  },
  filters: ["headSha"],
  unique: { issue: ["issueId"] }
})
