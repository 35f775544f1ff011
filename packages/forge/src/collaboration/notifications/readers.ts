import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Issue, Release } from "@slipway/domain/forge/collaboration"
import { type AccessPair, EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import type { UserId } from "@slipway/domain/forge/identity"
import { BlockStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { factsOfIssue } from "../issues/views.ts"

/** The subject of a notification: an issue (or pull request), or a release. */
export type Subject =
  | { readonly _tag: "Issue"; readonly issue: Issue }
  | { readonly _tag: "Release"; readonly release: Release }

/** Returns whether an account can sign in: it is active, not prohibited, and not the service account. */
const isUsed = ({ user: { active, prohibited, system } }: AccessPair): boolean => active && !prohibited && !system

/**
 * Returns those of the given users who may read the subject of a notification now (invariants I7 and I8).
 *
 * Users who block the actor are omitted. The same rule applies to the inbox and to emails.
 */
export const readersOf = Effect.fnUntraced(function* (
  subject: Subject,
  repository: RepositoryId,
  users: ReadonlyArray<UserId>,
  actorId: UserId | null
) {
  const { switches } = yield* SiteSettings
  const pairs =
    users.length === 0 ? [] : yield* (yield* EffectiveAccessStore).find(users.map((user) => ({ user, repository })))
  const mayRead = (pair: AccessPair): boolean => {
    const facts = pairFacts(switches, pair)
    return subject._tag === "Issue"
      ? allows("issue.read", factsOfIssue(facts, subject.issue))
      : allows("repository.release.read", { ...facts, found: true, draft: subject.release.draft })
  }
  const found = pairs.flatMap((pair) => (isUsed(pair) && mayRead(pair) ? [pair.user] : []))
  if (actorId === null || found.length === 0) return found
  const ids = found.map(({ id }) => id)
  const blockers = new Set(yield* (yield* BlockStore).blockersOf(actorId, ids))
  return found.filter(({ id }) => !blockers.has(id))
})
