import type { Badge } from "@slipway/domain/forge/identity"
import { Badges } from "@slipway/forge/identity"
import { badgeEndpoints } from "../../../api/forge/identity/badges.ts"
import { handle } from "../entry/handle.ts"

const showBadge = ({ description, id, imageUrl, slug }: Badge) => ({ id, slug, description, image_url: imageUrl })

/** The handlers of badges. */
export const layerBadges = handle(
  badgeEndpoints,
  {
    "admin.badge.list": ({ page, proof }) => Badges.list(proof, page),
    "admin.badge.create": ({ body: { description = "", image_url: imageUrl = "", slug }, proof }) =>
      Badges.create(proof, { slug, description, imageUrl }),
    "admin.badge.delete": ({ params, proof }) => Badges.remove(proof, params.slug),
    "admin.user.badge.list": ({ page, params, proof }) => Badges.ofUser(proof, params.username, page),
    "admin.user.badge.add": ({ body, params, proof }) => Badges.give(proof, params.username, body.badge_slugs),
    "admin.user.badge.remove": ({ body, params, proof }) => Badges.take(proof, params.username, body.badge_slugs)
  },
  { show: showBadge }
)
