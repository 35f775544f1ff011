import { Context, type Effect } from "effect"
import type { Window } from "../../../Page.ts"
import type { Visible, VisibleCollection } from "../../identity/grants/Visible.ts"
import type { KeyUsers } from "../keys/KeyUsers.ts"
import type { ConnectedForge, ForgeApp } from "./ForgeApp.ts"

/**
 * Stores app installations at git hosts, and connections to forges.
 *
 * Must:
 * - list and count the connections to forges only, oldest first, that a caller sees
 * - find the oldest connection to a forge that has the platform as a client
 * - list and count only the app installations with the given private key, in the order of insertion, that a caller sees
 */
export class ForgeAppStore extends Context.Service<
  ForgeAppStore,
  VisibleCollection<ForgeApp> &
    KeyUsers<ForgeApp> & {
      readonly connected: (window: Window, visible?: Visible) => Effect.Effect<ReadonlyArray<ConnectedForge>>
      readonly firstClient: Effect.Effect<ConnectedForge | undefined>
      readonly countConnected: (visible?: Visible) => Effect.Effect<number>
    }
>()("@slipway/domain/deploy/ForgeAppStore") {}
