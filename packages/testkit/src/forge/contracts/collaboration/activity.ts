import type { Stores } from "@slipway/domain/forge"
import { ActivityStore, type Issue, issues, pulls, releases } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newIssueIn, newPullIn, newReleaseIn, userOwner } from "../../builders.ts"
import { equal, repository, user } from "../base/fixtures.ts"

const fixture = Effect.gen(function* () {
  const ann = yield* user(1)
  const [site, other] = [yield* repository(1, userOwner(ann)), yield* repository(2, userOwner(ann))]
  return { ann, site, other, store: yield* ActivityStore }
})

const opened = ({ id, repositoryId }: Issue, created: number, closed: number | null = null) =>
  Effect.flatMap(issues.store, (store) =>
    store.patch({ repositoryId }, id, {
      createdAt: moment(created),
      closedAt: closed === null ? null : moment(closed),
      state: closed === null ? "open" : "closed",
      updatedAt: moment(closed ?? created)
    })
  )

/** Contract tests of the counts of repository activity. Every implementation must pass them. */
export const activity: Contract<Stores> = {
  port: "ActivityStore",
  musts: {
    "count the issues and pull requests of a repository that were opened, closed and merged since a time": Effect.gen(
      function* () {
        const { ann, other, site, store } = yield* fixture
        yield* opened(yield* newIssueIn(site.id, ann.id, "old"), 10)
        yield* opened(yield* newIssueIn(site.id, ann.id, "closed now"), 10, 21)
        yield* opened(yield* newIssueIn(site.id, ann.id, "opened and closed now"), 20, 22)
        yield* opened(yield* newIssueIn(other.id, ann.id, "elsewhere"), 20, 22)
        yield* opened(yield* newPullIn(site.id, ann.id, "new"), 23)
        yield* opened(yield* newPullIn(site.id, ann.id, "turned down"), 10, 24)
        const merged = yield* newPullIn(site.id, ann.id, "merged")
        yield* opened(merged, 12, 25)
        const pullStore = yield* pulls.store
        const [pull] = (yield* pullStore.list({ issueId: merged.id }, { limit: 1 })).rows
        yield* pullStore.patch({ issueId: merged.id }, pull?.id ?? 0, { merged: true, mergedAt: moment(25) })
        equal(yield* store.countsOf(site.id, moment(20)), {
          issuesOpened: 1,
          issuesClosed: 2,
          pullsOpened: 1,
          pullsMerged: 1,
          pullsClosed: 1,
          releases: 0
        })
        equal((yield* store.countsOf(site.id, moment(26))).issuesClosed, 0)
      }
    ),
    "count the releases of a repository that were published since a time": Effect.gen(function* () {
      const { ann, other, site, store } = yield* fixture
      const published = yield* newReleaseIn(site.id, ann.id, "v1", { draft: false })
      yield* newReleaseIn(site.id, ann.id, "v2", { draft: true })
      yield* newReleaseIn(other.id, ann.id, "v1", { draft: false })
      yield* Effect.orDie(
        (yield* releases.store).patch({ repositoryId: site.id }, published.id, { publishedAt: moment(20) })
      )
      equal((yield* store.countsOf(site.id, moment(20))).releases, 1)
      equal((yield* store.countsOf(site.id, moment(21))).releases, 0)
    })
  }
}
