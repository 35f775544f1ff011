import type { PageRequest } from "@slipway/domain"
import { timeAgo } from "@slipway/domain"
import { viewerOn } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { type AuditFilter, EventStore, type FeedFilter } from "@slipway/domain/forge/events"
import { Effect } from "effect"

/** The filters of an audit log. */
export type LogFilter = Omit<AuditFilter, "organization">

/** Lists the audit log of an organization, newest first, for its owners. */
export const ofOrganization = Effect.fnUntraced(function* (
  { resource: { organization } }: Proof<"organization.audit.list">,
  filter: LogFilter,
  page: PageRequest
) {
  return yield* (yield* EventStore).audit({ ...filter, organization: organization.id }, page)
})

/** Lists the audit log of the site, newest first, for site administrators. */
export const ofSite = Effect.fnUntraced(function* (_: Proof<"admin.audit.list">, filter: LogFilter, page: PageRequest) {
  return yield* (yield* EventStore).audit(filter, page)
})

/** The time range of a feed. */
export type FeedTime = Pick<FeedFilter, "since" | "until">

/**
 * Lists activities in the repositories of an organization that the caller sees.
 *
 * Activities in private repositories are visible to members and site administrators. Source: "Organizations".
 */
export const organizationFeed = Effect.fnUntraced(function* (
  { resource: { actor, organization, membership } }: Proof<"organization.feed.list">,
  time: FeedTime,
  page: PageRequest
) {
  const privateToo = !actor.facts.publicOnly && (actor.facts.siteAdmin || membership.member || membership.owner)
  const filter = { ...time, of: { organization: organization.id }, privateToo }
  return yield* (yield* EventStore).feed(yield* viewerOn(actor), filter, page)
})

/** Lists activities in the repositories of a team that the caller sees, including private ones. */
export const teamFeed = Effect.fnUntraced(function* (
  { resource: { actor, team } }: Proof<"team.feed.list">,
  time: FeedTime,
  page: PageRequest
) {
  const filter = { ...time, of: { team }, privateToo: !actor.facts.publicOnly }
  return yield* (yield* EventStore).feed(yield* viewerOn(actor), filter, page)
})

/** Lists activities in a repository, for the units that the caller may read. */
export const repositoryFeed = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.feed.list">,
  time: FeedTime,
  page: PageRequest
) {
  const filter = { ...time, of: { repository: repository.id }, privateToo: !actor.facts.publicOnly }
  return yield* (yield* EventStore).feed(yield* viewerOn(actor), filter, page)
})

/**
 * Counts a user's activities of the last year per quarter of an hour, as visible in the user's feed.
 *
 * Empty if the user hides the activity.
 */
export const heatmap = Effect.fnUntraced(function* ({ resource: { actor, user } }: Proof<"user.heatmap">) {
  const entitled = !actor.facts.publicOnly && (actor.facts.siteAdmin || actor.userId === user.id)
  if (user.hideActivity && !entitled) return []
  const since = yield* timeAgo({ days: 366 })
  const filter = { since, of: { user: user.id }, privateToo: entitled }
  return yield* (yield* EventStore).activeTimes(yield* viewerOn(actor), filter)
})

/**
 * Lists a user's activity in repositories that the caller sees; private ones only for the user and site administrators.
 *
 * With `watchedToo` it also lists activities of others in the repositories that the user watches. A user's hidden
 * activity is visible to no one else.
 */
export const userFeed = Effect.fnUntraced(function* (
  { resource: { actor, user } }: Proof<"user.feed.list">,
  { watchedToo, ...time }: FeedTime & { readonly watchedToo: boolean },
  page: PageRequest
) {
  const entitled = !actor.facts.publicOnly && (actor.facts.siteAdmin || actor.userId === user.id)
  if (user.hideActivity && !entitled) return { rows: [], total: 0 }
  const filter = { ...time, of: watchedToo ? { receiver: user.id } : { user: user.id }, privateToo: entitled }
  return yield* (yield* EventStore).feed(yield* viewerOn(actor), filter, page)
})
