import { Schema } from "effect"
import { check, done, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Moment, Repository, User } from "../base/schemas.ts"

/** The caller's watch state of a repository. */
export const WatchInfo = Schema.Struct({
  subscribed: Schema.Boolean,
  ignored: Schema.Boolean,
  reason: Schema.Null,
  created_at: Moment,
  url: Schema.String,
  repository_url: Schema.String
}).annotate({ identifier: "WatchInfo" })

/** The endpoints of stars. */
export const starEndpoints = endpoints("stars", "Stars that users give to repositories.", {
  "account.starred.list": list(Repository),
  "account.starred.check": check(),
  "account.starred.add": done(),
  "account.starred.remove": remove(),
  "user.starred.list": list(Repository),
  "repository.stargazer.list": list(User)
})

/** The endpoints of watching. */
export const watchEndpoints = endpoints("watches", "Repositories that users watch for notifications.", {
  "account.subscription.list": list(Repository),
  "user.subscription.list": list(Repository),
  "repository.subscriber.list": list(User),
  "repository.subscription.read": read(WatchInfo),
  "repository.subscription.add": edit(WatchInfo),
  "repository.subscription.remove": remove()
})
