import { Context, type Effect } from "effect"
import type { Collection } from "../../Collection.ts"
import type { Window } from "../../Page.ts"
import type { Application } from "./Application.ts"

/**
 * Keeps applications.
 *
 * Must:
 * - give back an application with the present name of its environment
 * - list and count only the applications with a tag, ignoring case, when one is asked for
 */
export class ApplicationStore extends Context.Service<
  ApplicationStore,
  Collection<Application> & {
    readonly tagged: (tag: string, window: Window) => Effect.Effect<ReadonlyArray<Application>>
    readonly countTagged: (tag: string) => Effect.Effect<number>
  }
>()("@slipway/domain/deploy/ApplicationStore") {}
