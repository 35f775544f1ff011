import { Schema } from "effect"
import { check, endpoints, list, read, search } from "../base/endpoints.ts"
import { QueryNumber, User } from "../base/schemas.ts"

/** The endpoints of users. */
export const userEndpoints = endpoints("users", "Users, as others see them.", {
  "user.search": search(User, {
    query: { q: Schema.optionalKey(Schema.String), uid: Schema.optionalKey(QueryNumber) }
  }),
  "user.read": read(User),
  "user.follower.list": list(User),
  "user.following.list": list(User),
  "user.following.check": check()
})
