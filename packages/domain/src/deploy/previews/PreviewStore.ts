import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { Preview } from "./Preview.ts"

/**
 * Keeps which applications are previews, of what.
 *
 * Must:
 * - give back a preview as it was put, by what it is of and by what it is
 * - keep one preview of a pull request of an application, whose branch may change
 * - list the previews of one application alone, by their pull requests
 * - forget a preview with either of its applications
 */
export class PreviewStore extends Context.Service<
  PreviewStore,
  {
    /** Stores a preview; of one that is there, its branch. False, and nothing, when one of its applications is gone. */
    readonly put: (preview: Preview) => Effect.Effect<boolean>
    readonly find: (application: ApplicationUuid, pullRequestId: number) => Effect.Effect<Preview | undefined>
    /** Finds what an application is a preview of. */
    readonly as: (preview: ApplicationUuid) => Effect.Effect<Preview | undefined>
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Preview>>
  }
>()("@slipway/domain/deploy/PreviewStore") {}
