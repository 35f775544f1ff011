import { Effect } from "effect"
import { nameKey } from "../../Collection.ts"
import { makeUuid } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import type { Authorized } from "../access/authorize.ts"
import { EnvironmentNotFound, EnvironmentUuid, ProjectNotFound, type ProjectUuid } from "./Project.ts"
import { EnvironmentStore, ProjectStore } from "./ProjectStore.ts"

/** The fields of an environment that its users set. */
export interface EnvironmentInput {
  readonly name: string
  readonly description: string
}

/** Writes a new environment of a project that is there. */
export const insertEnvironment = Effect.fnUntraced(function* (projectUuid: ProjectUuid, input: EnvironmentInput) {
  const at = yield* now
  const uuid = yield* makeUuid(EnvironmentUuid)
  return yield* (yield* EnvironmentStore).insert({ ...input, uuid, projectUuid, createdAt: at, updatedAt: at })
})

const projectOf = Effect.fnUntraced(function* (uuid: string) {
  const project = yield* (yield* ProjectStore).lock(uuid as ProjectUuid)
  return project ?? (yield* new ProjectNotFound())
})

const environmentOf = Effect.fnUntraced(function* (projectUuid: ProjectUuid, nameOrUuid: string) {
  const environments = yield* (yield* EnvironmentStore).ofProject(projectUuid)
  const name = nameKey(nameOrUuid)
  const found =
    environments.find((each) => each.uuid === nameOrUuid) ?? environments.find((each) => nameKey(each.name) === name)
  return found ?? (yield* new EnvironmentNotFound())
})

/** Creates an environment; its name must be the only one in its project, ignoring case. */
export const create = Effect.fnUntraced(function* (
  _: Authorized<"environment.create">,
  project: string,
  input: EnvironmentInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(Effect.flatMap(projectOf(project), ({ uuid }) => insertEnvironment(uuid, input)))
})

/** Lists the environments of a project, oldest first. */
export const list = Effect.fnUntraced(function* (_: Authorized<"environment.list">, project: string) {
  const found = yield* (yield* ProjectStore).find(project as ProjectUuid)
  if (found === undefined) return yield* new ProjectNotFound()
  return yield* (yield* EnvironmentStore).ofProject(found.uuid)
})

/** Reads an environment of a project by its uuid or its name. */
export const get = Effect.fnUntraced(function* (
  _: Authorized<"environment.read">,
  project: string,
  nameOrUuid: string
) {
  const found = yield* (yield* ProjectStore).find(project as ProjectUuid)
  if (found === undefined) return yield* new ProjectNotFound()
  return yield* environmentOf(found.uuid, nameOrUuid)
})

/** Changes an environment of a project. */
export const update = Effect.fnUntraced(function* (
  _: Authorized<"environment.update">,
  project: string,
  nameOrUuid: string,
  input: Partial<EnvironmentInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { uuid } = yield* projectOf(project)
      const environment = { ...(yield* environmentOf(uuid, nameOrUuid)), ...input, updatedAt: yield* now }
      yield* (yield* EnvironmentStore).replace(environment)
      return environment
    })
  )
})

/** Removes an environment of a project, unless something runs in it. */
export const remove = Effect.fnUntraced(function* (
  _: Authorized<"environment.delete">,
  project: string,
  nameOrUuid: string
) {
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      const { uuid } = yield* projectOf(project)
      const environment = yield* environmentOf(uuid, nameOrUuid)
      yield* (yield* EnvironmentStore).remove(environment.uuid)
    })
  )
})
