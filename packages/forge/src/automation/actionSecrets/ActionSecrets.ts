import type { OwnedPage } from "@slipway/domain"
import { makeSecret, now, Vault } from "@slipway/domain"
import {
  type ActionSecret,
  ActionSecretNotFound,
  actionSecrets,
  checkNamed,
  longestActionSecret,
  mostActionSecrets,
  ownerOfPlace,
  PlaceFull,
  placeOf,
  actionSettingScope as scopeOf,
  storedName,
  valuesForJobs
} from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { Effect, Redacted } from "effect"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"

type Placed<Verb extends string> = Proof<
  LoadedAction & `${"repository" | "organization" | "account"}.actions.secret.${Verb}`
>

const ownerOf = (uuid: string) => ({ uuid, field: "action secret" })

/** Lists the secrets for actions workflows of a repository or an organization; their values are never returned. */
export const list = Effect.fnUntraced(function* (proof: Placed<"list">, page: OwnedPage) {
  return yield* (yield* actionSecrets.store).list(scopeOf(placeOf(proof)), page)
})

/** The value and description of a secret, as given in a request. */
export interface ActionSecretInput {
  readonly value: string
  readonly description?: string | undefined
}

const changed = Effect.fnUntraced(function* (
  proof: Placed<"set">,
  name: string,
  { description, value }: ActionSecretInput
) {
  const place = placeOf(proof)
  const store = yield* actionSecrets.store
  const present = yield* store.findBy("name", { holder: ownerOfPlace(place).holder, name })
  if (present === undefined) return false
  const sealed = yield* (yield* Vault).seal(ownerOf(present.uuid), Redacted.make(value))
  const change = { value: sealed, description: description ?? present.description }
  return (yield* Effect.orDie(store.patch(scopeOf(place), present.id, change))) !== undefined
})

const newSecret = Effect.fnUntraced(function* (proof: Placed<"set">, name: string, input: ActionSecretInput) {
  const place = placeOf(proof)
  const store = yield* actionSecrets.store
  yield* lockHolder(place)
  if ((yield* store.count(scopeOf(place))) >= mostActionSecrets) {
    return yield* new PlaceFull({ most: mostActionSecrets, of: "secrets" })
  }
  const uuid = yield* makeSecret
  const row = {
    ...ownerOfPlace(place),
    uuid,
    name,
    value: yield* (yield* Vault).seal(ownerOf(uuid), Redacted.make(input.value)),
    description: input.description ?? "",
    createdAt: yield* now
  }
  return yield* Effect.orDie(store.insertIfAbsent(row))
})

/** Sets the value of a secret for actions workflows. Returns true if the secret is new. */
export const set = audited(
  Effect.fnUntraced(function* (proof: Placed<"set">, typedName: string, input: ActionSecretInput) {
    const name = storedName(typedName)
    yield* checkNamed({ name: ["secretname", name], value: ["data", input.value, longestActionSecret] })
    if (yield* changed(proof, name, input)) return false
    // A concurrent request may have created it.
    return (yield* newSecret(proof, name, input)) || !(yield* changed(proof, name, input))
  }),
  (_, name) => ({ details: { secret: storedName(name) } })
)

const removed = audited(
  Effect.fnUntraced(function* (proof: Placed<"delete">, typedName: string) {
    const name = storedName(typedName)
    const place = placeOf(proof)
    const store = yield* actionSecrets.store
    const present = yield* store.findBy("name", { holder: ownerOfPlace(place).holder, name })
    const gone = present === undefined ? undefined : yield* store.remove(scopeOf(place), present.id)
    return gone ?? (yield* new ActionSecretNotFound({ name }))
  }),
  ({ name }) => ({ details: { secret: name } })
)

/** Removes a secret for actions workflows. */
export const remove = (proof: Placed<"delete">, name: string) => Effect.asVoid(removed(proof, name))

const opened = Effect.fnUntraced(function* ({ name, uuid, value }: ActionSecret) {
  return [name, Redacted.value(yield* (yield* Vault).open(ownerOf(uuid), value))] as const
})

/**
 * Reads the secrets for the jobs of a repository: those of the repository, and those of its owner. For equal names, the
 * repository's secret applies.
 */
export const ofJobs = Effect.fnUntraced(function* (repository: Pick<Repository, "id" | "owner">) {
  const store = yield* actionSecrets.store
  const secrets = yield* valuesForJobs(repository, (place) => store.list(scopeOf(place), { limit: mostActionSecrets }))
  return Object.fromEntries(yield* Effect.forEach(secrets, opened))
})
