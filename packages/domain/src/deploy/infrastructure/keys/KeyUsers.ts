import type { Effect } from "effect"
import type { Window } from "../../../Page.ts"
import type { Visible } from "../../identity/grants/Visible.ts"
import type { PrivateKeyUuid } from "./PrivateKey.ts"

/** Lists of rows that use a private key, such as servers. */
export interface KeyUsers<Row> {
  /** Lists the rows with a key that a caller sees, in the order of insertion. */
  readonly withKey: (key: PrivateKeyUuid, window: Window, visible?: Visible) => Effect.Effect<ReadonlyArray<Row>>
  readonly countWithKey: (key: PrivateKeyUuid, visible?: Visible) => Effect.Effect<number>
}
