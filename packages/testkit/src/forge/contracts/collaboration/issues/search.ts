import { assert } from "@effect/vitest"
import { newSiteSwitches } from "@slipway/domain/forge/access"
import { type Label, labels, type Repository, RepositoryStore, switchesBut } from "@slipway/domain/forge/code"
import {
  assignees,
  dependencies,
  type Issue,
  type IssueFilter,
  type IssueOrder,
  IssueStore,
  issueLabels,
  issueOrders,
  issues,
  mentions,
  milestones
} from "@slipway/domain/forge/collaboration"
import { TeamStore, type Viewer } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import {
  all,
  anonymousViewer,
  moment,
  newCommentOn,
  newIssueIn,
  newReviewOf,
  organizationOwner,
  userOwner,
  viewing
} from "../../../builders.ts"
import { equal, organization, repository, samePaginated, team, user } from "../../base/fixtures.ts"

/** Returns a viewer on a site with the switches of a new site. */
export const on = (viewer: Viewer) => ({ ...viewer, switches: newSiteSwitches })

/** Returns the search scope of one repository, with issues and pull requests. */
export const scopeOf = ({ id }: Pick<Repository, "id">) => ({ repositoryId: id, issues: true, pulls: true })

/** Creates a label of an organization or a repository. */
export const label = (
  name: string,
  where: { readonly organizationId: Label["organizationId"]; readonly repositoryId: Label["repositoryId"] }
) =>
  Effect.flatMap(labels.store, (store) =>
    store.insert({ name, color: "ff0000", description: "", exclusive: false, archived: false, ...where })
  )

/** Creates a label of a repository. */
export const labelIn = (name: string, { id }: Pick<Repository, "id">) =>
  label(name, { organizationId: null, repositoryId: id })

/** Changes fields of a stored issue. */
export const change = ({ id, repositoryId }: Issue, set: Partial<Issue>) =>
  Effect.flatMap(issues.store, (store) => store.patch({ repositoryId }, id, set))

/** Adds a label to an issue. */
export const tag = ({ id }: Issue, to: Pick<Label, "id">) =>
  Effect.flatMap(issueLabels.store, (store) => store.insert({ issueId: id, labelId: to.id }))

/**
 * Stores a repository of bob, with issues of bob and ann. Numbers 1 and 2 are issues, and 3 is a pull request.
 *
 * Also stores another repository with one issue.
 */
export const fixture = Effect.gen(function* () {
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

/** Searches issues in a scope with a filter, and returns the titles of the issues found. */
export const searchIssues = (
  scope: Parameters<IssueStore["Service"]["search"]>[0],
  filter: IssueFilter = {},
  order: IssueOrder = "newest",
  page = all
) =>
  Effect.flatMap(IssueStore, (store) =>
    Effect.map(store.search(scope, filter, order, page), ({ next, rows, total }) => {
      if (page === all) equal([total, next], [rows.length, undefined])
      return rows.map(({ issue }) => issue.title)
    })
  )

/** Tests that a search finds issues by each field of the filter. */
export const finds = Effect.gen(function* () {
  const { ann, bob, door, pull, site, window } = yield* fixture
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
    [{ allLabels: ["bug", "LATE"] }, [p]],
    [{ allLabels: ["bug", "BUG"] }, [p, d]],
    [{ allLabels: ["bug", "none"] }, []],
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
    assert.deepStrictEqual(yield* searchIssues(scopeOf(site), filter), titles, JSON.stringify(filter))
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
  const store = yield* IssueStore
  for (const order of issueOrders) {
    assert.deepStrictEqual(yield* searchIssues(scopeOf(site), {}, order), orders[order], order)
  }
  for (const order of ["recentupdate", "nearduedate", "mostcomment"] as const) {
    yield* samePaginated((page) => store.search(scopeOf(site), {}, order, page))
  }
  equal(yield* searchIssues(scopeOf(site), {}, "newest", { page: 2, perPage: 2 }), [d])
  equal(yield* searchIssues({ ...scopeOf(site), pulls: false }), [w, d])
  equal(yield* searchIssues({ ...scopeOf(site), issues: false, pulls: false }), [])
})

/** Tests that searches find only issues that the viewer can read. */
export const reads = Effect.gen(function* () {
  const { bob, door, hidden, pull, site, window } = yield* fixture
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
  const seen = (viewer: Viewer, filter: IssueFilter = {}) => searchIssues({ viewer: on(viewer) }, filter)
  equal(yield* seen(anonymousViewer), ["Quiet change", ...open])
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
  equal([first.total, first.next !== undefined], [5, true])
  equal(first.rows[0]?.repository, { id: site.id, owner: bob.name, name: site.name })
  // Issues are found by the current state, and authorized by the current settings.
  yield* change(door, { state: "closed" })
  equal(yield* seen(anonymousViewer, { state: "open" }), ["Quiet change", pull.title])
  yield* (yield* RepositoryStore).replace({ ...quiet, units: switchesBut("repo.pulls") })
  equal(yield* seen(anonymousViewer, { pull: false }), ["Nobody's issue", window.title, door.title])
})

/** Tests searches by words of the title and text. */
export const words = Effect.gen(function* () {
  const { site, door } = yield* fixture
  const found = (text: string) => searchIssues(scopeOf(site), { text })
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

/** Returns the ids of rows. */
export const idsOf = (rows: ReadonlyArray<{ readonly id: number }>) => rows.map(({ id }) => id)
