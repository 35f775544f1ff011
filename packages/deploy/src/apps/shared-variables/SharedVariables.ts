import { Duplicate, InvalidInput, makeUuid, now, Transaction, Vault } from "@slipway/domain"
import type { Placement } from "@slipway/domain/deploy/apps"
import {
  longestValue,
  mostShared,
  resolveShared,
  type SealedVariable,
  type SharedVariable,
  SharedVariableNotFound,
  SharedVariableStore,
  SharedVariableUuid,
  teamOwner,
  VariableTooLong
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect, Redacted } from "effect"
import { valueOwner } from "../variables/Variables.ts"

/** The fields of a shared variable in a request. */
export interface SharedVariableInput
  extends Partial<Pick<SharedVariable, "isLiteral" | "isMultiline" | "isShownOnce" | "comment">> {
  readonly key: string
  readonly value: Redacted.Redacted
}

const tooLong = (key: string) =>
  `the variable ${key} has more than ${longestValue} characters including its shared variables`

const taken = new Duplicate({ of: "sharedVariable.key" })

/** Lists the shared variables of a team, project, environment or server. Their values are never returned. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"sharedVariable.list">) {
  return yield* (yield* SharedVariableStore).ofOwners([resource.owner])
})

/** Adds a shared variable to a team, project, environment or server. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"sharedVariable.create">,
  { value, ...facts }: SharedVariableInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { owner } = resource
      const store = yield* SharedVariableStore
      if ((yield* store.ofOwners([owner])).length >= mostShared) {
        const sentence = `There are at most ${mostShared} shared variables of one ${owner.scope}.`
        return yield* new InvalidInput({ problems: { key: [sentence] } })
      }
      const uuid = yield* makeUuid(SharedVariableUuid)
      const at = yield* now
      const added = yield* store.insert({
        isLiteral: false,
        isMultiline: false,
        isShownOnce: false,
        comment: null,
        ...facts,
        ...owner,
        uuid,
        value: yield* (yield* Vault).seal(valueOwner(uuid), value),
        createdAt: at,
        updatedAt: at
      })
      return added ?? (yield* Effect.fail(taken))
    })
  )
})

/** Changes a shared variable; omitted fields stay unchanged. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"sharedVariable.update">,
  { value, ...facts }: Partial<SharedVariableInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* SharedVariableStore
      const present = yield* store.lock(resource.sharedVariable.uuid)
      if (present === undefined) return yield* new SharedVariableNotFound()
      const sealed = value && (yield* (yield* Vault).seal(valueOwner(present.uuid), value))
      const changed = { ...present, ...facts, value: sealed ?? present.value, updatedAt: yield* now }
      if (!(yield* store.replace(changed))) return yield* Effect.fail(taken)
      return changed
    })
  )
})

/** Removes a shared variable. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"sharedVariable.delete">) {
  yield* (yield* SharedVariableStore).remove(resource.sharedVariable.uuid)
})

/** Replaces references to shared variables in an application's variables. The second result lists unknown names. */
export const resolve = Effect.fnUntraced(function* (
  {
    environmentUuid,
    projectUuid,
    serverUuid,
    teamId
  }: Pick<Placement, "environmentUuid" | "projectUuid" | "serverUuid" | "teamId">,
  variables: ReadonlyArray<SealedVariable>
) {
  const vault = yield* Vault
  const all = yield* (yield* SharedVariableStore).ofOwners([
    teamOwner(teamId),
    { scope: "project", owner: projectUuid },
    { scope: "environment", owner: environmentUuid },
    { scope: "server", owner: serverUuid }
  ])
  const opened = yield* Effect.forEach(all, ({ isLiteral, key, scope, uuid, value }) =>
    Effect.map(
      vault.open(valueOwner(uuid), value),
      (plain) => [`${scope}.${key}`, { value: Redacted.value(plain), isLiteral }] as const
    )
  )
  const known = new Map(opened)
  const missing = new Set<string>()
  const resolved = yield* Effect.forEach(
    variables,
    Effect.fnUntraced(function* (variable) {
      const plain = Redacted.value(yield* vault.open(valueOwner(variable.uuid), variable.value))
      const found = resolveShared({ value: plain, isLiteral: variable.isLiteral ?? true }, known)
      if (found === undefined) return yield* new VariableTooLong({ because: tooLong(variable.key) })
      for (const name of found.missing) missing.add(name)
      if (found.value === plain) return variable
      return { ...variable, resolved: yield* vault.seal(valueOwner(variable.uuid), Redacted.make(found.value)) }
    })
  )
  return { variables: resolved, missing: [...missing] }
})
