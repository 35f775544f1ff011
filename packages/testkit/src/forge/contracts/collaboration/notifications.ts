import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { ObjectId, watches } from "@slipway/domain/forge/code"
import {
  type Audience,
  assignees,
  type Issue,
  type IssueId,
  issueSubscriptions,
  mentions,
  type NotificationFilter,
  NotificationStore,
  type Review,
  type ReviewComment,
  type ReviewState,
  reviewComments,
  reviews
} from "@slipway/domain/forge/collaboration"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import {
  all,
  anonymousViewer,
  moment,
  namesOf,
  newCommentOn,
  newIssueIn,
  organizationOwner,
  viewerOfSite,
  viewing
} from "../../builders.ts"
import { equal, organization, repository, team, user } from "../base/fixtures.ts"

/**
 * Stores users of an organization with a public and a private repository. ann has written an issue in the public one
 * and a pull request in the private one.
 */
const fixture = Effect.gen(function* () {
  const store = yield* NotificationStore
  const [ann, bob, cat, dan] = [yield* user(1), yield* user(2), yield* user(3), yield* user(4)]
  const [eve, fay, guy] = [yield* user(5), yield* user(6), yield* user(7)]
  const acme = yield* organization(1)
  const open = yield* repository(1, organizationOwner(acme))
  const shut = yield* repository(2, organizationOwner(acme), { private: true })
  const door = yield* newIssueIn(open.id, ann.id, "The door")
  const vault = yield* newIssueIn(shut.id, ann.id, "The vault", { pull: true })
  const subscribe = (who: typeof ann, subscribed: boolean) =>
    Effect.orDie(
      Effect.flatMap(issueSubscriptions.store, (rows) =>
        rows.insert({ issueId: door.id, userId: who.id, subscribed, createdAt: moment(0) })
      )
    )
  const notify = (users: ReadonlyArray<typeof ann>, issue: typeof door, at: number) =>
    store.notify(
      users.map((each) => each.id),
      { issueId: issue.id, commentId: null, repositoryId: issue.repositoryId, at: moment(at) }
    )
  const listed = (who: typeof ann, filter: NotificationFilter = {}, page = all) =>
    Effect.map(store.list(viewerOfSite(viewing(who)), filter, page), ({ rows, total }) => [
      rows.map(({ notification, repository: { name } }) => [name, notification.status]),
      total
    ])
  return {
    store,
    acme,
    open,
    shut,
    door,
    vault,
    subscribe,
    notify,
    listed,
    ann,
    bob,
    cat,
    dan,
    eve,
    fay,
    guy
  }
})

const watching = (userId: UserId, repositoryId: RepositoryId, is: boolean) =>
  Effect.orDie(
    Effect.flatMap(watches.store, (rows) => rows.insert({ userId, repositoryId, watching: is, createdAt: moment(0) }))
  )

const assigning = (issueId: IssueId, userId: UserId) =>
  Effect.orDie(Effect.flatMap(assignees.store, (rows) => rows.insert({ issueId, userId })))

const newReview = (
  { id: issueId, repositoryId }: Issue,
  facts: Pick<Review, "reviewerId" | "state" | "teamId">
): Omit<Review, "id"> => ({
  issueId,
  repositoryId,
  body: "",
  commit: ObjectId.make("a".repeat(40)),
  baseVersion: 0,
  official: false,
  dismissed: false,
  submittedAt: moment(1),
  updatedAt: moment(1),
  ...facts
})

const newLineComment = (
  { id: issueId, repositoryId }: Issue,
  facts: Pick<ReviewComment, "authorId" | "reviewId">
): Omit<ReviewComment, "id"> => ({
  issueId,
  repositoryId,
  repliesToId: null,
  path: "README.md",
  side: "new",
  originalLine: 1,
  line: 1,
  originalCommit: ObjectId.make("a".repeat(40)),
  commit: ObjectId.make("a".repeat(40)),
  hunk: "",
  body: "Why?",
  resolverId: null,
  createdAt: moment(1),
  updatedAt: moment(1),
  ...facts
})

const crowd = Effect.gen(function* () {
  const world = yield* fixture
  const { ann, bob, cat, dan, door, eve, fay, guy, open, subscribe } = world
  yield* newCommentOn(door, bob.id, "yes")
  yield* newCommentOn(door, bob.id, "indeed")
  yield* assigning(door.id, cat.id)
  yield* Effect.orDie(Effect.flatMap(mentions.store, (rows) => rows.insert({ issueId: door.id, userId: dan.id })))
  yield* subscribe(eve, true)
  yield* watching(fay.id, open.id, true)
  yield* watching(ann.id, open.id, true)
  yield* watching(guy.id, open.id, false)
  const recipientsOf = (
    issueId: IssueId,
    from: { after?: number; limit?: number } = {},
    audience: Audience = "followers"
  ) => world.store.recipients({ issueId, audience }, { after: 0, limit: 20, ...from })
  const ids = (found: Effect.Success<ReturnType<typeof recipientsOf>>) => found.map(({ userId }) => userId)
  /**
   * Adds submitted and pending reviews, and review requests (one of them to a team), to the pull request in the private
   * repository.
   */
  const reviewed = Effect.gen(function* () {
    const { acme, vault } = world
    const [asked, gave, member] = [yield* user(11), yield* user(12), yield* user(13)]
    const [said, pending] = [yield* user(14), yield* user(15)]
    const crew = yield* team(9, acme, {}, [member])
    const review = (state: ReviewState, reviewerId: UserId | null, teamId: TeamId | null = null) =>
      Effect.orDie(
        Effect.flatMap(reviews.store, (rows) => rows.insert(newReview(vault, { state, reviewerId, teamId })))
      )
    yield* review("requested", asked.id)
    yield* review("requested", null, crew.id)
    const { id: unsaid } = yield* review("pending", pending.id)
    const { id: reviewId } = yield* review("approved", gave.id)
    yield* Effect.orDie(
      Effect.flatMap(reviewComments.store, (rows) =>
        rows.insertMany([
          newLineComment(vault, { reviewId, authorId: said.id }),
          newLineComment(vault, { reviewId: unsaid, authorId: pending.id })
        ])
      )
    )
    return { asked, gave, member, said, pending, vault }
  })
  return { ...world, recipientsOf, ids, reviewed }
})

/** Contract tests of the store of notifications. Every implementation must pass them. */
export const notifications: Contract<Stores> = {
  port: "NotificationStore",
  musts: {
    "find each author, assignee, reviewer, mentioned user, subscriber and watcher once, in pages by id": Effect.gen(
      function* () {
        const { ann, bob, cat, dan, door, eve, fay, ids, reviewed, recipientsOf } = yield* crowd
        equal(ids(yield* recipientsOf(door.id)), [ann.id, bob.id, cat.id, dan.id, eve.id, fay.id])
        equal(ids(yield* recipientsOf(door.id, { after: bob.id, limit: 2 })), [cat.id, dan.id])
        equal(yield* recipientsOf(404_404 as IssueId), [])
        const { asked, gave, member, said, pending, vault } = yield* reviewed
        equal(ids(yield* recipientsOf(vault.id)), [ann.id, asked.id, gave.id, member.id, said.id])
        equal(ids(yield* recipientsOf(vault.id)).includes(pending.id), false)
      }
    ),
    "return the strongest reason for each recipient": Effect.gen(function* () {
      const { ann, bob, cat, dan, door, eve, fay, recipientsOf } = yield* crowd
      yield* assigning(door.id, bob.id)
      equal(yield* recipientsOf(door.id), [
        { userId: ann.id, because: "author" },
        { userId: bob.id, because: "assign" },
        { userId: cat.id, because: "assign" },
        { userId: dan.id, because: "mention" },
        { userId: eve.id, because: "manual" },
        { userId: fay.id, because: "subscribed" }
      ])
    }),
    "omit users who unsubscribed or stopped watching": Effect.gen(function* () {
      const { ann, bob, cat, dan, door, eve, fay, ids, subscribe, recipientsOf } = yield* crowd
      yield* subscribe(bob, false)
      equal(ids(yield* recipientsOf(door.id)), [ann.id, cat.id, dan.id, eve.id, fay.id])
    }),
    "find only assignees or requested reviewers for notifications addressed to them": Effect.gen(function* () {
      const { cat, door, reviewed, recipientsOf } = yield* crowd
      equal(yield* recipientsOf(door.id, {}, "assignees"), [{ userId: cat.id, because: "assign" }])
      equal(yield* recipientsOf(door.id, {}, "reviewers"), [])
      const { asked, member, vault } = yield* reviewed
      equal(yield* recipientsOf(vault.id, {}, "reviewers"), [
        { userId: asked.id, because: "review_requested" },
        { userId: member.id, because: "review_requested" }
      ])
    }),
    "find the watchers of a repository, in pages by id": Effect.gen(function* () {
      const { ann, bob, fay, open, shut, store } = yield* crowd
      yield* watching(bob.id, open.id, true)
      equal(yield* store.watchers(open.id, { after: 0, limit: 10 }), [ann.id, bob.id, fay.id])
      equal(yield* store.watchers(open.id, { after: ann.id, limit: 1 }), [bob.id])
      equal(yield* store.watchers(shut.id, { after: 0, limit: 10 }), [])
    }),
    "notify many users in one call, with one unread notification per issue, unless it is pinned": Effect.gen(
      function* () {
        const { ann, bob, cat, door, listed, notify, store } = yield* fixture
        yield* notify([ann, bob, cat], door, 1)
        yield* store.mark(viewerOfSite(viewing(bob)), {}, "read", 10)
        yield* store.mark(viewerOfSite(viewing(cat)), {}, "pinned", 10)
        yield* notify([ann, bob, cat], door, 2)
        yield* notify([], door, 3)
        equal(yield* listed(ann), [[["repository-1", "unread"]], 1])
        equal(yield* listed(bob), [[["repository-1", "unread"]], 1])
        equal(yield* listed(cat), [[["repository-1", "pinned"]], 1])
        const { rows } = yield* store.list(viewerOfSite(viewing(bob)), {}, all)
        equal(rows[0]?.notification.updatedAt, moment(2))
      }
    ),
    "list the viewer's notifications that match a filter, latest first, with the matching total": Effect.gen(
      function* () {
        const { ann, bob, acme, door, listed, notify, open, shut, store, vault } = yield* fixture
        yield* team(1, acme, { units: { "repo.pulls": 1 }, includesAllRepositories: true }, [ann])
        yield* notify([ann, bob], door, 1)
        yield* notify([ann], vault, 2)
        equal(yield* listed(ann), [
          [
            ["repository-2", "unread"],
            ["repository-1", "unread"]
          ],
          2
        ])
        equal(yield* listed(ann, {}, { page: 2, perPage: 1 }), [[["repository-1", "unread"]], 2])
        equal(yield* listed(ann, { pull: true }), [[["repository-2", "unread"]], 1])
        equal(yield* listed(ann, { pull: false }), [[["repository-1", "unread"]], 1])
        equal(yield* listed(ann, { repositoryId: open.id }), [[["repository-1", "unread"]], 1])
        equal(yield* listed(ann, { since: moment(2) }), [[["repository-2", "unread"]], 1])
        equal(yield* listed(ann, { before: moment(2) }), [[["repository-1", "unread"]], 1])
        equal(yield* listed(ann, { statuses: ["read", "pinned"] }), [[], 0])
        equal(yield* listed(ann, { statuses: [] }), [[], 0])
        const { rows } = yield* store.list(viewerOfSite(viewing(ann)), { repositoryId: shut.id }, all)
        const id = rows[0]?.notification.id ?? 0
        equal(yield* listed(ann, { id }), [[["repository-2", "unread"]], 1])
        equal(yield* listed(bob, { id }), [[], 0])
        equal((yield* store.list(viewerOfSite(anonymousViewer), {}, all)).total, 0)
      }
    ),
    // Invariants I7 and I8: a stored notification reveals nothing to a user who can't read its subject any more.
    "list and count only notifications that the viewer can read now, issues and pull requests by separate units":
      Effect.gen(function* () {
        const { acme, bob, door, listed, notify, vault } = yield* fixture
        yield* notify([bob], door, 1)
        yield* notify([bob], vault, 2)
        equal(yield* listed(bob), [[["repository-1", "unread"]], 1])
        yield* team(1, acme, { units: { "repo.issues": 1 }, includesAllRepositories: true }, [bob])
        equal(yield* listed(bob), [[["repository-1", "unread"]], 1])
        yield* team(2, acme, { units: { "repo.pulls": 1 }, includesAllRepositories: true }, [bob])
        equal(yield* listed(bob), [
          [
            ["repository-2", "unread"],
            ["repository-1", "unread"]
          ],
          2
        ])
      }),
    "mark the listed notifications that match a filter, and return their ids": Effect.gen(function* () {
      const { acme, ann, bob, door, listed, notify, store, vault } = yield* fixture
      yield* notify([ann, bob], door, 1)
      yield* notify([ann, bob], vault, 2)
      const mark = (filter: Parameters<typeof store.mark>[1], limit = 10) =>
        Effect.map(store.mark(viewerOfSite(viewing(bob)), filter, "read", limit), (ids) => ids.length)
      equal(yield* mark({ upTo: moment(0) }), 0)
      equal(yield* mark({}, 0), 0)
      equal(yield* mark({ upTo: moment(1), statuses: ["unread"] }), 1)
      equal(yield* mark({ statuses: ["unread"] }), 0)
      equal(yield* listed(ann), [[["repository-1", "unread"]], 1])
      yield* team(1, acme, { units: { "repo.pulls": 1 }, includesAllRepositories: true }, [bob])
      equal(yield* listed(bob), [
        [
          ["repository-2", "unread"],
          ["repository-1", "read"]
        ],
        2
      ])
    }),
    "list the visible subscribers of an issue, with the matching total": Effect.gen(function* () {
      const { ann, bob, cat, door, store, subscribe, vault } = yield* fixture
      const eve = yield* user(8, { visibility: "private" })
      for (const who of [bob, eve, ann]) yield* subscribe(who, true)
      yield* subscribe(cat, false)
      equal(namesOf(yield* store.subscribers(anonymousViewer, door.id, all)), { names: [bob.name, ann.name], total: 2 })
      equal((yield* store.subscribers(viewing(eve), door.id, all)).total, 3)
      equal((yield* store.subscribers(anonymousViewer, vault.id, all)).total, 0)
    })
  }
}
