import { Effect } from "effect"
import type { OwnedPage, OwnedRows } from "../../owned/OwnedStore.ts"
import type { OwnerId } from "../organizations/Organization.ts"
import type { RepositoryId } from "../repositories/Repository.ts"
import { workflowJobs } from "./WorkflowJob.ts"
import { workflowRuns } from "./WorkflowRun.ts"

const atOnce = 1_000

/** Does something with all rows of a list, some at a time. */
const walked = Effect.fnUntraced(function* <Row, E, R>(
  list: (page: OwnedPage) => Effect.Effect<OwnedRows<Row>>,
  act: (rows: ReadonlyArray<Row>) => Effect.Effect<unknown, E, R>
) {
  let page: OwnedPage | undefined = { limit: atOnce }
  while (page !== undefined) {
    const { next, rows }: OwnedRows<Row> = yield* list(page)
    yield* act(rows)
    page = next === undefined ? undefined : { after: next, limit: atOnce }
  }
})

const to = (ownerId: OwnerId) => (rows: ReadonlyArray<{ readonly id: number }>) =>
  rows.map(({ id }) => ({ id, change: { ownerId } }))

/** Has the runs and jobs of a repository be those of another owner, in the running transaction. */
export const runsTo = Effect.fnUntraced(function* (repositoryId: RepositoryId, ownerId: OwnerId) {
  const [runs, jobs] = [yield* workflowRuns.store, yield* workflowJobs.store]
  const changes = to(ownerId)
  yield* walked(
    (page) => runs.list({ repositoryId }, page),
    (rows) => Effect.orDie(runs.patchMany({ repositoryId }, changes(rows)))
  )
  yield* walked(
    (page) => jobs.list({ repositoryId }, page),
    (rows) => Effect.orDie(jobs.patchMany({ repositoryId }, changes(rows)))
  )
})
