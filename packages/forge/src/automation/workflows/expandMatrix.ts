import type { PlainValue, WorkflowJob, WorkflowRun } from "@slipway/domain/forge/automation"
import {
  type CallJob,
  inputsAround,
  isRecord,
  type RunFacts,
  readWorkflow,
  scopeAround,
  workflowAround
} from "@slipway/domain/forge/automation"
import { Result } from "effect"
import type { CalledFile } from "./files.ts"
import { externalGroupPrefix, storedGroup } from "./groups.ts"
import { type Caller, type PlannedJob, plannedMatrix } from "./planRun.ts"

/** The fields of a job that the expansion of its matrix needs. */
type Placed = CallJob & Pick<WorkflowJob, "group" | "name">

/** A cache of parsed workflows, because many jobs of one workflow are expanded one after the other. */
const known = new WeakMap<object, ReturnType<typeof readWorkflow>>()

const readOnce = (written: PlainValue): ReturnType<typeof readWorkflow> => {
  if (!isRecord(written)) return readWorkflow(written)
  const read = known.get(written) ?? readWorkflow(written)
  known.set(written, read)
  return read
}

const callerAround = ({ caller }: CallJob, jobs: ReadonlyArray<Placed>, part: string): Caller | undefined => {
  const job = caller === null ? undefined : jobs.find(({ slot }) => slot === caller)
  if (job === undefined) return undefined
  const around = callerAround(job, jobs, part)
  return {
    slot: job.slot,
    name: job.name,
    place: `${around?.place ?? ""}jobs.${job.key} / `,
    groups: [...(around?.groups ?? []), ...(job.group === null ? [] : [job.group.slice(part.length)])]
  }
}

const calledIn = ({ called }: RunFacts): ReadonlyMap<string, CalledFile> =>
  new Map(
    Object.entries(called).flatMap(([path, written]) => {
      const read = readOnce(written)
      return Result.isSuccess(read) ? [[path, { workflow: read.success, written }] as const] : []
    })
  )

/**
 * Returns the jobs of a matrix after its dependencies have finished, or the error message if the matrix cannot be
 * expanded.
 *
 * The first job replaces the placeholder job of the matrix; the others, and the jobs of called workflows, are appended.
 */
export const expandMatrix = (
  job: Placed,
  jobs: ReadonlyArray<Placed>,
  facts: RunFacts,
  run: Pick<WorkflowRun, "group" | "ref" | "trusted">
): Result.Result<ReadonlyArray<PlannedJob>, string> => {
  const { event } = facts.github
  const started = { ...run, payload: isRecord(event) ? event : {} }
  const part = externalGroupPrefix(started)
  const read = readOnce(workflowAround(job, jobs, facts))
  const plan = Result.isSuccess(read) ? read.success.jobs.find(({ key }) => key === job.key) : undefined
  if (plan === undefined) return Result.fail("the job was removed from the workflow")
  const { budget, github, vars } = facts
  const planned = plannedMatrix(plan, {
    shared: { budget, github, vars, inputs: inputsAround(job, jobs, facts) },
    scope: scopeAround(job, jobs, facts),
    called: calledIn(facts),
    caller: callerAround(job, jobs, part),
    first: job.slot,
    taken: jobs.length
  })
  return Result.flatMap(planned, (all) => {
    const grouped = all.map((each) => ({ ...each, ...storedGroup(each, started) }))
    const isStuck = grouped.some(({ group }) => group !== null && group === run.group)
    return isStuck
      ? Result.fail(`jobs.${job.key}.concurrency: the job would wait for its own run`)
      : Result.succeed(grouped)
  })
}
