import { makeSecret, now } from "@slipway/domain"
import type { PlainRecord } from "@slipway/domain/forge/automation"
import { inputTexts, typedInputs, workflowSwitches } from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect, Result, Schema } from "effect"
import { audited } from "../../base/events/record.ts"
import { commitNamed } from "../../code/git/revisions.ts"
import { disabledIn, partsOf, type ResolvedTrigger, startOne } from "./createRun.ts"
import { type WorkflowFile, workflowsAt } from "./files.ts"

/** Reports that a repository has no such workflow file on the branch or tag. */
export class WorkflowNotFound extends Schema.TaggedError<WorkflowNotFound>()("WorkflowNotFound", {
  workflow: Schema.String
}) {}
/** Reports that a workflow cannot be started as requested. */
export class WorkflowRefused extends Schema.TaggedError<WorkflowRefused>()("WorkflowRefused", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** A workflow file of a repository, and whether the workflow is enabled. */
export interface WorkflowSeen extends WorkflowFile {
  readonly disabled: boolean
}

const seenIn = Effect.fnUntraced(function* (
  repository: Repository,
  { ref, workflow }: { readonly ref?: string | undefined; readonly workflow?: string } = {}
) {
  if (repository.empty) return []
  const home = yield* commitNamed(repository, ref).pipe(Effect.catchTag("RevisionNotFound", () => Effect.undefined))
  const files = home === undefined ? [] : yield* workflowsAt(repository.id, home.commit, workflow)
  const disabled = yield* disabledIn(repository)
  return files.map((file): WorkflowSeen => ({ ...file, disabled: disabled.has(file.file) }))
})

/** Lists the workflows on the default branch of a repository; none for an empty repository. */
export const list = ({ resource: { repository } }: Proof<"repository.actions.workflow.list">) => seenIn(repository)

/** Finds a workflow by its file name, at a revision or by default on the default branch. */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.workflow.read">,
  workflow: string,
  ref?: string
) {
  const [found] = yield* seenIn(repository, { ref, workflow })
  return found ?? (yield* new WorkflowNotFound({ workflow }))
})

/** Fails if the default branch of a repository has no such workflow. */
export const known = Effect.fnUntraced(function* (repository: Repository, workflow: string) {
  const { commit } = yield* Effect.mapError(commitNamed(repository, undefined), (error) =>
    error._tag === "RevisionNotFound" ? new WorkflowNotFound({ workflow }) : error
  )
  const [file] = yield* workflowsAt(repository.id, commit, workflow)
  if (file === undefined) return yield* new WorkflowNotFound({ workflow })
})

const switched = audited(
  Effect.fnUntraced(function* (
    {
      action,
      resource: { repository }
    }: Proof<"repository.actions.workflow.disable" | "repository.actions.workflow.enable">,
    workflow: string
  ) {
    const store = yield* workflowSwitches.store
    const { id: repositoryId } = repository
    if (action === "repository.actions.workflow.enable") yield* store.removeBy("workflow", { repositoryId, workflow })
    else yield* Effect.orDie(store.insertIfAbsent({ repositoryId, workflow, createdAt: yield* now }))
  }),
  (_, workflow) => ({ details: { workflow } })
)

/** Disables a workflow: events start no runs of it until it is enabled again. */
export const disable = Effect.fnUntraced(function* (
  proof: Proof<"repository.actions.workflow.disable">,
  workflow: string
) {
  yield* known(proof.resource.repository, workflow)
  yield* switched(proof, workflow)
})

/** Enables a workflow. */
export const enable = Effect.fnUntraced(function* (
  proof: Proof<"repository.actions.workflow.enable">,
  workflow: string
) {
  yield* known(proof.resource.repository, workflow)
  yield* switched(proof, workflow)
})

const started = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, repository } }: Proof<"repository.actions.workflow.dispatch">,
    file: WorkflowFile,
    trigger: ResolvedTrigger,
    inputs: PlainRecord
  ) {
    const user = actor.user
    const by = user === undefined ? null : { id: user.id, name: user.name }
    const run = yield* startOne(repository, file, trigger, {
      cause: yield* makeSecret,
      actor: by,
      inputs,
      known: true
    })
    return run ?? (yield* new WorkflowNotFound({ workflow: file.file }))
  }),
  ({ id }, { file }, { ref }) => ({ details: { workflow: file, ref, run: id } })
)

/** Starts a workflow manually, on a branch or a tag. */
export const dispatch = Effect.fnUntraced(function* (
  proof: Proof<"repository.actions.workflow.dispatch">,
  workflow: string,
  named: string,
  values: Readonly<Record<string, string>>
) {
  const { actor, repository } = proof.resource
  const { commit, ref } = yield* commitNamed(repository, named)
  if (ref === undefined || !/^refs\/(?:heads|tags)\//.test(ref)) {
    return yield* new WorkflowRefused({ field: "ref", problem: "must be a branch or a tag" })
  }
  const [file] = yield* workflowsAt(repository.id, commit, workflow)
  if (file === undefined) return yield* new WorkflowNotFound({ workflow })
  const refused = (problem: string, field = "workflow") => new WorkflowRefused({ field, problem })
  if (Result.isFailure(file.read)) return yield* refused(file.read.failure)
  const { inputs, on } = file.read.success.workflow
  if (on.workflow_dispatch === undefined) return yield* refused("does not name `workflow_dispatch`")
  if ((yield* disabledIn(repository)).has(workflow)) return yield* refused("is disabled")
  const texts = inputTexts(inputs, values)
  if (Result.isFailure(texts)) {
    return yield* refused(
      `\`${texts.failure.slice(0, 100)}\` is not a declared input, or has an invalid value`,
      "inputs"
    )
  }
  const user = actor.user
  const by = user === undefined ? null : { id: user.id, name: user.name }
  const payload = { inputs: texts.success, ref, workflow: file.path, ...(yield* partsOf(repository, by)) }
  const trigger: ResolvedTrigger = {
    event: "workflow_dispatch",
    activity: "",
    branch: undefined,
    tag: undefined,
    title: "",
    ref,
    commit,
    workflowsAt: undefined,
    files: undefined,
    trusted: true,
    payload
  }
  return yield* started(proof, file, trigger, typedInputs(inputs, texts.success))
})
