import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import { Effect, Option } from "effect"

/** Returns the proof that a caller may read secrets of the settings of its team; undefined without permission. */
export const secretsOf = (caller: Caller): Effect.Effect<Authorized<"notification.secrets"> | undefined> =>
  Effect.map(Effect.option(authorize(caller, "notification.secrets")), Option.getOrUndefined)
