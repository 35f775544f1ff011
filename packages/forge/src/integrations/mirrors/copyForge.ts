import { now } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import { branchRef, colorOf, labels, RefName } from "@slipway/domain/forge/code"
import { milestones, pullRef, releases } from "@slipway/domain/forge/collaboration"
import type { Remote } from "@slipway/domain/forge/integrations"
import { copyings, OtherForge as Other } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { copyFiles, type FileAllowance, knownFiles } from "./copyFiles.ts"
import { copiedIssues, copyComments, copyIssues } from "./copyIssues.ts"
import { keepHeads, type OtherRefs } from "./copyPulls.ts"
import { copyReviews } from "./copyReviews.ts"
import { type CopyRun, low, most } from "./copyRun.ts"
import type { OtherForge } from "./forgeApi.ts"
import { giteaReader } from "./giteaForge.ts"
import { gitlabReader, numbersBefore } from "./gitlabForge.ts"

const copyLabels = Effect.fnUntraced(function* ({ reader, repository: { id: repositoryId } }: CopyRun) {
  const store = yield* labels.store
  const found = yield* reader.labels
  const present = new Set((yield* store.list({ repositoryId }, { limit: most })).rows.map(({ name }) => low(name)))
  const wanted = new Map(found.map((label) => [low(label.name), label]))
  const rows = [...wanted].flatMap(([key, { color, description, exclusive, is_archived, name }]) =>
    present.has(key)
      ? []
      : {
          repositoryId,
          organizationId: null,
          name: Other.storedText(name),
          color: colorOf(color) ?? "cccccc",
          description: Other.storedText(description),
          exclusive: exclusive === true,
          archived: is_archived === true
        }
  )
  if (rows.length > 0) yield* Effect.orDie(store.insertMany(rows))
})

const copyMilestones = Effect.fnUntraced(function* ({ reader, repository: { id: repositoryId } }: CopyRun) {
  const store = yield* milestones.store
  const found = yield* reader.milestones
  const at = yield* now
  const present = new Set((yield* store.list({ repositoryId }, { limit: most })).rows.map(({ title }) => low(title)))
  const wanted = new Map(found.map((milestone) => [low(milestone.title), milestone]))
  const rows = [...wanted].flatMap(([key, { closed_at, created_at, description, due_on, state, title, updated_at }]) =>
    present.has(key)
      ? []
      : {
          repositoryId,
          title: Other.storedText(title),
          description: Other.storedText(description),
          state,
          dueAt: Other.storedTime(due_on) ?? null,
          closedAt: Other.storedTime(closed_at) ?? null,
          createdAt: Other.storedTime(created_at) ?? at,
          updatedAt: Other.storedTime(updated_at) ?? at
        }
  )
  if (rows.length > 0) yield* Effect.orDie(store.insertMany(rows))
})

const copyReleases = Effect.fnUntraced(function* (run: CopyRun) {
  const { copying, reader, repository } = run
  const [store, at, repositoryId] = [yield* releases.store, yield* now, repository.id]
  const found = yield* reader.releases
  const present = new Set((yield* store.list({ repositoryId }, { limit: most })).rows.map(({ tag }) => tag))
  // Hosts list the newest first; here it is created last.
  const wanted = new Map(found.toReversed().map((release) => [Other.storedText(release.tag_name), release]))
  const rows = [...wanted].flatMap(([tag, { body, created_at, draft, name, prerelease, published_at, ...release }]) => {
    const createdAt = Other.storedTime(created_at) ?? at
    return present.has(tag) || tag === ""
      ? []
      : {
          repositoryId,
          authorId: copying.userId,
          tag,
          target: Other.storedText(release.target_commitish) || repository.defaultBranch,
          title: Other.storedText(name) || tag,
          body: Other.storedText(body),
          draft: draft === true,
          prerelease: prerelease === true,
          createdAt,
          publishedAt: draft === true ? null : (Other.storedTime(published_at) ?? createdAt)
        }
  })
  if (rows.length > 0) yield* Effect.orDie(store.insertMany(rows))
  const here = yield* store.list({ repositoryId }, { limit: most })
  const files = yield* Effect.forEach(here.rows, ({ id, tag }) =>
    Effect.map(knownFiles(repositoryId, wanted.get(tag)?.assets), (known) => ({
      to: { repositoryId, kind: "release" as const, id },
      files: known
    }))
  )
  yield* copyFiles(run, files)
})

/**
 * Returns refs with `before` added to the numbers in `refs/pull/`.
 *
 * GitLab numbers merge requests separately from issues; in the copy they are numbered after the issues.
 */
const renumbered = (refs: OtherRefs, before: number): OtherRefs =>
  new Map(
    [...refs].map(([ref, id]) => {
      const number = /^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1]
      return [number === undefined ? ref : RefName.make(pullRef(Number(number) + before)), id]
    })
  )

const copyParts = Effect.fnUntraced(function* (run: CopyRun) {
  const { copying, reader, refs, repository } = run
  if (copying.labels) yield* copyLabels(run)
  if (copying.milestones) yield* copyMilestones(run)
  if (copying.releases) yield* copyReleases(run)
  if (!copying.issues && !copying.pulls) return 0
  if (copying.pulls) yield* keepHeads(repository, refs)
  const all = yield* copyIssues(run, refs.get(branchRef(repository.defaultBranch)))
  if (copying.pulls) yield* copyReviews(reader, yield* copiedIssues(run))
  return yield* copyComments(run, all)
})

/**
 * Copies the issues, pull requests and other API data of a repository; its git data must exist.
 *
 * Idempotent: a repeated run skips copied rows, which it finds by name, by number at the other host, or by tag.
 */
export const copyForge = Effect.fnUntraced(function* (
  repository: Repository,
  remote: Remote,
  refs: OtherRefs,
  allowance: FileAllowance
) {
  const store = yield* copyings.store
  const copying = yield* store.findBy("repository", { repositoryId: repository.id })
  if (copying === undefined || copying.doneAt !== null) return
  const { service } = copying
  let copied = 0
  if (service !== "git") {
    const forge: OtherForge = { service, remote }
    const isApart = service === "gitlab" && (copying.issues || copying.pulls)
    const before = copying.numbersBefore ?? (isApart ? yield* numbersBefore(forge) : 0)
    yield* Effect.orDie(store.patch({}, copying.id, { numbersBefore: before }))
    const reader = service === "gitlab" ? gitlabReader(forge, before) : giteaReader(forge)
    const { userId } = copying
    copied = yield* copyParts({
      repository,
      copying,
      refs: renumbered(refs, before),
      forge,
      reader,
      userId,
      allowance
    })
  }
  yield* Effect.orDie(store.patch({}, copying.id, { copied, leftOut: allowance.leftOut, doneAt: yield* now }))
})
