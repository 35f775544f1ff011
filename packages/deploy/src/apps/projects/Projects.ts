import { makeUuid, now, Transaction } from "@slipway/domain"
import { ProjectNotFound, ProjectStore, ProjectUuid } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { listUseCase, removeUseCase } from "../../base/reading/listUseCases.ts"
import { insertEnvironment } from "./Environments.ts"

/** The fields of a project that its users set. */
export interface ProjectInput {
  readonly name: string
  readonly description: string
}

/** Creates a project with an environment `production`. Its name must be unique in the team, ignoring case. */
export const create = Effect.fnUntraced(function* ({ resource }: Authorized<"project.create">, input: ProjectInput) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const at = yield* now
      const uuid = yield* makeUuid(ProjectUuid)
      const project = yield* (yield* ProjectStore).insert({
        ...input,
        teamId: teamOf(resource.caller.access),
        uuid,
        createdAt: at,
        updatedAt: at
      })
      yield* Effect.orDie(insertEnvironment(project, { name: "production", description: "", isProtected: false }))
      return project
    })
  )
})

/** Changes the name or description of a project. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"project.update">,
  input: Partial<ProjectInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* ProjectStore
      const present = yield* store.lock(resource.project.uuid)
      if (present === undefined) return yield* new ProjectNotFound()
      const project = { ...present, ...input, updatedAt: yield* now }
      yield* store.replace(project)
      return project
    })
  )
})

/** List use cases: `list` reads one page of projects, `stream` reads all. */
export const { list, stream } = listUseCase("project", ProjectStore)
/** Removes a project with its environments. Fails if an environment contains resources. */
export const remove = removeUseCase("project", ProjectStore, () => new ProjectNotFound())
