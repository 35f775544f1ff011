import { Follows, Users } from "@slipway/domain/forge"
import { userEndpoints } from "../../api/forge/users.ts"
import { handle } from "./handle.ts"
import { showUserTo } from "./show.ts"

/** The handlers of users. */
export const layerUsers = handle(
  userEndpoints,
  {
    "user.search": ({ page, proof, query }) => Users.search(proof, { text: query.q, id: query.uid || undefined }, page),
    "user.read": ({ proof }) => Users.read(proof),
    "user.follower.list": ({ page, proof }) => Follows.followers(proof, page),
    "user.following.list": ({ page, proof }) => Follows.following(proof, page),
    "user.following.check": ({ params, proof }) => Follows.isFollowing(proof, params.target)
  },
  { showTo: showUserTo }
)
