import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"

/** The maximum number of badges of the site. */
export const mostBadges = 500

const longestSlug = 50

/** The word by which requests name a badge. */
export const BadgeSlug = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^[a-z0-9][a-z0-9._-]*$/.test(text) && text.length <= longestSlug
      ? undefined
      : `must begin with a small letter or digit and have at most ${longestSlug} of these, \`.\`, \`_\` and \`-\``
  )
).pipe(Schema.brand("BadgeSlug"))
export type BadgeSlug = typeof BadgeSlug.Type

/** Something that administrators say of users by a picture. */
export interface Badge {
  readonly id: number
  readonly slug: BadgeSlug
  readonly description: string
  /** The address of its picture; empty for none. */
  readonly imageUrl: string
}

/** The badges that the site has to give, by their words. */
export const badges = owned<Badge>()("badge", {
  within: [],
  fields: { slug: Fields.text(), description: Fields.text(), imageUrl: Fields.text() },
  orders: { slug: ascending("slug") },
  filters: ["slug"],
  unique: { slug: ["slug"] }
})

/** That a user has a badge. */
export interface UserBadge {
  readonly id: number
  readonly userId: UserId
  readonly badgeId: number
}

/** The badges of each user. */
export const userBadges = owned<UserBadge>()("userBadge", {
  within: ["userId"],
  fields: { userId: Fields.reference("user"), badgeId: Fields.reference("badge") },
  orders: { given: ascending() },
  filters: ["badgeId"],
  unique: { pair: ["userId", "badgeId"] }
})

/** Reports that the site has no badge of a name. */
export class BadgeNotFound extends Schema.TaggedError<BadgeNotFound>()("BadgeNotFound", { slug: Schema.String }) {}
/** Reports that a badge with this name already exists. */
export class BadgeTaken extends Schema.TaggedError<BadgeTaken>()("BadgeTaken", { slug: Schema.String }) {}
/** Reports that a request names a badge that the site doesn't have. */
export class BadgeUnknown extends Schema.TaggedError<BadgeUnknown>()("BadgeUnknown", { slug: Schema.String }) {}
/** Reports that the site has as many badges as it may. */
export class TooManyBadges extends Schema.TaggedError<TooManyBadges>()("TooManyBadges", { most: Schema.Int }) {}
