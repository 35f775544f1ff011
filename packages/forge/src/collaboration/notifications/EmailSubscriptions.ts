import { now, Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { type Issue, type IssueId, issues } from "@slipway/domain/forge/collaboration"
import { EventStore } from "@slipway/domain/forge/events"
import type { UserId } from "@slipway/domain/forge/identity"
import { addressOf, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { NetAddress } from "effect/net"
import { readUnsubscribeToken } from "../../base/mail/Mails.ts"
import { unwatch } from "../../code/interests/Watches.ts"
import type { EntryRequest } from "../../entry/Entry.ts"
import { subscribe } from "./Subscriptions.ts"

/** Returns the URL path of the page on which a user unsubscribes with the token of an email. */
export const unsubscribePath = (token: string) => `/notifications/unsubscribe/${token}` as const

/** Returns the key of what a user subscribes to for emails about an issue or a pull request. */
export const issueSubject = ({ id, repositoryId }: Pick<Issue, "id" | "repositoryId">): string =>
  `issue:${repositoryId}/${id}`

/** Returns the key of what a user subscribes to for emails about releases: watching the repository. */
export const watchSubject = ({ id }: Pick<Repository, "id">): string => `watch:${id}`

const issueOf = Effect.fnUntraced(function* (about: string) {
  const [, repositoryId, id] = /^issue:(\d+)\/(\d+)$/.exec(about) ?? []
  const store = yield* issues.store
  return yield* store.find({ repositoryId: Number(repositoryId) as RepositoryId }, Number(id) as IssueId)
})

/**
 * Ends a subscription of a user in the current transaction. Returns the repository; undefined if the user was not
 * subscribed.
 */
const ended = Effect.fnUntraced(function* (about: string, userId: UserId) {
  const repositories = yield* RepositoryStore
  const [, watched] = /^watch:(\d+)$/.exec(about) ?? []
  if (watched !== undefined) {
    const repository = yield* repositories.find(Number(watched) as RepositoryId)
    const isNew = repository !== undefined && (yield* unwatch(userId, repository))
    return isNew ? { repository, action: "repository.subscription.remove" as const } : undefined
  }
  const issue = yield* issueOf(about)
  const repository = issue === undefined ? undefined : yield* repositories.find(issue.repositoryId)
  if (issue === undefined || repository === undefined || !(yield* subscribe(issue, userId, false))) return undefined
  return { repository, action: "issue.subscription.remove" as const }
})

/** Returns whether this site created an unsubscribe token. The content of the token is not disclosed. */
export const isIssuedToken = (token: string) => Effect.map(readUnsubscribeToken(token), (known) => known !== undefined)

/**
 * Unsubscribes a user with the token in an email, without sign-in. Returns false if this site did not create the token.
 *
 * Ends the subscription to an issue or, for a release email, the watch of the repository. Does nothing if the issue or
 * repository was deleted.
 */
export const unsubscribe = Effect.fnUntraced(function* (
  token: string,
  request: Pick<EntryRequest, "address" | "forwardedFor">
) {
  const known = yield* readUnsubscribeToken(token)
  if (known === undefined) return false
  const { signIn } = yield* SiteSettings
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      const user = yield* (yield* UserStore).find(known.userId)
      const change = user === undefined ? undefined : yield* ended(known.about, user.id)
      if (user === undefined || change === undefined) return
      const { id, name, owner } = change.repository
      yield* (yield* EventStore).append({
        at: yield* now,
        action: change.action,
        outcome: "done",
        refusedBy: null,
        details: { user: user.name, by: "email" },
        actor: { id: user.id, name: user.name },
        signedInAs: null,
        signedInWith: { kind: "nothing" },
        address: NetAddress.formatIp(addressOf(request, signIn)),
        subject: { kind: "repository", id, name: `${owner.name}/${name}` },
        organizationId: owner.kind === "organization" ? owner.id : null,
        teamId: null,
        repositoryId: id
      })
    })
  )
  return true
})
