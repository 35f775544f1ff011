import { admit, fullScope, siteFactsOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { User, UserId } from "@slipway/domain/forge/identity"
import { callerFacts, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** How many teams are reported to OAuth2 clients. */
const mostTeams = 500

/** Returns a user's groups for the OpenID `groups` claim: organizations, and teams as `organization:team`, sorted. */
export const groupsOf = Effect.fnUntraced(function* (user: User) {
  const facts = callerFacts(user, fullScope, { withPassword: false, sudo: false })
  const page = { page: 1, perPage: mostTeams }
  const { rows } = yield* (yield* TeamStore).ofUser({ facts, userId: user.id }, user.id, page)
  const names = rows.flatMap(({ organization, team }) => [organization.name, `${organization.name}:${team.name}`])
  return [...new Set<string>(names)].toSorted()
})

/** Finds a user by id; undefined if the user may not sign in, so that OAuth2 clients cannot act for the user (I16). */
export const usable = Effect.fnUntraced(function* (id: UserId) {
  const user = yield* (yield* UserStore).find(id)
  if (user === undefined) return undefined
  const { switches } = yield* SiteSettings
  const facts = callerFacts(user, fullScope, { withPassword: false, sudo: false })
  return admit(siteFactsOf(switches, facts)).allowed ? user : undefined
})
