import { UserNotFound, UserRenamed, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** Finds a user by the current name, even if hidden from the caller. The service account is reported as missing. */
export const findUser = Effect.fnUntraced(function* (name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || found.user.system) return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})
