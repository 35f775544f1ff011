import * as Fields from "../../../owned/fields.ts"
import { descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"

/** A star of a user on a repository. */
export interface Star {
  readonly id: number
  readonly userId: UserId
  readonly repositoryId: RepositoryId
  readonly createdAt: string
}

/** The table of stars: which users starred which repositories. */
export const stars = owned<Star>()("star", {
  within: ["userId", "repositoryId"],
  fields: {
    userId: Fields.reference("user"),
    repositoryId: Fields.reference("repository"),
    createdAt: Fields.time()
  },
  orders: { newest: descending() },
  unique: { pair: ["userId", "repositoryId"] },
  counters: { stars: { of: "repositoryId" } }
})

/** Whether a user watches a repository, and so is notified about all events in it. */
export interface Watch {
  readonly id: number
  readonly userId: UserId
  readonly repositoryId: RepositoryId
  /** False after the user unsubscribed; then the user is not subscribed again automatically. */
  readonly watching: boolean
  readonly createdAt: string
}

/** The table of watchers of repositories, including users who unsubscribed. */
export const watches = owned<Watch>()("watch", {
  within: ["userId", "repositoryId"],
  fields: {
    userId: Fields.reference("user"),
    repositoryId: Fields.reference("repository"),
    watching: Fields.boolean(),
    createdAt: Fields.time()
  },
  orders: { newest: descending() },
  filters: ["watching"],
  unique: { pair: ["userId", "repositoryId"] },
  counters: { watchers: { of: "repositoryId", where: { watching: true } } }
})
