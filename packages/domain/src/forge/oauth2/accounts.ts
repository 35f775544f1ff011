import { Effect } from "effect"
import { admit } from "../access/admit.ts"
import { fullScope } from "../access/Scope.ts"
import { siteFactsOf } from "../access/siteFacts.ts"
import { callerFacts } from "../accounts/Actor.ts"
import type { User, UserId } from "../accounts/User.ts"
import { UserStore } from "../accounts/UserStore.ts"
import { SiteSettings } from "../settings/SiteSettings.ts"
import { TeamStore } from "../teams/TeamStore.ts"

/** How many teams programs are told of. */
const mostTeams = 500

/** Names the groups that a user is in: organizations, and teams as `organization:team`. */
export const groupsOf = Effect.fnUntraced(function* (user: User) {
  const facts = callerFacts(user, fullScope, { withPassword: false, sudo: false })
  const page = { page: 1, perPage: mostTeams }
  const { rows } = yield* (yield* TeamStore).ofUser({ facts, userId: user.id }, user.id, page)
  const names = rows.flatMap(({ organization, team }) => [organization.name, `${organization.name}:${team.name}`])
  return [...new Set<string>(names)].toSorted()
})

/** Finds a user whom programs may act for now: nobody who may not sign in (invariant I16). */
export const usable = Effect.fnUntraced(function* (id: UserId) {
  const user = yield* (yield* UserStore).find(id)
  if (user === undefined) return undefined
  const { switches } = yield* SiteSettings
  const facts = callerFacts(user, fullScope, { withPassword: false, sudo: false })
  return admit(siteFactsOf(switches, facts)).allowed ? user : undefined
})
