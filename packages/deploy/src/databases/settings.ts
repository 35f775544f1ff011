import { InvalidInput } from "@slipway/domain"
import { type DatabaseKind, storageProblem, variableProblem } from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import * as Storages from "../apps/storages/Storages.ts"
import * as Variables from "../apps/variables/Variables.ts"

const refuse = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

const requireVariable = (kind: DatabaseKind, key: string, field: string) => {
  const problem = variableProblem(kind, key)
  return problem === null ? Effect.void : refuse(field, problem)
}

/** Returns a variable with the options of databases: it is not used in builds or previews. */
const asVariable = (input: Variables.VariableInput) => ({ ...input, isBuildtime: false, isPreview: false })

/** Adds a variable to a database. Its container gets the variable at the next start. */
export const createVariable = Effect.fnUntraced(function* (
  proof: Authorized<"database.update">,
  input: Variables.VariableInput
) {
  yield* requireVariable(proof.resource.database.kind, input.key, "key")
  return yield* Variables.create(proof, asVariable(input))
})

/** Changes the variable of a database that has the given key. */
export const updateVariable = (proof: Authorized<"database.update">, input: Variables.VariableInput) =>
  Variables.update(proof, asVariable(input))

/** Adds or changes several variables of a database in one transaction: either all of them or none. */
export const setVariables = Effect.fnUntraced(function* (
  proof: Authorized<"database.update">,
  inputs: ReadonlyArray<Variables.VariableInput>
) {
  for (const [at, { key }] of inputs.entries()) {
    yield* requireVariable(proof.resource.database.kind, key, `data.${at}.key`)
  }
  return yield* Variables.bulk(proof, inputs.map(asVariable))
})

const requireStorage = (kind: DatabaseKind, { content, mountPath, name }: Partial<Storages.NewStorage>) => {
  // The name of a file is not that of a volume.
  const problem = storageProblem(kind, {
    ...(name === undefined || content !== undefined ? {} : { name }),
    ...(mountPath === undefined ? {} : { mountPath })
  })
  return problem === null ? Effect.void : refuse(problem.field, problem.sentence)
}

/** Adds a storage to a database. Its container mounts the storage at the next start. */
export const createStorage = Effect.fnUntraced(function* (
  proof: Authorized<"database.update">,
  input: Omit<Storages.NewStorage, "service">
) {
  yield* requireStorage(proof.resource.database.kind, input)
  return yield* Storages.create(proof, { ...input, service: null })
})

/** Changes a storage of a database. Another volume name selects another volume, and the data is not copied. */
export const updateStorage = Effect.fnUntraced(function* (
  proof: Authorized<"database.update">,
  named: Storages.NamedStorage,
  input: Partial<Storages.NewStorage>,
  type: Storages.StorageType
) {
  yield* requireStorage(proof.resource.database.kind, input)
  return yield* Storages.update(proof, named, input, type)
})
