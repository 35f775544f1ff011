import type { Stores } from "@slipway/domain/forge"
import type { Repository } from "@slipway/domain/forge/code"
import { type MilestoneState, MilestoneStore, milestones } from "@slipway/domain/forge/collaboration"
import type { User } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, moment, newIssueIn, organizationOwner, userOwner, viewerOfSite, viewing } from "../../builders.ts"
import { equal, organization, repository, samePaginated, team, user } from "../base/fixtures.ts"
import { change } from "./issues/search.ts"

const milestone = (
  { id }: Pick<Repository, "id">,
  title: string,
  due: number | null = null,
  state: MilestoneState = "open"
) =>
  Effect.flatMap(milestones.store, (store) =>
    Effect.orDie(
      store.insert({
        repositoryId: id,
        title,
        description: "",
        state,
        dueAt: due === null ? null : moment(due),
        closedAt: null,
        createdAt: moment(0),
        updatedAt: moment(0)
      })
    )
  )

const titlesOf = (who: User, filter: { readonly state?: MilestoneState } = {}, page = all) =>
  Effect.flatMap(MilestoneStore, (store) =>
    Effect.map(store.reached(viewerOfSite(viewing(who)), who.id, filter, page), ({ rows, total }) => [
      rows.map(({ milestone: { title }, repository: { name, owner } }) => `${owner}/${name} ${title}`),
      total
    ])
  )

/** Contract tests of the lists of milestones. Every implementation must pass them. */
export const milestoneLists: Contract<Stores> = {
  port: "MilestoneStore",
  musts: {
    "list the milestones of the repositories that a user owns or was granted, by due date, with the matching total":
      Effect.gen(function* () {
        const [ann, bob] = [yield* user(1), yield* user(2)]
        const acme = yield* organization(1)
        const own = yield* repository(1, userOwner(ann))
        const others = yield* repository(2, userOwner(bob))
        const shared = yield* repository(3, organizationOwner(acme))
        yield* milestone(own, "later", 2)
        yield* milestone(own, "some day")
        yield* milestone(others, "of bob", 1)
        yield* milestone(shared, "first", 1)
        yield* milestone(own, "over", 0, "closed")
        equal(yield* titlesOf(ann), [
          ["user-1/repository-1 over", "user-1/repository-1 later", "user-1/repository-1 some day"],
          3
        ])
        equal(yield* titlesOf(ann, { state: "closed" }), [["user-1/repository-1 over"], 1])
        yield* team(1, acme, { units: { "repo.issues": 1 }, includesAllRepositories: true }, [ann])
        equal(yield* titlesOf(ann, { state: "open" }), [
          ["organization-1/repository-3 first", "user-1/repository-1 later", "user-1/repository-1 some day"],
          3
        ])
        equal(yield* titlesOf(ann, { state: "open" }, { page: 2, perPage: 2 }), [["user-1/repository-1 some day"], 3])
        const store = yield* MilestoneStore
        yield* samePaginated((page) => store.reached(viewerOfSite(viewing(ann)), ann.id, {}, page))
      }),
    // Invariant I9: nothing shows that a milestone of a hidden unit exists.
    "list only milestones of repositories in which the viewer can read issues or pull requests, with the readable units":
      Effect.gen(function* () {
        const [ann, bob] = [yield* user(1), yield* user(2)]
        const acme = yield* organization(1)
        const shut = yield* repository(1, organizationOwner(acme), { private: true })
        const { id: milestoneId } = yield* milestone(shut, "one")
        const counted = yield* newIssueIn(shut.id, bob.id, "an issue")
        yield* change(counted, { milestoneId })
        const pull = yield* newIssueIn(shut.id, bob.id, "a pull request", { pull: true })
        yield* change(pull, { milestoneId })
        yield* team(1, acme, { units: { "repo.code": 1 }, includesAllRepositories: true }, [ann])
        equal(yield* titlesOf(ann), [[], 0])
        yield* team(2, acme, { units: { "repo.pulls": 1 }, includesAllRepositories: true }, [ann])
        const store = yield* MilestoneStore
        const { rows } = yield* store.reached(viewerOfSite(viewing(ann)), ann.id, {}, all)
        equal(
          rows.map(({ milestone: found, reads }) => [found.title, found.issuesOpen, found.pullsOpen, reads]),
          [["one", 1, 1, { issues: false, pulls: true }]]
        )
      })
  }
}
