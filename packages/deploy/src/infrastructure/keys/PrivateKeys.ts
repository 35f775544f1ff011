import { InvalidInput, makeUuid, now, streamOf, Transaction, Vault } from "@slipway/domain"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import { KeyReader, PrivateKeyNotFound, PrivateKeyStore, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect, type Redacted, Stream } from "effect"
import { listUseCase, readableBy, removeUseCase } from "../../base/reading/listUseCases.ts"

/** The fields of a private key that its users set. */
export interface PrivateKeyInput {
  readonly name: string
  readonly description: string
  readonly privateKey: Redacted.Redacted
}

const factsOf = Effect.fnUntraced(function* (privateKey: Redacted.Redacted) {
  return yield* (yield* KeyReader)
    .read(privateKey)
    .pipe(Effect.mapError(({ because }) => new InvalidInput({ problems: { private_key: [because] } })))
})

const examine = Effect.fnUntraced(function* (uuid: PrivateKeyUuid, privateKey: Redacted.Redacted) {
  const facts = yield* factsOf(privateKey)
  return { ...facts, privateKey: yield* (yield* Vault).seal({ uuid, field: "private_key" }, privateKey) }
})

/** Encrypts and stores a private key, with its public key. Without a private key, generates an Ed25519 key. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"key.create">,
  { privateKey, ...input }: Omit<PrivateKeyInput, "privateKey"> & Partial<PrivateKeyInput>
) {
  const uuid = yield* makeUuid(PrivateKeyUuid)
  const examined = yield* examine(uuid, privateKey ?? (yield* (yield* KeyReader).generate).privateKey)
  const at = yield* now
  return yield* Effect.orDie(
    (yield* PrivateKeyStore).insert({
      ...input,
      ...examined,
      uuid,
      teamId: teamOf(resource.caller.access),
      signsFor: null,
      createdAt: at,
      updatedAt: at
    })
  )
})

/** Changes the name, the description or the private key itself. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"key.update">,
  input: Partial<PrivateKeyInput>
) {
  const transaction = yield* Transaction
  const { privateKey, ...named } = input
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* PrivateKeyStore
      const present = yield* store.lock(resource.key.uuid)
      if (present === undefined) return yield* new PrivateKeyNotFound()
      const examined = privateKey === undefined ? {} : yield* examine(present.uuid, privateKey)
      const key = { ...present, ...named, ...examined, updatedAt: yield* now }
      yield* Effect.orDie(store.replace(key))
      return key
    })
  )
})

/** Changes the name or description of a key, identified by its private key, if the caller may change the key. */
export const describe = Effect.fnUntraced(function* (
  { resource }: Authorized<"key.describe">,
  { privateKey, ...named }: Partial<PrivateKeyInput> & Pick<PrivateKeyInput, "privateKey">
) {
  const { fingerprint } = yield* factsOf(privateKey)
  const store = yield* PrivateKeyStore
  const [key] = yield* streamOf(readableBy(resource.caller, "key.update", store).list).pipe(
    Stream.filter((each) => each.fingerprint === fingerprint),
    Stream.take(1),
    Stream.runCollect
  )
  if (key === undefined) return yield* new PrivateKeyNotFound()
  return yield* update(yield* authorize(resource.caller, "key.update", { key }), named)
})

/** List use cases: `list` reads one page of keys, `stream` reads all; neither returns private keys. */
export const { list, stream } = listUseCase("key", PrivateKeyStore)
/** Removes a key. Fails if a server, an application or an app installation uses it. */
export const remove = removeUseCase("key", PrivateKeyStore, () => new PrivateKeyNotFound())
