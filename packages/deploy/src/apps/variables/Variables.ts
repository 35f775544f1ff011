import { Duplicate, InvalidInput, makeUuid, now, Transaction, Vault } from "@slipway/domain"
import {
  cutKeys,
  expandVariables,
  longestTogether,
  mostVariables,
  type SealedVariable,
  type Variable,
  type VariableFlags,
  VariableNotFound,
  VariableStore,
  VariableTooLong,
  VariableUuid
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect, Redacted, Result } from "effect"
import { capitalized, lockOwner, type OwnerResource, ownerIn } from "../owners/owner.ts"

/** The fields of a variable in a request. */
export interface VariableInput extends Partial<VariableFlags> {
  readonly key: string
  readonly value: Redacted.Redacted
}

/** Identifies the encrypted value of a variable for the secret store. */
export const valueOwner = (uuid: string) => ({ uuid, field: "value" })

/** Lists the variables of an application, a service or a database; their values are never returned. */
export const list = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.read" | "database.read" | "service.read">) {
  return yield* (yield* VariableStore).ofApplication(ownerIn(resource))
})

/** Builds the row of a new variable. */
const draft = Effect.fnUntraced(function* (application: ApplicationUuid, { key, value, ...flags }: VariableInput) {
  const uuid = yield* makeUuid(VariableUuid)
  const at = yield* now
  return {
    isLiteral: false,
    isMultiline: false,
    isShownOnce: false,
    isPreview: false,
    isBuildtime: true,
    isRuntime: true,
    comment: null,
    ...flags,
    uuid,
    applicationUuid: application,
    key,
    value: yield* (yield* Vault).seal(valueOwner(uuid), value),
    createdAt: at,
    updatedAt: at
  }
})

type Draft = Effect.Success<ReturnType<typeof draft>>
type DraftNeeds = Effect.Services<ReturnType<typeof draft>>

const duplicate = new Duplicate({ of: "variable.key" })

/** Locks a resource and returns its variables, so that concurrent additions cannot exceed the maximum number. */
const lockedVariables = Effect.fnUntraced(function* (resource: OwnerResource) {
  const { uuid } = yield* lockOwner(resource)
  return yield* (yield* VariableStore).ofApplication(uuid)
})

/**
 * Fails if a resource has too many variables. All of them are read for each deployment, so their number is limited
 * (invariant I25: bounded resources).
 */
const requireRoom = (resource: OwnerResource, field: string, count: number) => {
  const sentence = `${capitalized(resource)} has at most ${mostVariables} variables.`
  return count > mostVariables ? new InvalidInput({ problems: { [field]: [sentence] } }) : Effect.void
}

/** Adds a variable to an application, a service or a database. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "database.update" | "service.update">,
  input: VariableInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* lockedVariables(resource)
      yield* requireRoom(resource, "key", present.length + 1)
      const [added] = yield* (yield* VariableStore).insertMany([yield* draft(ownerIn(resource), input)])
      return added ?? (yield* Effect.fail(duplicate))
    })
  )
})

const changed = Effect.fnUntraced(function* (present: Variable, { key: _, value, ...flags }: VariableInput) {
  const row: Variable = {
    ...present,
    ...flags,
    isPreview: present.isPreview,
    value: yield* (yield* Vault).seal(valueOwner(present.uuid), value),
    updatedAt: yield* now
  }
  return row
})

const isSame = (input: VariableInput) => (present: Variable) =>
  present.key === input.key && present.isPreview === (input.isPreview ?? false)

/** Changes the variable with a given key. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "database.update" | "service.update">,
  input: VariableInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = (yield* lockedVariables(resource)).find(isSame(input))
      const row = yield* changed(present ?? (yield* new VariableNotFound()), input)
      yield* (yield* VariableStore).replaceMany([row])
      return row
    })
  )
})

/**
 * Adds or changes several variables of a resource within a transaction.
 *
 * Fails if the resource would have too many variables; the error is reported for the request field `field`.
 */
export const setAll = Effect.fnUntraced(function* (
  resource: OwnerResource,
  inputs: ReadonlyArray<VariableInput>,
  field: string
) {
  const store = yield* VariableStore
  const present = yield* lockedVariables(resource)
  const rows = yield* Effect.forEach(inputs, (input): Effect.Effect<Draft | Variable, never, DraftNeeds> => {
    const same = present.find(isSame(input))
    return same === undefined ? draft(ownerIn(resource), input) : changed(same, input)
  })
  // The last of duplicate keys counts.
  const changes = new Map(rows.flatMap((row) => ("id" in row ? [[row.uuid, row] as const] : [])))
  const drafts = rows.filter((row) => !("id" in row))
  yield* requireRoom(resource, field, present.length + drafts.length)
  yield* store.replaceMany([...changes.values()])
  const added = new Map((yield* store.insertMany(drafts)).map((row) => [row.uuid, row]))
  if (added.size < drafts.length) return yield* Effect.fail(duplicate)
  return rows.flatMap(({ uuid }) => changes.get(uuid) ?? added.get(uuid) ?? [])
})

/** Adds or changes several variables in one transaction: either all of them or none. */
export const bulk = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "database.update" | "service.update">,
  inputs: ReadonlyArray<VariableInput>
) {
  return yield* (yield* Transaction).run(setAll(resource, inputs, "data"))
})

/** Removes a variable from its application, service or database. */
export const remove = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.variable.delete" | "database.variable.delete" | "service.variable.delete">) {
  const removed = yield* (yield* VariableStore).remove(ownerIn(resource), resource.variable.uuid)
  if (!removed) return yield* new VariableNotFound()
})

/** Reads the plain values of a resource's variables, by variable uuid. Omits the values that are shown only once. */
export const values = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.secrets" | "database.secrets" | "service.secrets">,
  variables: ReadonlyArray<Variable>
) {
  const vault = yield* Vault
  const readable = variables.filter(
    ({ applicationUuid, isShownOnce }) => applicationUuid === ownerIn(resource) && !isShownOnce
  )
  const opened = yield* Effect.forEach(readable, ({ uuid, value }) =>
    Effect.map(vault.open(valueOwner(uuid), value), (plain) => [uuid, Redacted.value(plain)] as const)
  )
  return new Map(opened) as ReadonlyMap<Variable["uuid"], string>
})

const openedValues = Effect.fnUntraced(function* (variables: ReadonlyArray<SealedVariable>) {
  const vault = yield* Vault
  return yield* Effect.forEach(variables, ({ isLiteral = true, key, resolved, uuid, value }) =>
    Effect.map(vault.open(valueOwner(uuid), resolved ?? value), (plain) => ({
      key,
      value: Redacted.value(plain),
      isLiteral
    }))
  )
})

/** Returns the keys of variables that reference a variable without an earlier value; it expands to an empty text. */
export const cutIn = (variables: ReadonlyArray<SealedVariable>) => Effect.map(openedValues(variables), cutKeys)

/** Decrypts variables in order, for builds or for running containers, and expands references between them. */
export const open = Effect.fnUntraced(function* (
  variables: ReadonlyArray<SealedVariable>,
  moment: "build" | "run" = "run"
) {
  const opened = yield* openedValues(variables)
  const values = expandVariables(opened)
  if (Result.isFailure(values)) {
    const { key, most } = values.failure
    const because =
      most === longestTogether
        ? `the variables have more than ${most} characters together, including the variables in them`
        : `the variable ${key} has more than ${most} characters, including the variables in it`
    return yield* new VariableTooLong({ because })
  }
  return variables.flatMap(({ isBuildtime = true, isRuntime = true, key }, at) =>
    (moment === "build" ? isBuildtime : isRuntime) ? [[key, Redacted.make(values.success[at] ?? "")] as const] : []
  )
})
