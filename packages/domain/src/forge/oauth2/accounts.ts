import { Effect } from "effect"
import { admit } from "../access/admit.ts"
import { fullScope } from "../access/Scope.ts"
import { callerFacts } from "../accounts/Actor.ts"
import type { UserId } from "../accounts/User.ts"
import { UserStore } from "../accounts/UserStore.ts"
import { SiteSettings } from "../settings/SiteSettings.ts"

/** Finds a user whom programs may act for now: nobody who may not sign in (invariant I16). */
export const usable = Effect.fnUntraced(function* (id: UserId) {
  const user = yield* (yield* UserStore).find(id)
  if (user === undefined) return undefined
  const { switches } = yield* SiteSettings
  const facts = callerFacts(user, fullScope, { withPassword: false, sudo: false })
  return admit({ ...switches, ...facts }).allowed ? user : undefined
})
