import type { ActionName } from "@slipway/domain/forge/access"
import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import { type RepositoryWithGrants, repositoryFacts } from "@slipway/domain/forge/code"
import { pulls } from "@slipway/domain/forge/collaboration"
import { EffectiveAccessStore, grantsOfPair, pairFacts } from "@slipway/domain/forge/explanation"
import type { Viewer } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { heldOn } from "../../code/commits/mergePeople.ts"

/** How many open pull requests from one repository are looked at. */
const mostPulls = 1_000

/**
 * Reads the branches of a repository that open pull requests lend to somebody.
 *
 * Whoever writes the base of a pull request has its head branch, while the one who lent it writes the head (CVE-2026-26231).
 */
export const lentBranches = Effect.fnUntraced(function* (viewer: Viewer, head: RepositoryId) {
  const { userId } = viewer
  if (userId === undefined) return []
  const { rows } = yield* (yield* pulls.store).list(
    { headRepositoryId: head },
    { limit: mostPulls },
    { filter: { open: true } }
  )
  const lending = rows.flatMap(({ allowMaintainerEdit, headBranch, lenderId, repositoryId }) =>
    allowMaintainerEdit && lenderId !== null && repositoryId !== head ? [{ headBranch, lenderId, repositoryId }] : []
  )
  if (lending.length === 0) return []
  const bases = [...new Set(lending.map(({ repositoryId }) => repositoryId))]
  const lenders = [...new Set(lending.map(({ lenderId }) => lenderId))]
  const pairs = yield* (yield* EffectiveAccessStore).find([
    ...bases.map((repository) => ({ user: userId, repository })),
    ...lenders.map((user) => ({ user, repository: head }))
  ])
  const { switches } = yield* SiteSettings
  const written = new Set<number>()
  const givers = new Set<number>()
  for (const pair of pairs) {
    if (pair.repository.id === head) {
      if (allows("git.push", pairFacts(switches, pair))) givers.add(pair.user.id)
      continue
    }
    const facts = repositoryFacts(viewer, switches, { repository: pair.repository, grants: grantsOfPair(pair) })
    if (allows("git.push", facts) && allows("pull.list", facts)) written.add(pair.repository.id)
  }
  const branches = lending.flatMap(({ headBranch, lenderId, repositoryId }) =>
    written.has(repositoryId) && givers.has(lenderId) ? [headBranch] : []
  )
  return [...new Set(branches)]
})

/** Somebody who was let in to a repository, as far as it is there. */
interface Visit<Found extends RepositoryWithGrants> {
  readonly actor: Viewer
  readonly found: Found | undefined
}

/** Adds to a repository which branches are lent to somebody who asks to push there and doesn't write the code. */
export const withLent = Effect.fnUntraced(function* <Found extends RepositoryWithGrants, V extends Visit<Found>>(
  action: ActionName,
  visit: V & Visit<Found>
) {
  const { actor, found } = visit
  if (action !== "git.push" || found === undefined) return visit
  const { switches } = yield* SiteSettings
  if (allows("git.push", repositoryFacts(actor, switches, found))) return visit
  return { ...visit, found: { ...found, lent: yield* lentBranches(actor, found.repository.id) } }
})

/** Whether somebody may push to a branch of a repository, by what they hold there or because it is lent to them. */
export const mayPushToBranch = Effect.fnUntraced(function* (actor: Viewer, id: RepositoryId, branch: string) {
  const { switches } = yield* SiteSettings
  const { found } = yield* withLent("git.push", { actor, found: yield* heldOn(actor, id) })
  const isAllowed = allows("git.push", repositoryFacts(actor, switches, found))
  return isAllowed && (found?.lent === undefined || found.lent.includes(branch))
})
