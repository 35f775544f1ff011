import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"

/** The maximum number of badges of the site. */
export const mostBadges = 500

const longestSlug = 50

/** The schema of the name of a badge in URLs and requests. */
export const BadgeSlug = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^[a-z0-9][a-z0-9._-]*$/.test(text) && text.length <= longestSlug
      ? undefined
      : `must begin with a lower-case letter or digit and may only contain these, \`.\`, \`_\` and \`-\`, at most ${longestSlug} characters`
  )
).pipe(Schema.brand("BadgeSlug"))
export type BadgeSlug = typeof BadgeSlug.Type

/** A badge that administrators give to users: a name, a description and an image. */
export interface Badge {
  readonly id: number
  readonly slug: BadgeSlug
  readonly description: string
  /** The URL of the badge's image; empty if it has none. */
  readonly imageUrl: string
}

/** The badges of the site, by name. */
export const badges = owned<Badge>()("badge", {
  within: [],
  fields: { slug: Fields.text(), description: Fields.text(), imageUrl: Fields.text() },
  orders: { slug: ascending("slug") },
  filters: ["slug"],
  unique: { slug: ["slug"] }
})

/** The assignment of a badge to a user. */
export interface UserBadge {
  readonly id: number
  readonly userId: UserId
  readonly badgeId: number
}

/** The badges of each user. */
export const userBadges = owned<UserBadge>()("userBadge", {
  within: ["userId"],
  fields: { userId: Fields.reference("user"), badgeId: Fields.reference("badge") },
  orders: { oldest: ascending() },
  filters: ["badgeId"],
  unique: { pair: ["userId", "badgeId"] }
})

/** Reports that the site has no badge with the requested name; the name is in the path of the request. */
export class BadgeNotFound extends Schema.TaggedError<BadgeNotFound>()("BadgeNotFound", { slug: Schema.String }) {}
/** Reports that a badge cannot be created, because a badge with this name already exists. */
export class BadgeTaken extends Schema.TaggedError<BadgeTaken>()("BadgeTaken", { slug: Schema.String }) {}
/** Reports that the body of a request contains the name of a badge that does not exist. */
export class BadgeUnknown extends Schema.TaggedError<BadgeUnknown>()("BadgeUnknown", { slug: Schema.String }) {}
/** Reports that no badge can be created, because the site already has the maximum number of badges. */
export class TooManyBadges extends Schema.TaggedError<TooManyBadges>()("TooManyBadges", { most: Schema.Int }) {}
