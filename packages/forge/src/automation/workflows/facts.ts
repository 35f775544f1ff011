import type { Plain, PlainRecord, RunFacts } from "@slipway/domain/forge/automation"
import {
  contextInput,
  githubContext,
  isRecord,
  makeBudget,
  type WorkflowRun,
  workflowSources
} from "@slipway/domain/forge/automation"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import * as ActionVariables from "../actionVariables/ActionVariables.ts"

const actorOf = Effect.fnUntraced(function* ({ actorId }: WorkflowRun) {
  if (actorId === null) return ""
  return (yield* (yield* UserStore).find(actorId))?.name ?? ""
})

/** Reads what the expressions of a run read; nothing where it was never kept. `reachedAt` is the site's address where it says none. */
export const factsOf = Effect.fnUntraced(function* (repository: Repository, run: WorkflowRun, reachedAt = "") {
  const source = yield* (yield* workflowSources.store).findBy("run", { runId: run.id })
  if (source === undefined) return undefined
  // BOUNDARY: all three were written as JSON when the run was started.
  const [workflow, called, payload] = [source.workflow, source.called, source.payload].map(
    (text) => JSON.parse(text) as Plain
  )
  const event: PlainRecord = isRecord(payload) ? payload : {}
  const { rootUrl } = yield* SiteSettings
  const input = contextInput(repository, rootUrl || reachedAt, yield* actorOf(run), run.name, event)
  return {
    workflow: workflow ?? null,
    called: isRecord(called) ? called : {},
    github: githubContext(run, input),
    vars: yield* ActionVariables.ofJobs(repository),
    budget: makeBudget(),
    inputs: run.event === "workflow_dispatch" && isRecord(event.inputs) ? event.inputs : {}
  } satisfies RunFacts
})
