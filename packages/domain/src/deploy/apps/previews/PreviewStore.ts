import { Context, Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { Preview } from "./Preview.ts"

/**
 * Stores which applications are previews of which pull requests.
 *
 * Must:
 * - return a preview as stored, by its pull request and by its application
 * - find the previews among several applications in one call
 * - keep one preview per pull request of an application, and update its branch
 * - list only the previews of the given application, by pull request
 * - remove a preview with either of its applications
 */
export class PreviewStore extends Context.Service<
  PreviewStore,
  {
    /**
     * Stores a preview, or updates the branch of an existing one. Returns false and stores nothing if one of its two
     * applications does not exist.
     */
    readonly put: (preview: Preview) => Effect.Effect<boolean>
    readonly find: (application: ApplicationUuid, pullRequestId: number) => Effect.Effect<Preview | undefined>
    /** Finds the previews among some applications, in any order. */
    readonly among: (applications: ReadonlyArray<ApplicationUuid>) => Effect.Effect<ReadonlyArray<Preview>>
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Preview>>
  }
>()("@slipway/domain/deploy/PreviewStore") {}

/** Finds a preview by the uuid of its application; undefined for a regular application. */
export const previewAs = (application: ApplicationUuid) =>
  Effect.flatMap(PreviewStore, (store) => Effect.map(store.among([application]), ([preview]) => preview))
