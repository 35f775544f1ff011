import { Effect, Redacted } from "effect"
import { Duplicate } from "../../Collection.ts"
import { makeUuid } from "../../Ids.ts"
import { InvalidInput } from "../../Problems.ts"
import { now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import { Vault } from "../../Vault.ts"
import { type Authorized, system } from "../access/authorize.ts"
import type { Placement } from "../placement/Placement.ts"
import * as Environments from "../projects/Environments.ts"
import * as Projects from "../projects/Projects.ts"
import * as Servers from "../servers/Servers.ts"
import { longestValue, type SealedVariable, VariableTooLong } from "../variables/Variable.ts"
import { valueOwner } from "../variables/Variables.ts"
import { resolveShared } from "./resolve.ts"
import {
  mostShared,
  type SharedOwner,
  type SharedVariable,
  SharedVariableNotFound,
  SharedVariableUuid
} from "./SharedVariable.ts"
import { SharedVariableStore } from "./SharedVariableStore.ts"

/** A shared variable as it is sent. */
export interface SharedVariableInput
  extends Partial<Pick<SharedVariable, "isLiteral" | "isMultiline" | "isShownOnce" | "comment">> {
  readonly key: string
  readonly value: Redacted.Redacted
}

/** How a path names the owner of shared variables; without a name it is the team. */
export interface OwnerPath {
  readonly project_uuid?: string | undefined
  readonly environment?: string | undefined
  readonly server_uuid?: string | undefined
}

/** Finds the owner that a path names, or fails as its own use case would. */
export const ownerAt = Effect.fnUntraced(function* (path: OwnerPath) {
  const { environment, project_uuid: project, server_uuid: server } = path
  if (server !== undefined) {
    const { uuid } = yield* Servers.get(system("server.read"), server)
    return { scope: "server", owner: uuid } as SharedOwner
  }
  if (project === undefined) return { scope: "team", owner: "" } as SharedOwner
  if (environment === undefined) {
    const { uuid } = yield* Projects.get(system("project.read"), project)
    return { scope: "project", owner: uuid } as SharedOwner
  }
  const { uuid } = yield* Environments.get(system("environment.read"), project, environment)
  return { scope: "environment", owner: uuid } as SharedOwner
})

const tooLong = (key: string) =>
  `the variable ${key} has more than ${longestValue} characters with the shared variables that it names`

const taken = new Duplicate({ of: "sharedVariable.key" })

/** Lists the shared variables of an owner, whose values are never shown again. */
export const list = Effect.fnUntraced(function* (_: Authorized<"sharedVariable.list">, path: OwnerPath) {
  return yield* (yield* SharedVariableStore).ofOwners([yield* ownerAt(path)])
})

/** Finds a shared variable of an owner by its number or uuid. */
export const find = Effect.fnUntraced(function* (path: OwnerPath, named: string) {
  const all = yield* (yield* SharedVariableStore).ofOwners([yield* ownerAt(path)])
  const found = all.find(({ id, uuid }) => String(id) === named || uuid === named)
  return found ?? (yield* new SharedVariableNotFound())
})

/** Adds a shared variable to an owner. */
export const create = Effect.fnUntraced(function* (
  _: Authorized<"sharedVariable.create">,
  path: OwnerPath,
  { value, ...facts }: SharedVariableInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const owner = yield* ownerAt(path)
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

/** Changes a shared variable; what is left out stays as it is. */
export const update = Effect.fnUntraced(function* (
  _: Authorized<"sharedVariable.update">,
  path: OwnerPath,
  named: string,
  { value, ...facts }: Partial<SharedVariableInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* find(path, named)
      const sealed = value && (yield* (yield* Vault).seal(valueOwner(present.uuid), value))
      const changed = { ...present, ...facts, value: sealed ?? present.value, updatedAt: yield* now }
      if (!(yield* (yield* SharedVariableStore).replace(changed))) return yield* Effect.fail(taken)
      return changed
    })
  )
})

/** Removes a shared variable. */
export const remove = Effect.fnUntraced(function* (
  _: Authorized<"sharedVariable.delete">,
  path: OwnerPath,
  named: string
) {
  const { uuid } = yield* find(path, named)
  yield* (yield* SharedVariableStore).remove(uuid)
})

/**
 * Gives the variables of an application the values of the shared ones that they name, as these are now; the second of what
 * comes back are names that nothing has.
 */
export const resolve = Effect.fnUntraced(function* (
  { environmentUuid, projectUuid, serverUuid }: Pick<Placement, "environmentUuid" | "projectUuid" | "serverUuid">,
  variables: ReadonlyArray<SealedVariable>
) {
  const vault = yield* Vault
  const all = yield* (yield* SharedVariableStore).ofOwners([
    { scope: "team", owner: "" },
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
