import { Context, Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { AdditionalDestination } from "./AdditionalDestination.ts"

/**
 * Stores which applications are copies that run other applications at additional destinations.
 *
 * Must:
 * - return an additional destination as stored, by its application and by its copy
 * - find the additional destinations among several copies in one call
 * - list only the additional destinations of the given application, oldest first
 * - keep the first application of a copy
 * - remove an additional destination with either of its applications
 */
export class AdditionalDestinationStore extends Context.Service<
  AdditionalDestinationStore,
  {
    /**
     * Stores an additional destination. Returns false and stores nothing if one of its two applications does not exist,
     * or if the copy belongs to an application already.
     */
    readonly insert: (destination: AdditionalDestination) => Effect.Effect<boolean>
    /** Finds the additional destinations that some applications are copies for, in any order. */
    readonly among: (copies: ReadonlyArray<ApplicationUuid>) => Effect.Effect<ReadonlyArray<AdditionalDestination>>
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<AdditionalDestination>>
  }
>()("@slipway/domain/deploy/AdditionalDestinationStore") {}

/** Finds the application that an application is a copy of; undefined for an application that is no copy. */
export const originalOf = (application: ApplicationUuid) =>
  Effect.flatMap(AdditionalDestinationStore, (store) =>
    Effect.map(store.among([application]), ([found]) => found?.applicationUuid)
  )
