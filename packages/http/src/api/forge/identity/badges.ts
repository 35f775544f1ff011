import { website } from "@slipway/domain/forge/base"
import { BadgeSlug } from "@slipway/domain/forge/identity"
import { Schema } from "effect"
import { create, done, endpoints, list, remove } from "../base/endpoints.ts"
import { optionalNullable, text } from "../base/schemas.ts"

/** A badge that administrators give to users. */
export const Badge = Schema.Struct({
  id: Schema.Int,
  slug: Schema.String,
  description: Schema.String,
  image_url: Schema.String
}).annotate({ identifier: "Badge" })

/** The request body that creates a badge. */
export const CreateBadgeOption = Schema.Struct({
  slug: BadgeSlug,
  description: optionalNullable(text(255)),
  image_url: optionalNullable(website(255))
}).annotate({ identifier: "CreateBadgeOption" })

/** The request body with the names of the badges to add to a user or to remove. */
export const UserBadgeOption = Schema.Struct({
  badge_slugs: Schema.Array(text(50)).check(Schema.isMaxLength(100))
}).annotate({ identifier: "UserBadgeOption" })

/** The endpoints of badges. */
export const badgeEndpoints = endpoints("badges", "Badges that administrators give to users.", {
  "admin.badge.list": list(Badge),
  "admin.badge.create": create(Badge, { body: CreateBadgeOption }),
  "admin.badge.delete": remove(),
  "admin.user.badge.list": list(Badge),
  "admin.user.badge.add": done({ body: UserBadgeOption }),
  "admin.user.badge.remove": remove({ body: UserBadgeOption })
})
