import type { Stores } from "@slipway/domain/forge"
import { type IssueScope, TimeStore, trackedTimes } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, moment, newIssueIn, organizationOwner, userOwner, viewerOfSite, viewing } from "../../builders.ts"
import { equal, organization, repository, team, user } from "../base/fixtures.ts"

/**
 * Stores tracked times of ann and bob in a public and a private repository. Each repository has an issue and a pull
 * request.
 */
const fixture = Effect.gen(function* () {
  const store = yield* TimeStore
  const [ann, bob] = [yield* user(1), yield* user(2)]
  const acme = yield* organization(1)
  const open = yield* repository(1, userOwner(ann))
  const shut = yield* repository(2, organizationOwner(acme), { private: true })
  const times = yield* trackedTimes.store
  let seconds = 0
  const issueIds: Array<number> = []
  for (const where of [open, shut]) {
    for (const pull of [false, true]) {
      const issue = yield* newIssueIn(where.id, ann.id, "work", { pull })
      for (const who of [ann, bob]) {
        seconds += 1
        const time = { issueId: issue.id, userId: who.id, seconds, createdAt: moment(seconds) }
        yield* Effect.orDie(times.insert(time))
        if (seconds % 2 === 1) issueIds.push(issue.id)
      }
    }
  }
  const listed = (scope: IssueScope, filter: Parameters<TimeStore["Service"]["list"]>[1] = {}, page = all) =>
    Effect.map(store.list(scope, filter, page), ({ rows, total }) => [rows.map((row) => row.seconds), total])
  return { acme, ann, bob, listed, issueIds, open, shut }
})

/** Contract tests of the store of tracked times. Every implementation must pass them. */
export const times: Contract<Stores> = {
  port: "TimeStore",
  musts: {
    "list the tracked times of issues and pull requests that match a filter, with the matching total": Effect.gen(
      function* () {
        const { bob, listed, issueIds, open } = yield* fixture
        const scope = { repositoryId: open.id, issues: true, pulls: true }
        equal(yield* listed(scope), [[1, 2, 3, 4], 4])
        equal(yield* listed({ ...scope, pulls: false }), [[1, 2], 2])
        equal(yield* listed({ ...scope, issues: false }), [[3, 4], 2])
        equal(yield* listed({ ...scope, issues: false, pulls: false }), [[], 0])
        equal(yield* listed(scope, { userId: bob.id }), [[2, 4], 2])
        equal(yield* listed(scope, { issueId: issueIds[1] as never }), [[3, 4], 2])
        equal(yield* listed(scope, { since: moment(2), before: moment(4) }), [[2, 3], 2])
        equal(yield* listed(scope, {}, { page: 2, perPage: 3 }), [[4], 4])
      }
    ),
    // Invariants I7 and I8: a user doesn't see times on resources that they can't read any more.
    "list only times that the viewer can read now, issues and pull requests by separate units, with the matching total":
      Effect.gen(function* () {
        const { acme, ann, bob, listed } = yield* fixture
        const of = (who: typeof bob, filter = {}) =>
          listed({ viewer: viewerOfSite(viewing(who)) }, { userId: who.id, ...filter })
        equal(yield* of(bob), [[2, 4], 2])
        equal(yield* of(ann), [[1, 3], 2])
        yield* team(1, acme, { units: { "repo.issues": 1 }, includesAllRepositories: true }, [bob])
        equal(yield* of(bob), [[2, 4, 6], 3])
        yield* team(2, acme, { units: { "repo.pulls": 1 }, includesAllRepositories: true }, [bob])
        equal(yield* of(bob), [[2, 4, 6, 8], 4])
      })
  }
}
