import { assert } from "@effect/vitest"
import {
  assignees,
  comments,
  dependencies,
  type Issue,
  type IssueFilter,
  type IssueId,
  type IssueOrder,
  IssueStore,
  installed,
  issueLabels,
  issueOrders,
  issues,
  type Label,
  labels,
  mentions,
  milestones,
  pulls,
  type Repository,
  type Stores,
  switchesBut,
  TeamStore,
  timelineEvent,
  timelineEvents,
  trackedTimes,
  type User,
  type Viewer
} from "@slipway/domain/forge"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import {
  all,
  moment,
  newCommentOn,
  newIssueIn,
  newPullIn,
  newReviewOf,
  organizationOwner,
  stranger,
  userOwner,
  viewing
} from "../builders.ts"
import { equal, organization, repository, team, user } from "./ground.ts"

const on = (viewer: Viewer) => ({ ...viewer, switches: installed })

const scopeOf = ({ id }: Pick<Repository, "id">) => ({ repositoryId: id, issues: true, pulls: true })

const label = (
  name: string,
  where: { readonly organizationId: Label["organizationId"]; readonly repositoryId: Label["repositoryId"] }
) =>
  Effect.flatMap(labels.store, (store) =>
    store.insert({ name, color: "ff0000", description: "", exclusive: false, archived: false, ...where })
  )

const labelIn = (name: string, { id }: Pick<Repository, "id">) =>
  label(name, { organizationId: null, repositoryId: id })

const change = ({ id, repositoryId }: Issue, set: Partial<Issue>) =>
  Effect.flatMap(issues.store, (store) => store.patch({ repositoryId }, id, set))

const tag = ({ id }: Issue, to: Pick<Label, "id">) =>
  Effect.flatMap(issueLabels.store, (store) => store.insert({ issueId: id, labelId: to.id }))

/** A repository of bob's with issues of him and ann: 1 and 2 are issues, 3 is a pull request, and 1 in another repository. */
const ground = Effect.gen(function* () {
  const ann = yield* user(1)
  const bob = yield* user(2)
  const site = yield* repository(1, userOwner(bob))
  const vault = yield* repository(2, userOwner(bob), { private: true })
  const door = yield* newIssueIn(site.id, bob.id, "The door squeaks", { body: "loudly" })
  const window = yield* newIssueIn(site.id, ann.id, "A window", { state: "closed" })
  const pull = yield* newIssueIn(site.id, ann.id, "Oil for the door", { pull: true })
  const hidden = yield* newIssueIn(vault.id, bob.id, "Behind the door")
  return { ann, bob, site, vault, door, window, pull, hidden }
})

const searched = (
  scope: Parameters<IssueStore["Service"]["search"]>[0],
  filter: IssueFilter = {},
  order: IssueOrder = "newest",
  page = all
) =>
  Effect.flatMap(IssueStore, (store) =>
    Effect.map(store.search(scope, filter, order, page), ({ more, rows, total }) => {
      if (page === all) equal([total, more], [rows.length, false])
      return rows.map(({ issue }) => issue.title)
    })
  )

const finds = Effect.gen(function* () {
  const { ann, bob, door, pull, site, window } = yield* ground
  const other = yield* user(3)
  const bug = yield* labelIn("Bug", site)
  const late = yield* labelIn("late", site)
  yield* tag(door, bug)
  yield* tag(pull, bug)
  yield* tag(pull, late)
  const one = yield* (yield* milestones.store).insert({
    repositoryId: site.id,
    title: "Version One",
    description: "",
    state: "open",
    dueAt: null,
    closedAt: null,
    createdAt: moment(0),
    updatedAt: moment(0)
  })
  yield* change(door, { milestoneId: one.id, updatedAt: moment(5), dueAt: moment(9), pinOrder: 2 })
  yield* change(window, { updatedAt: moment(6), dueAt: moment(8), pinOrder: 1 })
  yield* change(pull, { updatedAt: moment(4) })
  yield* (yield* assignees.store).insert({ issueId: door.id, userId: ann.id })
  yield* (yield* mentions.store).insert({ issueId: window.id, userId: other.id })
  yield* newCommentOn(window, ann.id, "one")
  yield* (yield* dependencies.store).insert({ issueId: door.id, dependsOnId: window.id })
  yield* newReviewOf(pull, other.id, { state: "rejected" })
  yield* newReviewOf(pull, ann.id, { state: "requested" })
  yield* newReviewOf(pull, ann.id, { state: "pending" })
  const member = yield* user(4)
  const asked = yield* team(1, yield* organization(1), {}, [member])
  yield* newReviewOf(pull, null, { state: "requested", teamId: asked.id })
  const [d, w, p] = [door.title, window.title, pull.title]
  const cases: ReadonlyArray<readonly [IssueFilter, ReadonlyArray<string>]> = [
    [{}, [p, w, d]],
    [{ pull: true }, [p]],
    [{ pull: false, state: "open" }, [d]],
    [{ labels: ["bug"] }, [p, d]],
    [{ labels: ["LATE", "none"] }, [p]],
    [{ labels: ["none"] }, []],
    [{ withoutLabels: ["late"] }, [w, d]],
    [{ milestones: ["version one"] }, [d]],
    [{ milestones: [String(one.id)] }, [d]],
    [{ milestones: ["\0", "two"] }, []],
    [{ since: moment(5) }, [w, d]],
    [{ before: moment(5) }, [p]],
    [{ authorId: ann.id }, [p, w]],
    [{ assigneeId: ann.id }, [d]],
    [{ mentionedId: other.id }, [w]],
    [{ reviewerId: other.id }, [p]],
    [{ reviewerId: ann.id }, []],
    [{ askedId: ann.id }, [p]],
    [{ askedId: member.id }, [p]],
    [{ askedId: other.id }, []],
    [{ ownerId: bob.id }, [p, w, d]],
    [{ ownerId: ann.id }, []],
    [{ pinned: true }, [w, d]],
    [{ ids: [door.id, pull.id] }, [p, d]],
    [{ neededBy: door.id }, [w]],
    [{ waitingFor: window.id }, [d]]
  ]
  for (const [filter, titles] of cases) {
    assert.deepStrictEqual(yield* searched(scopeOf(site), filter), titles, JSON.stringify(filter))
  }
  const orders: Readonly<Record<IssueOrder, ReadonlyArray<string>>> = {
    newest: [p, w, d],
    oldest: [d, w, p],
    recentupdate: [w, d, p],
    leastupdate: [p, d, w],
    mostcomment: [w, p, d],
    leastcomment: [d, p, w],
    nearduedate: [w, d, p],
    farduedate: [d, w, p],
    pinned: [p, w, d]
  }
  for (const order of issueOrders)
    assert.deepStrictEqual(yield* searched(scopeOf(site), {}, order), orders[order], order)
  equal(yield* searched(scopeOf(site), {}, "newest", { page: 2, perPage: 2 }), [d])
  equal(yield* searched({ ...scopeOf(site), pulls: false }), [w, d])
  equal(yield* searched({ ...scopeOf(site), issues: false, pulls: false }), [])
})

const reads = Effect.gen(function* () {
  const { bob, door, hidden, pull, site, window } = yield* ground
  const acme = yield* organization(1)
  const [mem, tim, rex] = [yield* user(3), yield* user(4), yield* user(5, { restricted: true })]
  const plans = yield* repository(3, organizationOwner(acme), { private: true })
  const quiet = yield* repository(4, organizationOwner(acme), { units: switchesBut("repo.issues") })
  yield* newIssueIn(plans.id, bob.id, "Plan")
  yield* newIssueIn(plans.id, bob.id, "Plan's change", { pull: true })
  yield* newIssueIn(quiet.id, bob.id, "Nobody's issue")
  yield* newIssueIn(quiet.id, bob.id, "Quiet change", { pull: true })
  const held = yield* team(1, acme, { units: { "repo.issues": 1 }, includesAllRepositories: false }, [mem])
  yield* (yield* TeamStore).addRepository(held.id, plans.id)
  yield* team(2, acme, { units: { "repo.pulls": 1 }, includesAllRepositories: true }, [tim])
  const open = [pull.title, window.title, door.title]
  const seen = (viewer: Viewer, filter: IssueFilter = {}) => searched({ viewer: on(viewer) }, filter)
  equal(yield* seen(stranger), ["Quiet change", ...open])
  equal(yield* seen(viewing(mem)), ["Quiet change", "Plan", ...open])
  equal(yield* seen(viewing(tim)), ["Quiet change", "Plan's change", ...open])
  equal(yield* seen(viewing(bob)), ["Quiet change", hidden.title, ...open])
  equal(yield* seen(viewing(rex)), [])
  equal(yield* seen(viewing(mem), { teamId: held.id }), ["Plan"])
  equal(yield* seen(viewing(mem), { ids: [hidden.id, door.id] }), [door.title])
  const first = yield* (yield* IssueStore).search({ viewer: on(viewing(bob)) }, { first: site.id }, "newest", {
    page: 1,
    perPage: 2
  })
  equal(
    first.rows.map(({ issue }) => issue.title),
    [pull.title, window.title]
  )
  equal([first.total, first.more], [5, true])
  equal(first.rows[0]?.repository, { id: site.id, owner: bob.name, name: site.name })
})

const words = Effect.gen(function* () {
  const { site, door } = yield* ground
  const found = (text: string) => searched(scopeOf(site), { text })
  const [d, p] = ["The door squeaks", "Oil for the door"]
  equal(yield* found("DOOR"), [p, d])
  equal(yield* found("loudly"), [d])
  equal(yield* found('"the door"'), [p, d])
  equal(yield* found('"door the"'), [])
  equal(yield* found("door -oil"), [d])
  equal(yield* found("loudly or oil"), [p, d])
  equal(yield* found("doo"), [])
  equal(yield* found("'\\ :* & ) \u{1f600}"), [])
  yield* change(door, { title: "The gate" })
  equal(yield* found("squeaks"), [])
  equal(yield* found("gate"), ["The gate"])
})

const idsOf = (rows: ReadonlyArray<{ readonly id: number }>) => rows.map(({ id }) => id)

/** What the search of issues promises. */
export const issueSearch: Contract<Stores> = {
  port: "IssueStore",
  musts: {
    "find the issues and pull requests of a repository that a filter asks for, in each order, and count them": finds,
    "find only what the viewer reads, issues and pull requests by their own units, and count alike": reads,
    "find issues by the words of their titles and texts, as these are at present": words,
    "read what hangs on many issues at once": Effect.gen(function* () {
      const { ann, bob, door, site, window } = yield* ground
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
      const details = yield* (yield* IssueStore).details([window.id, door.id, 4_040_404 as IssueId])
      const milestone = { ...one, open: 1, closed: 1 }
      equal([...details.keys()].toSorted(), [door.id, window.id].toSorted())
      equal(details.get(door.id), {
        labels: [bug, late],
        assigneeIds: [bob.id, ann.id],
        comments: 1,
        milestone,
        merge: undefined
      })
      const pull = yield* newPullIn(site.id, ann.id, "Oil")
      const merge = (yield* (yield* IssueStore).details([pull.id])).get(pull.id)?.merge
      equal(merge, { merged: false, mergedAt: null })
      const own = yield* pulls.store
      const row = yield* own.findBy("issue", { issueId: pull.id })
      yield* own.patch({ issueId: pull.id }, row?.id ?? 0, { merged: true, mergedAt: moment(3) })
      equal((yield* (yield* IssueStore).details([pull.id])).get(pull.id)?.merge, { merged: true, mergedAt: moment(3) })
      equal(details.get(window.id), { labels: [], assigneeIds: [], comments: 0, milestone, merge: undefined })
    }),
    "find the issues that a text names, as far as the viewer reads them": Effect.gen(function* () {
      const { bob, door, hidden, site, vault } = yield* ground
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
      equal(yield* named(stranger), [door.id])
      equal(yield* named(viewing(bob)), [door.id, hidden.id])
    }),
    "find users by their names, ignoring case": Effect.gen(function* () {
      const { ann } = yield* ground
      const upper = ann.name.toUpperCase()
      const found = yield* (yield* IssueStore).usersNamed([upper, "none", "\0"])
      equal([...found], [[upper, ann.id]])
    }),
    "find the labels that issues of a repository may have, by number or name": Effect.gen(function* () {
      const { site, vault } = yield* ground
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
    "list the comments of a repository by when they changed, those below issues and pull requests apart": Effect.gen(
      function* () {
        const { ann, door, hidden, pull, site } = yield* ground
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
      }
    ),
    "put pinned issues in an order, and unpin the others": Effect.gen(function* () {
      const { door, pull, site, window } = yield* ground
      const store = yield* IssueStore
      yield* change(pull, { pinOrder: 1 })
      yield* store.arrangePins(site.id, false, [door.id, window.id])
      equal(yield* searched({ ...scopeOf(site), pulls: false }, { pinned: true }, "pinned"), [door.title, window.title])
      yield* store.arrangePins(site.id, false, [window.id])
      equal(yield* searched(scopeOf(site), { pinned: true }, "oldest"), [window.title, pull.title])
    }),
    "list comments and events in the order in which they happened, without those whose source the viewer doesn't read":
      Effect.gen(function* () {
        const { ann, bob, door, hidden, site, vault } = yield* ground
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
            store.timeline(on(viewer === undefined ? stranger : viewing(viewer)), door.id, when, all)
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
      }),
    "close or open many issues at once, but for those that wait for others, and answer which ones changed": Effect.gen(
      function* () {
        const { door, hidden, pull, site, window } = yield* ground
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
    "tell whether an issue waits for another, through others too": Effect.gen(function* () {
      const { door, hidden, pull, window } = yield* ground
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
    "tell whether an issue waits for one that is open": Effect.gen(function* () {
      const { door, hidden, window } = yield* ground
      const store = yield* dependencies.store
      const { isWaiting } = yield* IssueStore
      yield* store.insert({ issueId: door.id, dependsOnId: window.id })
      equal(yield* isWaiting(door.id), false)
      yield* store.insert({ issueId: door.id, dependsOnId: hidden.id })
      equal(yield* isWaiting(door.id), true)
    })
  }
}
