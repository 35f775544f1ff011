import { makeUuid, now, Transaction } from "@slipway/domain"
import {
  EnvironmentNotFound,
  EnvironmentStore,
  EnvironmentUuid,
  type Project,
  ProjectNotFound,
  ProjectStore
} from "@slipway/domain/deploy/apps"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { removeUseCase } from "../../base/reading/listUseCases.ts"

/** The fields of an environment that its users set. */
export interface EnvironmentInput {
  readonly name: string
  readonly description: string
  readonly isProtected: boolean
}

/** Inserts an environment into an existing project. */
export const insertEnvironment = Effect.fnUntraced(function* (
  { teamId, uuid: projectUuid }: Pick<Project, "teamId" | "uuid">,
  input: EnvironmentInput
) {
  const at = yield* now
  const uuid = yield* makeUuid(EnvironmentUuid)
  return yield* (yield* EnvironmentStore).insert({
    ...input,
    uuid,
    projectUuid,
    teamId,
    createdAt: at,
    updatedAt: at
  })
})

/** Creates an environment. Its name must be unique in its project, ignoring case. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"environment.create">,
  input: EnvironmentInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const project = yield* (yield* ProjectStore).lock(resource.project.uuid)
      if (project === undefined) return yield* new ProjectNotFound()
      const environment = yield* insertEnvironment(project, input)
      if (input.isProtected) yield* authorize(resource.caller, "environment.protect", { project, environment })
      return environment
    })
  )
})

/** Lists the environments of a project, oldest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"environment.list">) {
  return yield* (yield* EnvironmentStore).ofProject(resource.project.uuid)
})

/** Changes an environment of a project. Only an administrator of the team may change its protection. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"environment.update">,
  input: Partial<EnvironmentInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* EnvironmentStore
      const present = yield* store.lock(resource.environment.uuid)
      if (present === undefined) return yield* new EnvironmentNotFound()
      const changesProtection = input.isProtected !== undefined && input.isProtected !== present.isProtected
      if (changesProtection) yield* authorize(resource.caller, "environment.protect", resource)
      const environment = { ...present, ...input, updatedAt: yield* now }
      yield* store.replace(environment)
      return environment
    })
  )
})

/** Removes an environment of a project. Fails if it contains resources. */
export const remove = removeUseCase("environment", EnvironmentStore, () => new EnvironmentNotFound())
