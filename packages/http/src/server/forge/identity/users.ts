import { organizationFor } from "@slipway/domain/forge/identity"
import { Follows, Users } from "@slipway/forge/identity"
import { Effect } from "effect"
import { userEndpoints } from "../../../api/forge/identity/users.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showAsUser, showUserTo } from "../base/show.ts"
import { handle, shown } from "../entry/handle.ts"

/** The handlers of users. */
export const layerUsers = handle(
  userEndpoints,
  {
    "user.search": ({ page, proof, query }) => Users.search(proof, { text: query.q, id: query.uid || undefined }, page),
    "user.read": ({ proof }) => {
      const { actor, of } = proof.resource
      return of === undefined
        ? Users.read(proof)
        : Effect.map(PublicUrl, (url) => shown(showAsUser(url, organizationFor(actor, of.organization))))
    },
    "user.follower.list": ({ page, proof }) => Follows.followers(proof, page),
    "user.following.list": ({ page, proof }) => Follows.following(proof, page),
    "user.following.check": ({ params, proof }) => Follows.isFollowing(proof, params.target)
  },
  { showTo: showUserTo }
)
