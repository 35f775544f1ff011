import { now, Transaction } from "@slipway/domain"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import {
  BranchName,
  branchRef,
  GitReader,
  GitRepositories,
  GitWriter,
  isReserved,
  PushStore,
  RefName,
  RepositoryStore,
  wikiOf
} from "@slipway/domain/forge/code"
import type { Mirror } from "@slipway/domain/forge/integrations"
import {
  type Copying,
  copyings,
  GitRemotes,
  type Remote,
  RemoteFailed,
  type RemoteRefs
} from "@slipway/domain/forge/integrations"
import { Duration, Effect } from "effect"
import { eventOf } from "../../base/events/record.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { type WrittenChange, writtenRefs } from "../../code/pushes/changeRefs.ts"
import { createWiki } from "../../code/wiki/createWiki.ts"
import * as Entry from "../../entry/Entry.ts"
import { FileAllowance } from "./copyFiles.ts"
import { copyForge } from "./copyForge.ts"
import { copyLfs } from "./copyLfs.ts"
import { openRemote } from "./secrets.ts"

/** How many refs a mirror may have. */
const mostRefs = 100_000
/** The time for moving refs; after it, another worker checks the result of the push. */
const lease = Duration.seconds(60)

const branchesAndTags: ReadonlyArray<RemoteRefs> = [
  { from: "refs/heads/*", to: "refs/heads/*" },
  { from: "refs/tags/*", to: "refs/tags/*" }
]

/** Returns the refspecs that fetch pull request heads from the other host; none if pull requests are not copied. */
const pullHeads = ({ pulls, service }: Copying): ReadonlyArray<RemoteRefs> =>
  pulls ? [{ from: `refs/${service === "gitlab" ? "merge-requests" : "pull"}/*/head`, to: "refs/pull/*/head" }] : []

const failing = (because: string) => Effect.fail(new RemoteFailed({ because }))

const changesBetween = (
  present: ReadonlyMap<RefName, ObjectId>,
  wanted: ReadonlyMap<RefName, ObjectId>
): ReadonlyArray<WrittenChange> => [
  ...[...present.keys()]
    .filter((ref) => !wanted.has(ref))
    .map((ref) => ({ ref, before: present.get(ref), after: undefined })),
  ...[...wanted]
    .filter(([ref, after]) => present.get(ref) !== after)
    .map(([ref, after]) => ({ ref, before: present.get(ref), after }))
]

const updateOf = ({ after, before, ref }: WrittenChange) => ({
  ref: RefName.make(ref),
  from: before ?? null,
  to: after ?? null
})

/**
 * Updates the branches and tags of a repository from another host, and records the change as a push.
 *
 * Records changes before git applies them, so that a crash leaves neither a change without an event nor an event
 * without a change. LFS objects are copied before the branches that need them.
 */
const followRemote = Effect.fnUntraced(function* (
  repository: Repository,
  remote: Remote,
  copying: Copying | undefined,
  allowance: FileAllowance
) {
  const { id } = repository
  const [reader, writer] = [yield* GitReader, yield* GitWriter]
  const from = copying === undefined ? branchesAndTags : [...branchesAndTags, ...pullHeads(copying)]
  const { head, refs } = yield* (yield* GitRemotes).fetch(id, remote, from)
  const wanted = new Map([...refs].filter(([ref]) => !isReserved(ref) && /^refs\/(?:heads|tags)\//.test(ref)))
  if (refs.size > mostRefs) return yield* failing(`the repository has more than ${mostRefs} branches and tags`)
  const listed = yield* reader.refs(id, "refs/", { page: 1, perPage: mostRefs })
  const present = new Map(
    listed.rows.filter(({ name }) => /^refs\/(?:heads|tags)\//.test(name)).map((ref) => [ref.name, ref.id] as const)
  )
  if (copying?.lfs === true) {
    // Objects left out before are searched again, in all commits.
    const known = copying.leftOut > 0 ? [] : [...present.values()]
    yield* copyLfs(repository, remote, { from: [...refs.values()], not: known }, allowance)
    yield* Effect.orDie((yield* copyings.store).patch({}, copying.id, { leftOut: allowance.leftOut }))
  }
  const changes = changesBetween(present, wanted)
  if (changes.length > 0) {
    const at = yield* now
    const pushedRefs = yield* writtenRefs(id, changes)
    const { actor } = Entry.system("repository.migrate").resource
    const event = eventOf(actor, "repository.mirror.sync", { repository }, at, {
      outcome: "done",
      refusedBy: null,
      details: {}
    })
    const job = yield* (yield* Transaction).run(
      Effect.gen(function* () {
        const repositories = yield* RepositoryStore
        const locked = yield* repositories.lock(id)
        // The default branch follows the other host while that branch exists there.
        const isLost = locked !== undefined && !wanted.has(RefName.make(`refs/heads/${locked.defaultBranch}`))
        if (locked !== undefined && isLost && head !== undefined && wanted.has(RefName.make(`refs/heads/${head}`))) {
          yield* repositories.replace({ ...locked, defaultBranch: head })
          yield* addJob({ _tag: "PointHead", repositoryId: id })
        }
        const push = yield* (yield* PushStore).begin({ repositoryId: id, at, refs: pushedRefs, size: 0, event })
        return yield* addJob({ _tag: "SettlePush", pushId: push.id }, lease)
      })
    )
    yield* writer.updateRefs(id, changes.map(updateOf)).pipe(Effect.ensuring(Jobs.runNow(job)))
  }
  return refs
})

/** Returns the URL of a remote repository's wiki. */
const wikiUrl = (url: string): string => `${url.replace(/(?:\.git)?\/*$/, "")}.wiki.git`

/** Updates the wiki of a repository from another host; fails if the other host has no wiki. */
const followWiki = Effect.fnUntraced(function* (repository: Repository, remote: Remote) {
  const id = wikiOf(repository.id)
  const [git, reader, writer] = [yield* GitRepositories, yield* GitReader, yield* GitWriter]
  yield* createWiki(repository)
  const heads = { from: "refs/heads/*", to: "refs/heads/*" }
  const { head, refs } = yield* (yield* GitRemotes).fetch(id, { ...remote, url: wikiUrl(remote.url) }, [heads])
  const listed = yield* reader.refs(id, "refs/heads/", { page: 1, perPage: mostRefs })
  const changes = changesBetween(new Map(listed.rows.map((ref) => [ref.name, ref.id] as const)), refs)
  if (changes.length > 0) yield* writer.updateRefs(id, changes.map(updateOf))
  if (head !== undefined && refs.has(branchRef(head))) yield* git.setDefaultBranch(id, BranchName.make(head))
})

/** Updates a pull mirror from its source. A migration also copies API data, and then becomes a normal repository. */
const follow = Effect.fnUntraced(function* (repository: Repository, mirror: Mirror) {
  const copying = yield* (yield* copyings.store).findBy("repository", { repositoryId: repository.id })
  const [remote, allowance] = [yield* openRemote(mirror), new FileAllowance()]
  const refs = yield* followRemote(repository, remote, copying, allowance)
  if (mirror.wiki) {
    yield* followWiki(repository, remote).pipe(
      // Most repositories have no wiki, and hosts report that in different ways.
      Effect.catchTag("RemoteFailed", ({ because }) => Effect.logInfo(`no wiki was fetched: ${because}`))
    )
  }
  if (!mirror.oneTime) return
  const present = yield* (yield* RepositoryStore).find(repository.id)
  if (present !== undefined) yield* copyForge(present, remote, refs, allowance)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const repositories = yield* RepositoryStore
      const present = yield* repositories.lock(repository.id)
      if (present?.mirror === true) yield* repositories.replace({ ...present, mirror: false })
    })
  )
})

/** Returns the user-visible message of an error; details are only in the log. */
export const becauseOf = (error: unknown): string => {
  const { _tag, because } = error as { readonly _tag?: string; readonly because?: string }
  if (_tag === "RemoteFailed" && because !== undefined) return because
  if (_tag === "RefsNotMoved") return "another client changed a branch in the meantime"
  if (_tag === "GitMissing") return "the repository is being created"
  return "an internal error occurred"
}

/** Pushes a repository to its push mirror; returns a notice if a remote branch could not be removed, else `""`. */
const pushTo = Effect.fnUntraced(function* (mirror: Mirror) {
  const { skipped } = yield* (yield* GitRemotes).push(mirror.repositoryId, yield* openRemote(mirror))
  return skipped === undefined
    ? ""
    : `the branch \`${skipped}\` was skipped: it is the default branch there and does not exist here`
})

/** The result of a mirror update. `message` is the error or notice, or empty. */
export interface Synchronized {
  readonly failed: boolean
  readonly message: string
}

/** Updates one mirror, pull or push; errors are in the result. */
export const synchronize = Effect.fnUntraced(function* (mirror: Mirror) {
  const repository = yield* (yield* RepositoryStore).find(mirror.repositoryId)
  if (repository === undefined || repository.archived) return { failed: false, message: "" } satisfies Synchronized
  const work = mirror.direction === "pull" ? Effect.as(follow(repository, mirror), "") : pushTo(mirror)
  return yield* Effect.match(work, {
    onSuccess: (message): Synchronized => ({ failed: false, message }),
    onFailure: (error): Synchronized => ({ failed: true, message: becauseOf(error) })
  })
})
