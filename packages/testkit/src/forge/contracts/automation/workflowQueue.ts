import type { Stores } from "@slipway/domain/forge"
import { type JobClaim, type RunnerId, WorkflowQueue } from "@slipway/domain/forge/automation"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, organizationOwner, userOwner } from "../../builders.ts"
import { newJobsOf, newRunOf } from "../../workflows.ts"
import { equal, organization, repository, user } from "../base/fixtures.ts"

const nobodys = { repositoryId: null, organizationId: null, userId: null }
const runner = (n: number, facts: Partial<JobClaim> = {}): JobClaim => ({
  of: nobodys,
  labels: ["linux"],
  runnerId: n as RunnerId,
  runnerName: `runner ${n}`,
  at: moment(n),
  ...facts
})

const fixture = Effect.gen(function* () {
  const queue = yield* WorkflowQueue
  const [ann, acme] = [userOwner(yield* user(1)), organizationOwner(yield* organization(1))]
  const [mine, theirs] = [yield* repository(1, ann), yield* repository(2, acme)]
  const claimed = (claim: JobClaim) => Effect.map(queue.claim(claim), (job) => job?.id)
  return { acme, ann, claimed, mine, queue, theirs }
})

/** Contract tests of the queue of workflow jobs. Every implementation must pass them. */
export const workflowQueue: Contract<Stores> = {
  port: "WorkflowQueue",
  musts: {
    "assign the oldest waiting job with matching labels, to one runner only": Effect.gen(function* () {
      const { claimed, mine } = yield* fixture
      const run = yield* newRunOf(mine)
      const [blocked, arm, first, plain] = yield* newJobsOf(
        run,
        { status: "blocked" },
        { runsOn: ["linux", "arm"] },
        {},
        { runsOn: [] },
        { status: "done", conclusion: "success" },
        { status: "running" }
      )
      equal(yield* claimed(runner(1, { labels: [] })), plain?.id)
      equal(yield* claimed(runner(1, { labels: ["x", "linux"] })), first?.id)
      equal(yield* claimed(runner(2)), undefined)
      equal(yield* claimed(runner(2, { labels: ["arm", "linux", "gpu"] })), arm?.id)
      equal(blocked?.status, "blocked")
    }),
    "assign to a runner of a repository or an owner only jobs of that repository or owner": Effect.gen(function* () {
      const { acme, ann, claimed, mine, theirs } = yield* fixture
      const [one, two] = yield* newJobsOf(yield* newRunOf(mine), {}, {})
      const [three, four, five] = yield* newJobsOf(yield* newRunOf(theirs), {}, {}, {})
      equal(yield* claimed(runner(1, { of: { ...nobodys, repositoryId: theirs.id } })), three?.id)
      equal(yield* claimed(runner(1, { of: { ...nobodys, organizationId: acme.id as never } })), four?.id)
      equal(yield* claimed(runner(1, { of: { ...nobodys, userId: ann.id as never } })), one?.id)
      equal(yield* claimed(runner(1)), two?.id)
      equal(yield* claimed(runner(1, { of: { ...nobodys, userId: ann.id as never } })), undefined)
      equal(yield* claimed(runner(1)), five?.id)
    }),
    "assign each job once to concurrent runners": Effect.gen(function* () {
      const { claimed, mine } = yield* fixture
      const jobs = yield* newJobsOf(yield* newRunOf(mine), {}, {}, {}, {}, {})
      const claimedIds = yield* Effect.all(
        [1, 2, 3, 4, 5, 6, 7, 8].map((n) => claimed(runner(n))),
        { concurrency: "unbounded" }
      )
      equal(
        claimedIds.flatMap((id) => id ?? []).toSorted((one, other) => one - other),
        jobs.map(({ id }) => id)
      )
    }),
    "store which runner has a job, and since when": Effect.gen(function* () {
      const { mine, queue } = yield* fixture
      const [job] = yield* newJobsOf(yield* newRunOf(mine), { matrix: { os: "b" }, needs: ["a"] })
      equal(yield* queue.claim(runner(7)), {
        ...job,
        status: "running",
        runnerId: 7,
        runnerName: "runner 7",
        startedAt: moment(7),
        aliveAt: moment(7)
      })
    }),
    "find a job by id only for the runner that has it": Effect.gen(function* () {
      const { mine, queue } = yield* fixture
      yield* newJobsOf(yield* newRunOf(mine), {}, {})
      const job = yield* queue.claim(runner(7))
      equal(yield* queue.held(7 as RunnerId, job?.id ?? 0), job)
      equal(yield* queue.held(8 as RunnerId, job?.id ?? 0), undefined)
      for (const odd of [0, -1, 1.5, Number.NaN, (job?.id ?? 0) + 1])
        equal(yield* queue.held(7 as RunnerId, odd), undefined)
    })
  }
}
