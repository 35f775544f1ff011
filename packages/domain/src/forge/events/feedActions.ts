import type { ActionName } from "../access/actions.ts"
import type { Unit } from "../access/facts/Unit.ts"
import type { Details, NewEvent } from "../identity/audit/Event.ts"

/** The repository units (features with separate permissions, such as code or issues) with activities. */
export const feedUnits = [
  "repo.code",
  "repo.issues",
  "repo.pulls",
  "repo.releases"
] as const satisfies ReadonlyArray<Unit>
export type FeedUnit = (typeof feedUnits)[number]

/**
 * The actions that activity feeds show, each with the unit that a viewer must be able to read; undefined if access to
 * the repository is enough.
 *
 * For an action with `in details`, an event is shown only if its details contain a unit.
 */
export const feedActions = {
  "account.repository.create": undefined,
  "admin.user.repository.create": undefined,
  "organization.repository.create": undefined,
  "organization.repository.create-deprecated": undefined,
  "repository.edit": undefined,
  "git.push": "repo.code",
  "issue.create": "in details",
  "issue.edit": "in details",
  "issue.comment.create": "in details",
  "pull.create": "in details",
  "pull.edit": "in details",
  "pull.merge": "in details",
  "repository.release.create": "in details",
  "repository.release.edit": "in details"
} as const satisfies { readonly [A in ActionName]?: FeedUnit | "in details" | undefined }

/** The name of an action that activity feeds show. */
export type FeedAction = keyof typeof feedActions

/** The ids of the resources of an activity; the activity is removed when one of them is removed. */
export interface FeedSubjects {
  readonly issueId?: number | undefined
  readonly commentId?: number | undefined
  readonly releaseId?: number | undefined
}

/**
 * The resources of an activity and its unit (a feature with separate permissions); null if access to the repository is
 * enough.
 */
export interface FeedPart extends FeedSubjects {
  readonly unit: FeedUnit | null
}

const shown = 200

/**
 * Returns the event details with which feeds show an event: the unit that a viewer must be able to read, the resources,
 * and a text of at most 200 characters.
 */
export const activityDetails = (
  unit: FeedUnit,
  { commentId, issueId, releaseId }: FeedSubjects,
  text: string
): Details => ({
  unit,
  ...(issueId === undefined ? {} : { issueId }),
  ...(commentId === undefined ? {} : { commentId }),
  ...(releaseId === undefined ? {} : { releaseId }),
  text: text.slice(0, shown).toWellFormed()
})

const numberOf = (value: Details[string] | undefined) => (typeof value === "number" ? value : undefined)

/**
 * Returns the unit and the resources of an event for activity feeds; undefined if feeds do not show the event.
 *
 * ```ts
 * import { feedPartOf } from "./feedActions.ts"
 *
 * feedPartOf({ action: "repository.edit", details: {} }) // => { unit: null }
 * feedPartOf({ action: "git.push", details: {} }) // => { unit: "repo.code" }
 * feedPartOf({ action: "issue.edit", details: { changed: "title" } }) // => undefined
 * feedPartOf({ action: "repository.delete", details: {} }) // => undefined
 * ```
 */
export const feedPartOf = ({ action, details }: Pick<NewEvent, "action" | "details">): FeedPart | undefined => {
  if (!Object.hasOwn(feedActions, action)) return undefined
  const named = feedActions[action as FeedAction]
  if (named === undefined) return { unit: null }
  if (named !== "in details") return { unit: named }
  const unit = feedUnits.find((each) => each === details.unit)
  return (
    unit && {
      unit,
      issueId: numberOf(details.issueId),
      commentId: numberOf(details.commentId),
      releaseId: numberOf(details.releaseId)
    }
  )
}
