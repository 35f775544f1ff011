import { Schema } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { whole } from "../fields/field.ts"

/** The schema of the number of a pull request in its repository. */
export const PullRequestId = whole(1, 2_147_483_647)

/** The maximum number of previews of an application (invariant I25: bounded resources). */
export const mostPreviews = 20

/** A preview: a separate application that deploys a pull request of another application. */
export interface Preview {
  /** The application that the preview belongs to. */
  readonly applicationUuid: ApplicationUuid
  readonly pullRequestId: number
  /** The separate application that deploys the pull request. */
  readonly previewUuid: ApplicationUuid
  /** The deployed branch; null if the commit is found by the pull request number, as for a pull request from a fork. */
  readonly branch: string | null
  readonly createdAt: string
}

/** The error for a pull request without a preview of the application. */
export class PreviewNotFound extends Schema.TaggedError<PreviewNotFound>()("PreviewNotFound", {}) {}

/** The error when an application already has the maximum number of previews; nothing was created. */
export class TooManyPreviews extends Schema.TaggedError<TooManyPreviews>()("TooManyPreviews", {}) {}
