import type { PageRequest } from "@slipway/domain"
import { site } from "@slipway/domain/forge/automation"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type Badge,
  BadgeNotFound,
  type BadgeSlug,
  BadgeTaken,
  BadgeUnknown,
  badges,
  mostBadges,
  TooManyBadges,
  userBadges
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"
import { findUser } from "../accounts/namedUser.ts"

const everything = { page: 1, perPage: mostBadges }

/** Lists the badges of the site. */
export const list = Effect.fnUntraced(function* (_: Proof<"admin.badge.list">, page: PageRequest) {
  return yield* (yield* badges.store).list({}, page)
})

/** Creates a badge that administrators can give to users. */
export const create = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.badge.create">, input: Omit<Badge, "id">) {
    const store = yield* badges.store
    yield* lockHolder(site)
    if ((yield* store.count({})) >= mostBadges) return yield* new TooManyBadges({ most: mostBadges })
    return yield* Effect.mapError(store.insert(input), () => new BadgeTaken({ slug: input.slug }))
  }),
  ({ id, slug }) => ({ details: { badge: slug, id } })
)

/** Deletes a badge of the site, and removes it from all users. */
export const remove = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.badge.delete">, slug: string) {
    const gone = yield* (yield* badges.store).removeBy("slug", { slug: slug as BadgeSlug })
    if (gone === undefined) return yield* new BadgeNotFound({ slug })
  }),
  (_, slug) => ({ details: { badge: slug } })
)

/** Finds badges by their names (slugs). Fails if one does not exist. */
const known = Effect.fnUntraced(function* (slugs: ReadonlyArray<string>) {
  const asked = [...new Set(slugs.map((slug) => slug as BadgeSlug))]
  const { rows } = yield* (yield* badges.store).list({}, { limit: asked.length }, { filter: { slug: { in: asked } } })
  const bySlug = new Map(rows.map((badge) => [badge.slug, badge]))
  const unknown = asked.find((slug) => !bySlug.has(slug))
  if (unknown !== undefined) return yield* new BadgeUnknown({ slug: unknown })
  return asked.flatMap((slug) => bySlug.get(slug) ?? [])
})

/** Lists the badges of a user, in the order in which they were given. */
export const ofUser = Effect.fnUntraced(function* (_: Proof<"admin.user.badge.list">, name: string, page: PageRequest) {
  const { id } = yield* findUser(name)
  const { rows, ...rest } = yield* (yield* userBadges.store).list({ userId: id }, page)
  const all = yield* (yield* badges.store).list({}, everything)
  const byId = new Map(all.rows.map((badge) => [badge.id, badge]))
  return { ...rest, rows: rows.flatMap(({ badgeId }) => byId.get(badgeId) ?? []) }
})

/** Gives badges to a user. Badges that the user already has stay. If one badge does not exist, none is given. */
export const give = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.user.badge.add">, name: string, slugs: ReadonlyArray<string>) {
    const user = yield* findUser(name)
    const store = yield* userBadges.store
    const knownBadges = yield* known(slugs)
    yield* Effect.orDie(store.insertManyIfAbsent(knownBadges.map(({ id }) => ({ userId: user.id, badgeId: id }))))
    return user
  }),
  (user, _, slugs) => ({ user, details: { badges: slugs.join(" ") } })
)

/** Removes badges from a user; those that the user does not have are ignored. */
export const take = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.user.badge.remove">, name: string, slugs: ReadonlyArray<string>) {
    const user = yield* findUser(name)
    const taken = yield* known(slugs)
    yield* (yield* userBadges.store).removeWhere({ userId: user.id }, { badgeId: { in: taken.map(({ id }) => id) } })
    return user
  }),
  (user, _, slugs) => ({ user, details: { badges: slugs.join(" ") } })
)
