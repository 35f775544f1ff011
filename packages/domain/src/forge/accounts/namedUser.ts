import { Effect } from "effect"
import { UserNotFound, UserRenamed } from "./User.ts"
import { UserStore } from "./UserStore.ts"

/** Finds a user by their present name, whatever is hidden but the account of the service itself. */
export const named = Effect.fnUntraced(function* (name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || found.user.system) return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})
