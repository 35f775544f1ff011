import { Schema } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

/** The maximum number of additional destinations of an application (invariant I25: bounded resources). */
export const mostAdditionalDestinations = 10

/**
 * An additional destination of an application: a separate application, its copy, runs the releases of the application
 * there. The placement of the copy names the destination.
 */
export interface AdditionalDestination {
  /** The application that the destination belongs to. */
  readonly applicationUuid: ApplicationUuid
  /** The separate application that runs the releases at the destination. */
  readonly copyUuid: ApplicationUuid
  readonly createdAt: string
}

/** The error when an application already has the maximum number of additional destinations; nothing was added. */
export class TooManyDestinations extends Schema.TaggedError<TooManyDestinations>()("TooManyDestinations", {}) {}
