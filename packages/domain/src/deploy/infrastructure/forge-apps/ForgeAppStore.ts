import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { Window } from "../../../Page.ts"
import type { ConnectedForge, ForgeApp } from "./ForgeApp.ts"

/**
 * Keeps installations of git-hosting apps, and connections to forges.
 *
 * Must:
 * - list and count the connections to forges only, oldest first
 */
export class ForgeAppStore extends Context.Service<
  ForgeAppStore,
  Collection<ForgeApp> & {
    readonly connected: (window: Window) => Effect.Effect<ReadonlyArray<ConnectedForge>>
    readonly countConnected: Effect.Effect<number>
  }
>()("@slipway/domain/deploy/ForgeAppStore") {}
