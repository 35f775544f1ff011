import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import { Effect, Option } from "effect"

/** Authorizes a caller to read secrets in the settings of the caller's team; undefined without permission. */
export const secretsOf = (caller: Caller): Effect.Effect<Authorized<"notification.secrets"> | undefined> =>
  Effect.map(Effect.option(authorize(caller, "notification.secrets")), Option.getOrUndefined)
