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

/** The time range of an activity feed. */
export type FeedTime = Pick<FeedFilter, "since" | "until">

/**
 * Lists activities in those repositories of an organization that the caller can see.
 *
 * Activities in private repositories are listed only for members and site administrators. Source: "Organizations".
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

/** Lists activities in the repositories of a team that the caller can see, including private repositories. */
export const teamFeed = Effect.fnUntraced(function* (
  { resource: { actor, team } }: Proof<"team.feed.list">,
  time: FeedTime,
  page: PageRequest
) {
  const filter = { ...time, of: { team }, privateToo: !actor.facts.publicOnly }
  return yield* (yield* EventStore).feed(yield* viewerOn(actor), filter, page)
})

/** Lists activities in a repository, for those units (features) that the caller may read. */
export const repositoryFeed = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.feed.list">,
  time: FeedTime,
  page: PageRequest
) {
  const filter = { ...time, of: { repository: repository.id }, privateToo: !actor.facts.publicOnly }
  return yield* (yield* EventStore).feed(yield* viewerOn(actor), filter, page)
})

/** The days of a heatmap: 53 weeks, so that the first and the last week are complete. */
const heatmapDays = 53 * 7

/**
 * Counts a user's activities of the last 53 weeks per period of 15 minutes; only those that the caller would see in the
 * user's activity feed.
 *
 * The result is empty if the user hides the activity.
 */
export const heatmap = Effect.fnUntraced(function* ({ resource: { actor, user } }: Proof<"user.heatmap">) {
  const entitled = !actor.facts.publicOnly && (actor.facts.siteAdmin || actor.userId === user.id)
  if (user.hideActivity && !entitled) return []
  const since = yield* timeAgo({ days: heatmapDays })
  const filter = { since, of: { user: user.id }, privateToo: entitled }
  return yield* (yield* EventStore).activeTimes(yield* viewerOn(actor), filter)
})

/**
 * Lists a user's activities in repositories that the caller can see. Those in private repositories are listed only for
 * the user and for site administrators.
 *
 * With `watchedToo`, also lists activities of others in repositories that the user watches. If the user hides the
 * activity, other callers get an empty list.
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
