import { now, Transaction } from "@slipway/domain"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { type LabelId, labels } from "@slipway/domain/forge/code"
import {
  comments,
  type IssueId,
  type IssueState,
  issueLabels,
  issues,
  type MilestoneId,
  milestones,
  origins,
  pulls
} from "@slipway/domain/forge/collaboration"
import { UserId } from "@slipway/domain/forge/identity"
import { OtherForge as Other, RemoteFailed } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { addJobs } from "../../base/jobs/addJob.ts"
import { copyFiles, knownFiles, replaceFileUrls } from "./copyFiles.ts"
import { type CopiedPull, copiedPulls, pullRowOf } from "./copyPulls.ts"
import { batchesOf, type CopyRun, low, most } from "./copyRun.ts"

/** The maximum count of unused numbers between the numbers of the copied issues. */
const mostGaps = 100_000

const authorOf = (of: Pick<Other.OtherIssue, "original_author" | "original_author_id" | "user">) =>
  of.original_author
    ? { author: Other.storedText(of.original_author), authorId: of.original_author_id ?? 0 }
    : { author: Other.storedText(of.user?.login), authorId: of.user?.id ?? 0 }

/** Returns the ids of the issues that are already copied, by their number at the other host. */
export const copiedIssues = Effect.fnUntraced(function* ({ repository: { id: repositoryId } }: CopyRun) {
  const { rows } = yield* (yield* origins.store).list({ repositoryId }, { limit: most }, { filter: { kind: "issue" } })
  return new Map(rows.map(({ issueId, originalId }) => [originalId, issueId]))
})

/** The author of placeholder rows, which fill gaps between issue numbers and are removed immediately. */
const nobody = UserId.make(0)

const newIssue = (repositoryId: Repository["id"], at: string) => ({
  repositoryId,
  pull: false,
  title: "",
  body: "",
  contentVersion: 0,
  state: "closed" as IssueState,
  authorId: nobody,
  milestoneId: null as MilestoneId | null,
  ref: "",
  locked: false,
  lockReason: "",
  pinOrder: 0,
  timeEstimate: 0,
  dueAt: null as string | null,
  closedAt: null as string | null,
  createdAt: at,
  updatedAt: at
})

/** Returns a text as it is stored: URLs of files at the other host are replaced by URLs of their copies. */
const bodyOf = Effect.fnUntraced(function* (
  { reader, repository }: CopyRun,
  { assets, body }: Pick<Other.OtherIssue, "assets" | "body">
) {
  return replaceFileUrls(reader, Other.storedText(body), yield* knownFiles(repository.id, assets))
})

/** Copies the files of issues or comments. */
const copyFilesOf = Effect.fnUntraced(function* (
  run: CopyRun,
  kind: "comment" | "issue",
  all: ReadonlyArray<Pick<Other.OtherIssue, "assets"> & { readonly id: number | null | undefined }>
) {
  const { id: repositoryId } = run.repository
  const having = all.flatMap(({ assets, id }) => (id && assets && assets.length > 0 ? [{ assets, id }] : []))
  for (const some of batchesOf(having)) {
    const files = yield* Effect.forEach(some, ({ assets, id }) =>
      Effect.map(knownFiles(repositoryId, assets), (known) => ({ to: { repositoryId, kind, id }, files: known }))
    )
    yield* copyFiles(run, files)
  }
})

/** An issue or a pull request of another host, with its git data. */
interface Read {
  readonly issue: Other.OtherIssue
  /** The text of the issue, with the file URLs of the copy. */
  readonly body: string
  readonly pull: CopiedPull | undefined
}

/** The data shared by all issues of a repository. */
interface Shared {
  readonly labelIds: ReadonlyMap<string, LabelId>
  readonly milestoneIds: ReadonlyMap<string, MilestoneId>
}

const issueRow = (
  { body, issue, pull }: Read,
  { copying, repository }: CopyRun,
  { milestoneIds }: Shared,
  at: string
) => {
  const createdAt = Other.storedTime(issue.created_at) ?? at
  return {
    ...newIssue(repository.id, createdAt),
    pull: pull !== undefined,
    title: Other.storedText(issue.title),
    body,
    contentVersion: issue.content_version ?? 0,
    state: issue.state,
    authorId: copying.userId,
    milestoneId: issue.milestone ? (milestoneIds.get(low(issue.milestone.title)) ?? null) : null,
    ref: Other.storedText(issue.ref),
    locked: issue.is_locked === true || issue.locked === true,
    dueAt: Other.storedTime(issue.due_date) ?? null,
    closedAt: issue.state === "closed" ? (Other.storedTime(issue.closed_at) ?? createdAt) : null,
    updatedAt: Other.storedTime(issue.updated_at) ?? createdAt
  }
}

/** How many issues one statement stores. */
const batchSize = 1_000

/**
 * Stores issues in the running transaction, with their numbers from the other host.
 *
 * The store assigns numbers in sequence, so a placeholder row is inserted for each unused number, and removed.
 */
const storeIssues = Effect.fnUntraced(function* (read: ReadonlyArray<Read | undefined>, run: CopyRun, shared: Shared) {
  const { id: repositoryId } = run.repository
  const at = yield* now
  const store = yield* issues.store
  const wanted = read.map((each) => (each === undefined ? newIssue(repositoryId, at) : issueRow(each, run, shared, at)))
  const rows = (yield* Effect.orDie(
    Effect.forEach(batchesOf(wanted, batchSize), (some) => store.insertMany(some))
  )).flat()
  if (read.includes(undefined)) yield* store.removeWhere({ repositoryId }, { authorId: nobody })
  const stored = rows.flatMap((row, index) => {
    const each = read[index]
    return each === undefined ? [] : [{ ...each, row }]
  })
  const from = stored.map(({ issue, row }) => ({
    issueId: row.id,
    repositoryId,
    commentId: null,
    kind: "issue" as const,
    originalId: issue.number,
    ...authorOf(issue)
  }))
  yield* Effect.orDie((yield* origins.store).insertMany(from))
  const labelled = stored.flatMap(({ issue, row }) => {
    const ids = (issue.labels ?? []).flatMap(({ name }) => shared.labelIds.get(low(name)) ?? [])
    return [...new Set(ids)].map((labelId) => ({ issueId: row.id, labelId }))
  })
  if (labelled.length > 0) yield* Effect.orDie((yield* issueLabels.store).insertMany(labelled))
  const joining = stored.flatMap(({ pull, row }) => (pull === undefined ? [] : pullRowOf(pull, row)))
  if (joining.length > 0) yield* Effect.orDie((yield* pulls.store).insertMany(joining))
  const open = joining.filter((pull) => pull.open)
  yield* addJobs(open.map(({ issueId }) => ({ _tag: "RefreshPull", issueId })))
})

/** Returns issues in the order of their numbers, with undefined for each unused number after `last`. */
const withGaps = (rows: ReadonlyArray<Read>, last: number) => {
  const places: Array<Read | undefined> = []
  for (const row of rows) {
    while (last + places.length + 1 < row.issue.number) places.push(undefined)
    places.push(row)
  }
  return places
}

/** Copies the issues and pull requests that are not copied yet; returns all issues of the other host. */
export const copyIssues = Effect.fnUntraced(function* (run: CopyRun, tip: ObjectId | undefined) {
  const { copying, reader, refs, repository } = run
  const repositoryId = repository.id
  const known = yield* copiedIssues(run)
  const found = new Map((yield* reader.issues).map((issue) => [issue.number, issue]))
  const joining =
    copying.pulls && tip !== undefined
      ? new Map((yield* reader.pulls).map((pull) => [pull.number, pull]))
      : new Map<number, Other.OtherPull>()
  const wanted = [...found.values()]
    .filter(({ number, pull_request }) => !known.has(number) && (pull_request ? joining.has(number) : copying.issues))
    .toSorted((one, other) => one.number - other.number)
  const { rows: present } = yield* (yield* labels.store).list({ repositoryId }, { limit: most })
  const { rows: planned } = yield* (yield* milestones.store).list({ repositoryId }, { limit: most })
  const shared: Shared = {
    labelIds: new Map(present.map(({ id, name }) => [low(name), id])),
    milestoneIds: new Map(planned.map(({ id, title }) => [low(title), id]))
  }
  const { rows: latest } = yield* (yield* issues.store).list({ repositoryId }, { limit: 1 }, { order: "newest" })
  const reached = latest[0]?.number ?? 0
  if ((wanted.at(-1)?.number ?? 0) - reached - wanted.length > mostGaps) {
    return yield* new RemoteFailed({ because: "the numbers of its issues are too far apart" })
  }
  for (const some of batchesOf(wanted)) {
    const asked = some.flatMap((issue) => (issue.pull_request ? (joining.get(issue.number) ?? []) : []))
    const copied = tip === undefined ? undefined : yield* copiedPulls(repository, asked, refs, tip)
    const read = yield* Effect.forEach(some, (issue) =>
      Effect.map(bodyOf(run, issue), (body) => ({ issue, body, pull: copied?.get(issue.number) }))
    )
    yield* (yield* Transaction).run(
      Effect.gen(function* () {
        const { rows } = yield* (yield* issues.store).list({ repositoryId }, { limit: 1 }, { order: "newest" })
        yield* storeIssues(withGaps(read, rows[0]?.number ?? 0), run, shared)
      })
    )
  }
  const all = [...found.values()]
  const here = yield* copiedIssues(run)
  yield* copyFilesOf(
    run,
    "issue",
    all.map(({ assets, number }) => ({ assets, id: here.get(number) }))
  )
  return all
})

/** Copies the comments of copied issues, and returns how many copied comments exist afterwards. */
export const copyComments = Effect.fnUntraced(function* (run: CopyRun, all: ReadonlyArray<Other.OtherIssue>) {
  const { copying, reader, repository } = run
  const repositoryId = repository.id
  const at = yield* now
  const issueIds = yield* copiedIssues(run)
  if (issueIds.size === 0) return 0
  const scope = { repositoryId }
  const known = (yield* (yield* origins.store).list(scope, { limit: most }, { filter: { kind: "comment" } })).rows
  const here = new Set(known.map(({ originalId }) => originalId))
  const found = new Map(
    (yield* reader.comments(all.filter(({ number }) => issueIds.has(number)))).map((each) => [each.comment.id, each])
  )
  const wanted = [...found.values()]
    .flatMap(({ comment, number }) => {
      const issueId: IssueId | undefined = issueIds.get(number)
      return issueId === undefined || here.has(comment.id) ? [] : [{ comment, issueId }]
    })
    .toSorted((one, other) => one.comment.id - other.comment.id)
  for (const some of batchesOf(wanted)) {
    const rows = yield* Effect.forEach(some, ({ comment, issueId }) => {
      const createdAt = Other.storedTime(comment.created_at) ?? at
      const updatedAt = Other.storedTime(comment.updated_at) ?? createdAt
      return Effect.map(bodyOf(run, comment), (body) => ({
        ...{ issueId, repositoryId, authorId: copying.userId, body, contentVersion: 0, createdAt, updatedAt }
      }))
    })
    yield* (yield* Transaction).run(
      Effect.gen(function* () {
        const stored = yield* Effect.orDie((yield* comments.store).insertMany(rows))
        const from = stored.flatMap(({ id, issueId }, index) => {
          const comment = some[index]?.comment
          if (comment === undefined) return []
          const kind = "comment" as const
          return [{ issueId, repositoryId, commentId: id, kind, originalId: comment.id, ...authorOf(comment) }]
        })
        yield* Effect.orDie((yield* origins.store).insertMany(from))
      })
    )
  }
  const { rows: stored } = yield* (yield* origins.store).list(scope, { limit: most }, { filter: { kind: "comment" } })
  yield* copyFilesOf(
    run,
    "comment",
    stored.map(({ commentId, originalId }) => ({ id: commentId, assets: found.get(originalId)?.comment.assets }))
  )
  return issueIds.size + stored.length
})
