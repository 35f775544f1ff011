import { Effect } from "effect"
import { now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import { UserId } from "../accounts/User.ts"
import type { ObjectId } from "../git/objectIds.ts"
import { branchRef } from "../git/refNames.ts"
import { comments, type IssueId, type IssueState, issues } from "../issues/Issue.ts"
import { issueLabels } from "../issues/relations.ts"
import { addJobs } from "../jobs/addJob.ts"
import { colorOf, type LabelId, labels } from "../labels/Label.ts"
import { type MilestoneId, milestones } from "../milestones/Milestone.ts"
import { pulls } from "../pulls/PullRequest.ts"
import { releases } from "../releases/Release.ts"
import type { Repository } from "../repositories/Repository.ts"
import { type Copying, copyings, origins } from "./Copying.ts"
import { type CopiedPull, copiedPulls, keepHeads, type OtherRefs, pullRowOf } from "./copyPulls.ts"
import { copyReviews } from "./copyReviews.ts"
import { type Remote, RemoteFailed } from "./GitRemotes.ts"
import * as Other from "./otherForge.ts"

/** How many rows are stored in one transaction. */
const batch = 200
/** How many rows of one kind a repository has at the most, of those that are copied. */
const most = 50_000
/** How many numbers that are not copied lie between those that are. */
const mostGaps = 100_000

const batchesOf = <A>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / batch) }, (_, at) => rows.slice(at * batch, (at + 1) * batch))

const authorOf = (of: Pick<Other.OtherIssue, "original_author" | "original_author_id" | "user">) =>
  of.original_author
    ? { author: Other.keptText(of.original_author), authorId: of.original_author_id ?? 0 }
    : { author: Other.keptText(of.user?.login), authorId: of.user?.id ?? 0 }

const low = (text: string): string => text.toLowerCase()

/** What a run of the copying works on. */
interface Run {
  readonly repository: Repository
  readonly copying: Copying
  readonly forge: Other.OtherForge
  readonly refs: OtherRefs
}

const copyLabels = Effect.fnUntraced(function* ({ forge, repository: { id: repositoryId } }: Run) {
  const store = yield* labels.store
  const found = yield* Other.readLabels(forge)
  const present = new Set((yield* store.list({ repositoryId }, { limit: most })).rows.map(({ name }) => low(name)))
  const wanted = new Map(found.map((label) => [low(label.name), label]))
  const rows = [...wanted].flatMap(([key, { color, description, exclusive, is_archived, name }]) =>
    present.has(key)
      ? []
      : {
          repositoryId,
          organizationId: null,
          name: Other.keptText(name),
          color: colorOf(color) ?? "cccccc",
          description: Other.keptText(description),
          exclusive: exclusive === true,
          archived: is_archived === true
        }
  )
  if (rows.length > 0) yield* Effect.orDie(store.insertMany(rows))
})

const copyMilestones = Effect.fnUntraced(function* ({ forge, repository: { id: repositoryId } }: Run) {
  const store = yield* milestones.store
  const found = yield* Other.readMilestones(forge)
  const at = yield* now
  const present = new Set((yield* store.list({ repositoryId }, { limit: most })).rows.map(({ title }) => low(title)))
  const wanted = new Map(found.map((milestone) => [low(milestone.title), milestone]))
  const rows = [...wanted].flatMap(([key, { closed_at, created_at, description, due_on, state, title, updated_at }]) =>
    present.has(key)
      ? []
      : {
          repositoryId,
          title: Other.keptText(title),
          description: Other.keptText(description),
          state,
          dueAt: Other.keptTime(due_on) ?? null,
          closedAt: Other.keptTime(closed_at) ?? null,
          createdAt: Other.keptTime(created_at) ?? at,
          updatedAt: Other.keptTime(updated_at) ?? at
        }
  )
  if (rows.length > 0) yield* Effect.orDie(store.insertMany(rows))
})

const copyReleases = Effect.fnUntraced(function* ({ copying, forge, repository }: Run) {
  const [store, at, repositoryId] = [yield* releases.store, yield* now, repository.id]
  const found = yield* Other.readReleases(forge)
  const present = new Set((yield* store.list({ repositoryId }, { limit: most })).rows.map(({ tag }) => tag))
  // Hosts list the newest first, which comes last here.
  const wanted = new Map(found.toReversed().map((release) => [Other.keptText(release.tag_name), release]))
  const rows = [...wanted].flatMap(([tag, { body, created_at, draft, name, prerelease, published_at, ...release }]) => {
    const createdAt = Other.keptTime(created_at) ?? at
    return present.has(tag) || tag === ""
      ? []
      : {
          repositoryId,
          authorId: copying.userId,
          tag,
          target: Other.keptText(release.target_commitish) || repository.defaultBranch,
          title: Other.keptText(name) || tag,
          body: Other.keptText(body),
          draft: draft === true,
          prerelease: prerelease === true,
          createdAt,
          publishedAt: draft === true ? null : (Other.keptTime(published_at) ?? createdAt)
        }
  })
  if (rows.length > 0) yield* Effect.orDie(store.insertMany(rows))
})

/** Returns which issues are here already, by their numbers at the other host. */
const copiedIssues = Effect.fnUntraced(function* ({ repository: { id: repositoryId } }: Run) {
  const { rows } = yield* (yield* origins.store).list({ repositoryId }, { limit: most }, { filter: { kind: "issue" } })
  return new Map(rows.map(({ issueId, originalId }) => [originalId, issueId]))
})

/** Who is nobody: the author of what is taken back at once. */
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

/** Gives out numbers and takes them back, so that what comes next has the number that it has at the other host. */
const skipNumbers = Effect.fnUntraced(function* (repositoryId: Repository["id"], amount: number) {
  const store = yield* issues.store
  const blank = newIssue(repositoryId, yield* now)
  for (let left = amount; left > 0; left -= 1_000) {
    yield* Effect.orDie(store.insertMany(Array.from({ length: Math.min(left, 1_000) }, () => blank)))
    yield* store.removeWhere({ repositoryId }, { authorId: nobody })
  }
})

/** An issue or a pull request of another host, with what is read of git before it is stored. */
interface Read {
  readonly issue: Other.OtherIssue
  readonly pull: CopiedPull | undefined
}

/** What the issues of a repository have in common. */
interface Shared {
  readonly labelIds: ReadonlyMap<string, LabelId>
  readonly milestoneIds: ReadonlyMap<string, MilestoneId>
}

const issueRow = ({ issue, pull }: Read, { copying, repository }: Run, { milestoneIds }: Shared, at: string) => {
  const createdAt = Other.keptTime(issue.created_at) ?? at
  return {
    ...newIssue(repository.id, createdAt),
    pull: pull !== undefined,
    title: Other.keptText(issue.title),
    body: Other.keptText(issue.body),
    state: issue.state,
    authorId: copying.userId,
    milestoneId: issue.milestone ? (milestoneIds.get(low(issue.milestone.title)) ?? null) : null,
    ref: Other.keptText(issue.ref),
    locked: issue.is_locked === true || issue.locked === true,
    dueAt: Other.keptTime(issue.due_date) ?? null,
    closedAt: issue.state === "closed" ? (Other.keptTime(issue.closed_at) ?? createdAt) : null,
    updatedAt: Other.keptTime(issue.updated_at) ?? createdAt
  }
}

/** Stores issues whose numbers follow each other, in the running transaction. */
const storeIssues = Effect.fnUntraced(function* (read: ReadonlyArray<Read>, run: Run, shared: Shared) {
  const { id: repositoryId } = run.repository
  const at = yield* now
  const rows = yield* Effect.orDie(
    (yield* issues.store).insertMany(read.map((each) => issueRow(each, run, shared, at)))
  )
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

/** Returns runs of rows whose numbers follow each other, with how many numbers lie before each. */
export const runsOf = <A extends { readonly issue: { readonly number: number } }>(
  rows: ReadonlyArray<A>,
  last: number
) => {
  const runs: Array<{ readonly skip: number; readonly rows: Array<A> }> = []
  let next = last + 1
  for (const row of rows) {
    const skip = Math.max(0, row.issue.number - next)
    const present = runs.at(-1)
    if (skip === 0 && present !== undefined) present.rows.push(row)
    else runs.push({ skip, rows: [row] })
    next += skip + 1
  }
  return runs
}

const copyIssues = Effect.fnUntraced(function* (run: Run, tip: ObjectId | undefined) {
  const { copying, forge, refs, repository } = run
  const repositoryId = repository.id
  const known = yield* copiedIssues(run)
  const found = new Map((yield* Other.readIssues(forge)).map((issue) => [issue.number, issue]))
  const joining =
    copying.pulls && tip !== undefined
      ? new Map((yield* Other.readPulls(forge)).map((pull) => [pull.number, pull]))
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
    const isPull = ({ pull_request }: Other.OtherIssue) => pull_request !== undefined && pull_request !== null
    const asked = some.flatMap((issue) => (isPull(issue) ? (joining.get(issue.number) ?? []) : []))
    const copied = tip === undefined ? undefined : yield* copiedPulls(repository, asked, refs, tip)
    const read = some.map((issue) => ({ issue, pull: copied?.get(issue.number) }))
    yield* (yield* Transaction).run(
      Effect.gen(function* () {
        const { rows } = yield* (yield* issues.store).list({ repositoryId }, { limit: 1 }, { order: "newest" })
        for (const { rows: next, skip } of runsOf(read, rows[0]?.number ?? 0)) {
          yield* skipNumbers(repositoryId, skip)
          yield* storeIssues(next, run, shared)
        }
      })
    )
  }
})

const numberIn = ({ issue_url, pull_request_url }: Other.OtherComment): number =>
  Number(/\/(\d+)$/.exec(issue_url || pull_request_url || "")?.[1] ?? 0)

const copyComments = Effect.fnUntraced(function* (run: Run) {
  const { copying, forge, repository } = run
  const repositoryId = repository.id
  const at = yield* now
  const issueIds = yield* copiedIssues(run)
  if (issueIds.size === 0) return 0
  const scope = { repositoryId }
  const known = (yield* (yield* origins.store).list(scope, { limit: most }, { filter: { kind: "comment" } })).rows
  const here = new Set(known.map(({ originalId }) => originalId))
  const found = new Map((yield* Other.readComments(forge)).map((comment) => [comment.id, comment]))
  const wanted = [...found.values()]
    .flatMap((comment) => {
      const issueId: IssueId | undefined = issueIds.get(numberIn(comment))
      return issueId === undefined || here.has(comment.id) ? [] : [{ comment, issueId }]
    })
    .toSorted((one, other) => one.comment.id - other.comment.id)
  for (const some of batchesOf(wanted)) {
    const rows = some.map(({ comment, issueId }) => {
      const createdAt = Other.keptTime(comment.created_at) ?? at
      const updatedAt = Other.keptTime(comment.updated_at) ?? createdAt
      const body = Other.keptText(comment.body)
      return { issueId, repositoryId, authorId: copying.userId, body, contentVersion: 0, createdAt, updatedAt }
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
  return issueIds.size + here.size + wanted.length
})

/**
 * Copies what another host's API tells of a repository whose git is here.
 *
 * Done again it goes on where it was left: what is here is known by its name, its number at the other host, or its tag.
 */
export const copyForge = Effect.fnUntraced(function* (repository: Repository, remote: Remote, refs: OtherRefs) {
  const store = yield* copyings.store
  const copying = yield* store.findBy("repository", { repositoryId: repository.id })
  if (copying === undefined || copying.doneAt !== null) return
  const run: Run = { repository, copying, forge: { service: copying.service, remote }, refs }
  const tip = refs.get(branchRef(repository.defaultBranch))
  if (copying.labels) yield* copyLabels(run)
  if (copying.milestones) yield* copyMilestones(run)
  if (copying.releases) yield* copyReleases(run)
  let copied = 0
  if (copying.issues || copying.pulls) {
    if (copying.pulls) yield* keepHeads(repository, refs)
    yield* copyIssues(run, tip)
    if (copying.pulls) yield* copyReviews(run.forge, yield* copiedIssues(run))
    copied = yield* copyComments(run)
  }
  yield* Effect.orDie(store.patch({}, copying.id, { copied, doneAt: yield* now }))
})
