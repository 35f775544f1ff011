import type { PlainRecord, PlainValue, RunFacts } from "@slipway/domain/forge/automation"
import {
  contextInput,
  githubContext,
  inputsIn,
  isRecord,
  makeBudget,
  textOfInPlain as textOf,
  typedInputs,
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

const recordIn = (value: PlainValue | undefined): PlainRecord => (isRecord(value) ? value : {})

/**
 * Returns the `inputs` context of a manual run. The stored event contains only strings, which are converted to the
 * declared types.
 */
const dispatchInputs = (workflow: PlainValue | undefined, { inputs }: PlainRecord): PlainRecord => {
  const asked = recordIn(recordIn(recordIn(workflow).on).workflow_dispatch).inputs
  const texts = Object.entries(recordIn(inputs)).map(([name, value]) => [name, textOf(value) ?? ""] as const)
  return typedInputs(
    inputsIn(asked, "", () => undefined),
    Object.fromEntries(texts)
  )
}

/**
 * Reads the data that expressions of a run can use; undefined if none is stored.
 *
 * `reachedAt` replaces the site's URL if none is configured.
 */
export const factsOf = Effect.fnUntraced(function* (repository: Repository, run: WorkflowRun, reachedAt = "") {
  const source = yield* (yield* workflowSources.store).findBy("run", { runId: run.id })
  if (source === undefined) return undefined
  // BOUNDARY: all three were written as JSON when the run was started.
  const [workflow, called, payload] = [source.workflow, source.called, source.payload].map(
    (text) => JSON.parse(text) as PlainValue
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
    inputs: run.event === "workflow_dispatch" ? dispatchInputs(workflow, event) : {}
  } satisfies RunFacts
})
