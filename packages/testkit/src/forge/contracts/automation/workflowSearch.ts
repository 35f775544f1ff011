import type { Stores } from "@slipway/domain/forge"
import { type JobFilter, type RunFilter, type WorkflowScope, WorkflowSearch } from "@slipway/domain/forge/automation"
import { type ObjectId, RepositoryStore, switchesBut } from "@slipway/domain/forge/code"
import type { OwnerId, Viewer } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, anonymousViewer, organizationOwner, userOwner, viewerOfSite, viewing } from "../../builders.ts"
import { newJobsOf, newRunOf } from "../../workflows.ts"
import { equal, oddTexts, organization, repository, samePaginated, team, user } from "../base/fixtures.ts"

/** Stores four repositories: a public one, two private ones, and one with the unit `actions` disabled. */
const fixture = Effect.gen(function* () {
  const store = yield* WorkflowSearch
  const [ann, bob, boss] = [yield* user(1), yield* user(2), yield* user(3, { admin: true })]
  const acme = yield* organization(1)
  yield* team(1, acme, { includesAllRepositories: true, units: { "repo.actions": 1 } }, [bob])
  const [open, secret, theirs, off] = [
    yield* repository(1, userOwner(ann)),
    yield* repository(2, userOwner(ann), { private: true }),
    yield* repository(3, organizationOwner(acme), { private: true }),
    yield* repository(4, userOwner(ann), { units: switchesBut("repo.actions") })
  ]
  const runs = (scope: WorkflowScope, filter: RunFilter = {}) =>
    Effect.map(store.runs(scope, filter, all), ({ rows, total }) => [rows.map(({ title }) => title).join(" "), total])
  const jobs = (scope: WorkflowScope, filter: JobFilter = {}) =>
    Effect.map(store.jobs(scope, filter, all), ({ rows, total }) => [
      rows.map(({ job, run }) => `${run.title}/${job.name}`).join(" "),
      total
    ])
  const seenBy = (viewer: Viewer, ownerId?: OwnerId): WorkflowScope => ({ viewer: viewerOfSite(viewer), ownerId })
  return { acme, ann, bob, boss, jobs, off, open, runs, secret, seenBy, store, theirs }
})

/** Stores the same repositories, each with a workflow run that has one job. */
const filled = Effect.gen(function* () {
  const world = yield* fixture
  for (const [title, place] of Object.entries({
    open: world.open,
    secret: world.secret,
    theirs: world.theirs,
    off: world.off
  })) {
    yield* newJobsOf(yield* newRunOf(place, { title }), { name: "a" })
  }
  return world
})

const commit = "2".repeat(40) as ObjectId

/** Contract tests of the lists of workflow runs and jobs. */
export const workflowSearch: Contract<Stores> = {
  port: "WorkflowSearch",
  musts: {
    "list the runs of a repository, newest first, without gaps or repeats between pages": Effect.gen(function* () {
      const { open, runs, secret, store } = yield* fixture
      for (const title of ["one", "two", "three"]) yield* newRunOf(open, { title })
      const secretRun = yield* newRunOf(secret, { title: "other" })
      equal(yield* runs({ repositoryId: open.id }), ["three two one", 3])
      equal((yield* store.runs({ repositoryId: secret.id }, {}, all)).rows, [secretRun])
      yield* samePaginated((page) => store.runs({ repositoryId: open.id }, {}, page))
    }),
    "list the runs that match a filter, with the matching total": Effect.gen(function* () {
      const { bob, open, runs, store } = yield* fixture
      const scope = { repositoryId: open.id }
      yield* newRunOf(open, { title: "usual" })
      yield* newRunOf(open, { title: "deploy", workflow: "deploy.yml", event: "workflow_dispatch", actorId: bob.id })
      yield* newRunOf(open, { title: "tag", ref: "refs/tags/v1", commit })
      yield* newRunOf(open, { title: "works", status: "running" })
      yield* newRunOf(open, { title: "good", status: "done", conclusion: "success" })
      yield* newRunOf(open, { title: "bad", status: "done", conclusion: "failure" })
      equal(yield* runs(scope, { workflow: "deploy.yml" }), ["deploy", 1])
      equal(yield* runs(scope, { event: "workflow_dispatch" }), ["deploy", 1])
      equal(yield* runs(scope, { actorId: bob.id }), ["deploy", 1])
      equal(yield* runs(scope, { ref: "refs/tags/v1" }), ["tag", 1])
      equal(yield* runs(scope, { commit }), ["tag", 1])
      equal(yield* runs(scope, { commit, ref: "refs/heads/main" }), ["", 0])
      const inState = (statuses: ReadonlyArray<"done" | "running" | "waiting">, conclusion?: "failure" | "success") =>
        runs(scope, { state: { statuses, conclusions: conclusion === undefined ? [] : [conclusion] } })
      equal(yield* inState(["waiting"]), ["tag deploy usual", 3])
      equal(yield* inState(["running"]), ["works", 1])
      equal(yield* inState(["done"]), ["bad good", 2])
      equal(yield* inState([], "failure"), ["bad", 1])
      equal(yield* inState(["running"], "success"), ["good works", 2])
      equal(yield* inState([]), ["", 0])
      yield* newRunOf(open, { title: "unseen", status: "blocked", needsApproval: true, ref: "refs/pull/1/head" })
      yield* newRunOf(open, { title: "given up", status: "done", needsApproval: true, ref: "refs/pull/1/head" })
      yield* newRunOf(open, { title: "later", status: "blocked", ref: "refs/pull/1/head" })
      const unapproved = { statuses: [], conclusions: [], unapproved: true } as const
      equal(yield* runs(scope, { state: unapproved }), ["unseen", 1])
      equal(yield* runs(scope, { state: { ...unapproved, statuses: ["running"] } }), ["unseen works", 2])
      for (const odd of oddTexts) {
        for (const filter of [{ workflow: odd }, { event: odd }, { ref: odd }, { commit: odd }]) {
          equal(yield* runs(scope, filter), ["", 0])
        }
      }
      yield* samePaginated((page) => store.runs(scope, { ref: "refs/heads/main" }, page))
    }),
    "list the jobs of a repository with their runs, newest first, and filtered": Effect.gen(function* () {
      const { jobs, open, secret, store } = yield* fixture
      const scope = { repositoryId: open.id }
      const [first, second] = [yield* newRunOf(open, { title: "one" }), yield* newRunOf(open, { title: "two" })]
      yield* newJobsOf(first, { name: "a", latest: false }, { name: "b", status: "running" })
      const [skippedJob] = yield* newJobsOf(second, { name: "c", status: "done", conclusion: "skipped" })
      yield* newJobsOf(yield* newRunOf(secret), {})
      equal(yield* jobs(scope), ["two/c one/b one/a", 3])
      const { rows } = yield* store.jobs(scope, {}, { page: 1, perPage: 1 })
      equal(rows, [{ job: skippedJob, run: second }])
      equal(yield* jobs(scope, { latest: true }), ["two/c one/b", 2])
      yield* newJobsOf(first, { name: "call", calls: ".forgejo/workflows/x.yml" })
      equal(yield* jobs(scope, { latest: true, givenOut: true }), ["two/c one/b", 2])
      equal(yield* jobs(scope, { state: { statuses: ["running"], conclusions: [] } }), ["one/b", 1])
      equal(yield* jobs(scope, { state: { statuses: ["running"], conclusions: ["skipped"] } }), ["two/c one/b", 2])
      yield* samePaginated((page) => store.jobs(scope, {}, page))
    }),
    "list the jobs of a run in the order of their creation": Effect.gen(function* () {
      const { jobs, open, secret, store } = yield* fixture
      const [run, other] = [yield* newRunOf(open, { title: "one" }), yield* newRunOf(open, { title: "two" })]
      yield* newJobsOf(run, { name: "a" }, { name: "b" }, { name: "c" })
      yield* newJobsOf(other, { name: "d" })
      equal(yield* jobs({ repositoryId: open.id }, { runId: run.id }), ["one/a one/b one/c", 3])
      // A run of another repository lists no jobs here.
      equal(yield* jobs({ repositoryId: secret.id }, { runId: run.id }), ["", 0])
      yield* samePaginated((page) => store.jobs({ repositoryId: open.id }, { runId: run.id }, page))
    }),
    "list only runs and jobs of repositories with actions that the viewer can read, with the matching total":
      Effect.gen(function* () {
        const { ann, bob, boss, jobs, runs, seenBy, store } = yield* filled
        equal(yield* runs(seenBy(viewing(ann))), ["secret open", 2])
        equal(yield* runs(seenBy(viewing(bob))), ["theirs open", 2])
        equal(yield* runs(seenBy(viewing(boss))), ["theirs secret open", 3])
        equal(yield* runs(seenBy(anonymousViewer)), ["open", 1])
        equal(yield* jobs(seenBy(viewing(bob))), ["theirs/a open/a", 2])
        equal(yield* jobs(seenBy(anonymousViewer)), ["open/a", 1])
        equal(yield* runs(seenBy(viewing(boss)), { state: { statuses: ["waiting"], conclusions: [] } }), [
          "theirs secret open",
          3
        ])
        yield* samePaginated((page) => store.runs(seenBy(viewing(boss)), {}, page))
        yield* samePaginated((page) => store.jobs(seenBy(viewing(boss)), {}, page))
      }),
    "list only runs and jobs of an owner's repositories, also after a transfer": Effect.gen(function* () {
      const { acme, ann, bob, jobs, open, runs, seenBy, store } = yield* filled
      equal(yield* runs(seenBy(viewing(ann), ann.id)), ["secret open", 2])
      equal(yield* jobs(seenBy(viewing(ann), ann.id)), ["secret/a open/a", 2])
      equal(yield* runs(seenBy(viewing(bob), ann.id)), ["open", 1])
      equal(yield* runs(seenBy(viewing(bob), bob.id)), ["", 0])
      yield* samePaginated((page) => store.runs(seenBy(viewing(ann), ann.id), {}, page))
      yield* samePaginated((page) => store.jobs(seenBy(viewing(ann), ann.id), {}, page))
      yield* (yield* RepositoryStore).transfer(open.id, organizationOwner(acme))
      yield* store.follow(open.id, acme.id)
      equal(yield* runs(seenBy(viewing(ann), ann.id)), ["secret", 1])
      equal(yield* runs(seenBy(viewing(bob), acme.id)), ["theirs open", 2])
      equal(yield* jobs(seenBy(viewing(bob), acme.id)), ["theirs/a open/a", 2])
    })
  }
}
