import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { AttachmentStore, type Label } from "@slipway/domain/forge/code"
import {
  assignees,
  comments,
  dependencies,
  type IssueId,
  IssueStore,
  issues,
  milestones,
  origins,
  pulls,
  timelineEvents,
  trackedTimes
} from "@slipway/domain/forge/collaboration"
import type { User, UserId, Viewer } from "@slipway/domain/forge/identity"
import { timelineEvent } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { all, anonymousViewer, moment, newCommentOn, newPullIn, viewing } from "../../builders.ts"
import { equal, organization, run, samePaginated } from "../base/fixtures.ts"
import {
  change,
  finds,
  fixture,
  idsOf,
  label,
  labelIn,
  on,
  reads,
  scopeOf,
  searchIssues,
  tag,
  words
} from "./issues/search.ts"

/** Contract tests of the issue search. Every implementation must pass them. */
export const issueSearch: Contract<Stores> = {
  port: "IssueStore",
  musts: {
    "find the issues and pull requests of a repository that match a filter, in each order, and count them": finds,
    "find only issues and pull requests that the viewer can read, by separate units, with the matching total": reads,
    "find issues by the words of their current titles and texts": words,
    "read the details of many issues in one call": Effect.gen(function* () {
      const { ann, bob, door, site, window } = yield* fixture
      const [late, bug] = [yield* labelIn("late", site), yield* labelIn("Bug", site)]
      yield* tag(door, late)
      yield* tag(door, bug)
      for (const { id } of [bob, ann]) yield* (yield* assignees.store).insert({ issueId: door.id, userId: id })
      yield* newCommentOn(door, ann.id, "one")
      const one = yield* (yield* milestones.store).insert({
        repositoryId: site.id,
        title: "One",
        description: "d",
        state: "open",
        dueAt: moment(1),
        closedAt: null,
        createdAt: moment(0),
        updatedAt: moment(0)
      })
      for (const each of [door, window]) yield* change(each, { milestoneId: one.id })
      const origin = yield* (yield* origins.store).insert({
        issueId: door.id,
        repositoryId: site.id,
        commentId: null,
        kind: "issue",
        originalId: 7,
        author: "cy",
        authorId: 9
      })
      const to = { repositoryId: site.id, kind: "issue", id: door.id } as const
      const file = { to, uploaderId: ann.id, size: 1, type: "image/png", link: null, createdAt: moment(1) } as const
      const files = yield* Effect.forEach(["one", "two"], (name) =>
        Effect.flatMap(AttachmentStore, (store) => store.insert({ ...file, name, uuid: `uuid of ${name}` }))
      )
      const details = yield* (yield* IssueStore).details([window.id, door.id, 4_040_404 as IssueId])
      const milestone = { ...one, issuesOpen: 1, issuesClosed: 1, pullsOpen: 0, pullsClosed: 0 }
      equal([...details.keys()].toSorted(), [door.id, window.id].toSorted())
      equal(details.get(door.id), {
        labels: [bug, late],
        assigneeIds: [bob.id, ann.id],
        comments: 1,
        milestone,
        merge: undefined,
        origin,
        assets: files
      })
      const pull = yield* newPullIn(site.id, ann.id, "Oil")
      const merge = (yield* (yield* IssueStore).details([pull.id])).get(pull.id)?.merge
      equal(merge, { merged: false, mergedAt: null })
      const own = yield* pulls.store
      const row = yield* own.findBy("issue", { issueId: pull.id })
      yield* own.patch({ issueId: pull.id }, row?.id ?? 0, { merged: true, mergedAt: moment(3) })
      equal((yield* (yield* IssueStore).details([pull.id])).get(pull.id)?.merge, { merged: true, mergedAt: moment(3) })
      equal(details.get(window.id), {
        labels: [],
        assigneeIds: [],
        comments: 0,
        milestone,
        merge: undefined,
        origin: undefined,
        assets: []
      })
    }),
    "find the issues that a text mentions, if the viewer can read them": Effect.gen(function* () {
      const { bob, door, hidden, site, vault } = yield* fixture
      const named = (viewer: Viewer) =>
        Effect.flatMap(IssueStore, (store) =>
          Effect.map(
            store.named(on(viewer), [
              { owner: bob.name.toUpperCase(), name: site.name, index: 1 },
              { owner: bob.name, name: site.name, index: 1 },
              { owner: bob.name, name: site.name, index: 9 },
              { owner: bob.name, name: vault.name, index: 1 },
              { owner: "\0", name: "none", index: 1 }
            ]),
            (rows) => idsOf(rows.map(({ issue }) => issue))
          )
        )
      equal(yield* named(anonymousViewer), [door.id])
      equal(yield* named(viewing(bob)), [door.id, hidden.id])
    }),
    "find users by their names, ignoring case": Effect.gen(function* () {
      const { ann } = yield* fixture
      const upper = ann.name.toUpperCase()
      const found = yield* (yield* IssueStore).usersNamed([upper, "none", "\0"])
      equal([...found], [[upper, ann.id]])
    }),
    "return which of the given users wrote a pull request that a user merged": Effect.gen(function* () {
      const { ann, bob, site, vault } = yield* fixture
      const store = yield* IssueStore
      const authors = Effect.map(store.mergedAuthors(site.id, [ann.id, bob.id, 4_040_404 as UserId]), (found) => [
        ...found
      ])
      const merge = Effect.fnUntraced(function* (
        place: { readonly id: RepositoryId },
        author: User,
        mergerId: UserId | null
      ) {
        const issue = yield* newPullIn(place.id, author.id, "x")
        const pull = yield* (yield* pulls.store).findBy("issue", { issueId: issue.id })
        yield* (yield* pulls.store).patch({ repositoryId: place.id }, pull?.id ?? 0, { merged: true, mergerId })
      })
      yield* newPullIn(site.id, ann.id, "open")
      // Pull requests in other repositories, or without a user who merged them, don't count.
      yield* merge(site, ann, null)
      yield* merge(vault, ann, bob.id)
      equal(yield* authors, [])
      yield* merge(site, ann, bob.id)
      yield* merge(site, ann, bob.id)
      equal(yield* authors, [ann.id])
      equal([...(yield* store.mergedAuthors(site.id, [bob.id]))], [])
      equal([...(yield* store.mergedAuthors(site.id, []))], [])
    }),
    "find the labels available to the issues of a repository, by id or name": Effect.gen(function* () {
      const { site, vault } = yield* fixture
      const acme = yield* organization(1)
      const [own, other] = [yield* labelIn("Bug", site), yield* labelIn("bug", vault)]
      const shared = yield* label("BUG", { organizationId: acme.id, repositoryId: null })
      const found = (
        organizationId: Label["organizationId"],
        ids: ReadonlyArray<number>,
        names: ReadonlyArray<string>
      ) =>
        Effect.flatMap(IssueStore, (store) =>
          Effect.map(store.labels({ repositoryId: site.id, organizationId }, { ids, names }), idsOf)
        )
      equal(yield* found(null, [], ["bug", "\0"]), [own.id])
      equal(yield* found(acme.id, [], ["bug"]), [own.id, shared.id])
      equal(yield* found(null, [own.id, other.id, shared.id, 0.5], []), [own.id])
    }),
    "list the comments of a repository by change time, issues and pull requests separately": Effect.gen(function* () {
      const { ann, door, hidden, pull, site } = yield* fixture
      const [first, second] = [yield* newCommentOn(door, ann.id, "one"), yield* newCommentOn(pull, ann.id, "two")]
      yield* newCommentOn(hidden, ann.id, "three")
      yield* (yield* comments.store).patch({ issueId: pull.id }, second.id, { updatedAt: moment(5) })
      const listed = (pulls: boolean, when = {}) =>
        Effect.flatMap(IssueStore, (store) =>
          Effect.map(store.comments({ ...scopeOf(site), pulls }, when, all), ({ rows, total }) => {
            equal(total, rows.length)
            return rows.map(({ comment, issue }) => [comment.id, issue.number, issue.pull])
          })
        )
      equal(yield* listed(true), [
        [first.id, 1, false],
        [second.id, 3, true]
      ])
      equal(yield* listed(false), [[first.id, 1, false]])
      const [one, two] = [first.updatedAt, moment(5)].toSorted()
      equal((yield* listed(true, { since: two })).length, 1)
      equal((yield* listed(true, { before: two, since: one })).length, 1)
      equal(yield* listed(true, { before: one }), [])
      const store = yield* IssueStore
      yield* samePaginated((page) => store.comments(scopeOf(site), {}, page))
    }),
    "order the given pinned issues, and unpin all others": Effect.gen(function* () {
      const { door, pull, site, window } = yield* fixture
      const store = yield* IssueStore
      yield* change(pull, { pinOrder: 1 })
      yield* store.arrangePins(site.id, false, [door.id, window.id])
      equal(yield* searchIssues({ ...scopeOf(site), pulls: false }, { pinned: true }, "pinned"), [
        door.title,
        window.title
      ])
      yield* store.arrangePins(site.id, false, [window.id])
      equal(yield* searchIssues(scopeOf(site), { pinned: true }, "oldest"), [window.title, pull.title])
    }),
    "list comments and events in chronological order, without those from sources hidden from the viewer": Effect.gen(
      function* () {
        const { ann, bob, door, hidden, site, vault } = yield* fixture
        const bug = yield* labelIn("Bug", site)
        const said = yield* newCommentOn(door, ann.id, "one")
        const other = yield* newCommentOn(hidden, bob.id, "see the door")
        const late = "2026-01-03T00:00:00.000Z"
        const [labelled] = yield* (yield* timelineEvents.store).insertMany([
          timelineEvent(door, "label", bob.id, "2026-01-01T12:00:00.000Z", { details: { labelId: bug.id } }),
          timelineEvent(door, "comment_ref", bob.id, late, {
            otherIssueId: hidden.id,
            otherCommentId: other.id,
            sourceRepositoryId: vault.id,
            sourceUnit: "repo.issues"
          })
        ])
        const listed = (viewer: User | undefined, when = {}) =>
          Effect.flatMap(IssueStore, (store) =>
            store.timeline(on(viewer === undefined ? anonymousViewer : viewing(viewer)), door.id, when, all)
          )
        const kinds = (found: { readonly rows: ReadonlyArray<{ readonly kind: string }> }) =>
          found.rows.map(({ kind }) => kind)
        const whole = yield* listed(bob)
        equal([kinds(whole), whole.total], [["event", "comment", "event"], 3])
        equal(whole.rows[0], {
          kind: "event",
          event: labelled,
          label: bug,
          milestone: undefined,
          oldMilestone: undefined,
          otherComment: undefined,
          trackedTime: undefined
        })
        equal(whole.rows[1], { kind: "comment", comment: said })
        equal(whole.rows[2]?.kind === "event" && whole.rows[2].otherComment, other)
        for (const viewer of [ann, undefined]) {
          const part = yield* listed(viewer)
          equal([kinds(part), part.total], [["event", "comment"], 2])
        }
        equal(kinds(yield* listed(bob, { since: "2026-01-02T00:00:00.000Z", before: late })), ["comment"])
        const time = yield* (yield* trackedTimes.store).insert({
          issueId: door.id,
          userId: ann.id,
          seconds: 90,
          createdAt: late
        })
        yield* (yield* timelineEvents.store).insert(
          timelineEvent(door, "add_time_manual", ann.id, moment(0), { details: { trackedTimeId: time.id } })
        )
        const [worked] = (yield* listed(ann, { before: moment(1) })).rows
        equal(worked?.kind === "event" && worked.trackedTime, time)
        const store = yield* IssueStore
        yield* samePaginated((page) => store.timeline(on(viewing(bob)), door.id, {}, page))
      }
    ),
    "close or reopen many issues in one call, except for blocked ones, and return the changed ones": Effect.gen(
      function* () {
        const { door, hidden, pull, site, window } = yield* fixture
        yield* (yield* dependencies.store).insert({ issueId: door.id, dependsOnId: hidden.id })
        const { setState } = yield* IssueStore
        equal(yield* setState([door.id, window.id, pull.id], "closed", moment(7)), [pull.id])
        equal(yield* setState([window.id, door.id], "open", moment(8)), [window.id])
        equal(yield* setState([], "open", moment(8)), [])
        const read = (id: IssueId) =>
          Effect.flatMap(issues.store, (store) =>
            Effect.map(store.find({ repositoryId: site.id }, id), (found) => [
              found?.state,
              found?.closedAt,
              found?.updatedAt
            ])
          )
        equal(yield* read(pull.id), ["closed", moment(7), moment(7)])
        equal(yield* read(window.id), ["open", null, moment(8)])
      }
    ),
    "report whether an issue depends on another, directly or through others": Effect.gen(function* () {
      const { door, hidden, pull, window } = yield* fixture
      const store = yield* dependencies.store
      yield* store.insert({ issueId: door.id, dependsOnId: window.id })
      yield* store.insert({ issueId: window.id, dependsOnId: hidden.id })
      const { waitsFor } = yield* IssueStore
      equal(yield* Effect.forEach([window, hidden, pull, door], ({ id }) => waitsFor(door.id, id)), [
        true,
        true,
        false,
        false
      ])
      equal(yield* waitsFor(hidden.id, door.id), false)
    }),
    "report whether an issue depends on an open one": Effect.gen(function* () {
      const { door, hidden, window } = yield* fixture
      const store = yield* dependencies.store
      const { isWaiting } = yield* IssueStore
      yield* store.insert({ issueId: door.id, dependsOnId: window.id })
      equal(yield* isWaiting(door.id), false)
      yield* store.insert({ issueId: door.id, dependsOnId: hidden.id })
      equal(yield* isWaiting(door.id), true)
    }),
    "serialize decisions about dependencies until the transaction ends": Effect.gen(function* () {
      const { door, pull, window } = yield* fixture
      const store = yield* dependencies.store
      const { isWaiting, lockDependencies, waitsFor } = yield* IssueStore
      // Neither statement names the other's row: the cycle closes through the existing row.
      yield* store.insert({ issueId: window.id, dependsOnId: pull.id })
      const depend = (issueId: IssueId, dependsOnId: IssueId, held: Effect.Effect<void>) =>
        run(
          Effect.gen(function* () {
            yield* lockDependencies
            const circular = yield* waitsFor(dependsOnId, issueId)
            yield* held
            if (!circular) yield* store.insert({ issueId, dependsOnId })
            return circular
          })
        )
      const second = depend(pull.id, door.id, Effect.void)
      equal(yield* runInTurn(isWaiting(door.id), (held) => depend(door.id, window.id, held), second), [false, true])
    })
  }
}
