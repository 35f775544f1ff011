import type { Job, Work } from "@slipway/domain/forge/background"
import type { Effect } from "effect"
import { workflowJobs } from "../../automation/jobs.ts"
import type { JobHandler } from "../../base/jobs/JobHandlers.ts"
import { mailJobs } from "../../base/mail/jobs.ts"
import { pushJobs } from "../../code/pushes/jobs.ts"
import { repositoryJobs } from "../../code/repositories/jobs.ts"
import { collaborationJobs } from "../../collaboration/jobs.ts"

const all = [...mailJobs, ...repositoryJobs, ...pushJobs, ...collaborationJobs, ...workflowJobs] as const

type Handler = (typeof all)[number]
type Missing = Exclude<Work["_tag"], Handler["tag"]>

/** The services that the handlers of background jobs need. */
export type JobServices = Effect.Services<ReturnType<Handler["perform"]>>

// A tag without a handler makes this line fail to compile.
const table: [Missing] extends [never] ? ReadonlyArray<Handler> : Missing = all

const byTag: ReadonlyMap<string, JobHandler<Work["_tag"], JobServices>> = new Map(
  // BOUNDARY: each handler takes only work with one tag, which the map's key guarantees.
  table.map((handler) => [handler.tag, handler as unknown as JobHandler<Work["_tag"], JobServices>])
)

const handlerOf = ({ _tag }: Work): JobHandler<Work["_tag"], JobServices> => {
  const handler = byTag.get(_tag)
  if (handler === undefined) throw new Error(`no handler is defined for jobs with the tag ${_tag}`)
  return handler
}

/** Returns a description of a job for log messages and notices. */
export const describe = (work: Work): string => handlerOf(work).describe(work)

/** Performs a background job with the handler of its type. */
export const perform = (job: Job) => handlerOf(job.work).perform(job)
