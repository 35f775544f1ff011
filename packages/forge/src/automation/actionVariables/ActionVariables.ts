import type { OwnedPage } from "@slipway/domain"
import { now } from "@slipway/domain"
import {
  ActionVariableNotFound,
  ActionVariableTaken,
  actionVariables,
  checkNamed,
  longestActionVariable,
  mostActionVariables,
  ownerOfPlace,
  PlaceFull,
  placeOf,
  actionSettingScope as scopeOf,
  storedName,
  valuesForJobs
} from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"

type Placed<Verb extends string> = Proof<
  LoadedAction & `${"repository" | "organization" | "account"}.actions.variable.${Verb}`
>

const found = Effect.fnUntraced(function* (proof: Placed<string>, typedName: string) {
  const name = storedName(typedName)
  const variable = yield* (yield* actionVariables.store).findBy("name", {
    holder: ownerOfPlace(placeOf(proof)).holder,
    name
  })
  return variable ?? (yield* new ActionVariableNotFound({ name }))
})

/** Lists the variables for actions workflows of a repository, an organization or the caller. */
export const list = Effect.fnUntraced(function* (proof: Placed<"list">, page: OwnedPage) {
  return yield* (yield* actionVariables.store).list(scopeOf(placeOf(proof)), page)
})

/** Reads a variable for actions workflows by name. */
export const read = (proof: Placed<"read">, name: string) => found(proof, name)

/** The fields of a variable in a request; when a variable is changed, omitted fields keep their values. */
export interface ActionVariableInput {
  readonly value: string
  readonly description?: string | undefined
}

/** Creates a variable for actions workflows. */
export const create = audited(
  Effect.fnUntraced(function* (proof: Placed<"create">, typedName: string, input: ActionVariableInput) {
    const name = storedName(typedName)
    yield* checkNamed({ name: ["variablename", name], value: ["value", input.value, longestActionVariable] })
    const place = placeOf(proof)
    const store = yield* actionVariables.store
    yield* lockHolder(place)
    if ((yield* store.findBy("name", { holder: ownerOfPlace(place).holder, name })) !== undefined)
      return yield* new ActionVariableTaken({ name })
    if ((yield* store.count(scopeOf(place))) >= mostActionVariables) {
      return yield* new PlaceFull({ most: mostActionVariables, of: "variables" })
    }
    const { description = "", value } = input
    const row = { ...ownerOfPlace(place), name, value, description, createdAt: yield* now }
    if (!(yield* Effect.orDie(store.insertIfAbsent(row)))) return yield* new ActionVariableTaken({ name })
    return row
  }),
  ({ name }) => ({ details: { variable: name } })
)

/** Changes a variable for actions workflows, and renames it if another name is given. */
export const set = audited(
  Effect.fnUntraced(function* (
    proof: Placed<"set">,
    typedName: string,
    { description, name: newName, value }: ActionVariableInput & { readonly name?: string | undefined }
  ) {
    const present = yield* found(proof, typedName)
    const name = newName === undefined ? present.name : storedName(newName)
    yield* checkNamed({ name: ["name", name], value: ["value", value, longestActionVariable] })
    const change = { name, value, description: description ?? present.description }
    const changed = yield* (yield* actionVariables.store).patch(scopeOf(placeOf(proof)), present.id, change).pipe(
      Effect.catchTag("Duplicate", () => Effect.fail(new ActionVariableTaken({ name }))),
      Effect.catchTag("Missing", Effect.die)
    )
    return changed ?? (yield* new ActionVariableNotFound({ name: present.name }))
  }),
  ({ name }, was) => ({
    details: name === storedName(was) ? { variable: name } : { variable: name, was: storedName(was) }
  })
)

const removed = audited(
  Effect.fnUntraced(function* (proof: Placed<"delete">, name: string) {
    const present = yield* found(proof, name)
    const gone = yield* (yield* actionVariables.store).remove(scopeOf(placeOf(proof)), present.id)
    return gone ?? (yield* new ActionVariableNotFound({ name: present.name }))
  }),
  ({ name }) => ({ details: { variable: name } })
)

/** Removes a variable for actions workflows. */
export const remove = (proof: Placed<"delete">, name: string) => Effect.asVoid(removed(proof, name))

/**
 * Reads the variables for the jobs of a repository: those of the repository, and those of its owner. For equal names,
 * the repository's variable applies.
 */
export const ofJobs = Effect.fnUntraced(function* (repository: Pick<Repository, "id" | "owner">) {
  const store = yield* actionVariables.store
  const variables = yield* valuesForJobs(repository, (place) =>
    store.list(scopeOf(place), { limit: mostActionVariables })
  )
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]))
})
