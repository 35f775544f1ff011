import type { ActionName } from "@slipway/domain/forge/access"
import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import { type RepositoryWithGrants, repositoryFacts } from "@slipway/domain/forge/code"
import { pulls } from "@slipway/domain/forge/collaboration"
import { EffectiveAccessStore, grantsOfPair, pairFacts } from "@slipway/domain/forge/explanation"
import type { Viewer } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { readOtherRepository } from "../../code/commits/mergePeople.ts"

/** The maximum number of open pull requests from one repository that are read. */
const mostPulls = 1_000

/**
 * Returns the branches of a repository to which the viewer may push because open pull requests allow maintainer edits.
 *
 * This requires that the viewer has write access to the base repository, and that the user who allowed the edits still
 * has write access to the head repository (CVE-2026-26231).
 */
export const editableHeadBranches = Effect.fnUntraced(function* (viewer: Viewer, head: RepositoryId) {
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

/** An actor, and the repository of the request if it exists. */
interface Visit<Found extends RepositoryWithGrants> {
  readonly actor: Viewer
  readonly found: Found | undefined
}

/**
 * Adds the branches that the actor may edit as a maintainer to a loaded repository. They are read only if the request
 * is a push, and the actor has no write access to the code.
 */
export const withEditableHeadBranches = Effect.fnUntraced(function* <
  Found extends RepositoryWithGrants,
  V extends Visit<Found>
>(action: ActionName, visit: V & Visit<Found>) {
  const { actor, found } = visit
  if (action !== "git.push" || found === undefined) return visit
  const { switches } = yield* SiteSettings
  if (allows("git.push", repositoryFacts(actor, switches, found))) return visit
  return { ...visit, found: { ...found, lent: yield* editableHeadBranches(actor, found.repository.id) } }
})

/**
 * Returns whether an actor may push to a branch, by write access to the repository or as a maintainer of a pull
 * request's base.
 */
export const mayPushToBranch = Effect.fnUntraced(function* (actor: Viewer, id: RepositoryId, branch: string) {
  const { switches } = yield* SiteSettings
  const { found } = yield* withEditableHeadBranches("git.push", { actor, found: yield* readOtherRepository(actor, id) })
  const isAllowed = allows("git.push", repositoryFacts(actor, switches, found))
  return isAllowed && (found?.lent === undefined || found.lent.includes(branch))
})
