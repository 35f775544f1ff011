import { InvalidInput, makeUuid, now, Transaction, Vault } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import {
  FileEncryption,
  ObjectStorage,
  type S3Storage,
  S3StorageNotFound,
  S3StorageStore,
  S3StorageUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect, type Redacted } from "effect"
import { listUseCase, removeUseCase } from "../../base/reading/listUseCases.ts"
import { openBucket } from "./openBucket.ts"

/** The fields of an S3 storage that its users set; the access keys are write-only. */
export interface S3StorageInput
  extends Pick<S3Storage, "bucket" | "description" | "endpoint" | "isUsable" | "name" | "recipient" | "region"> {
  readonly accessKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
}

/** Checks the age recipient (public key) in a request. For the first one, generates the platform's own key pair. */
const encryptionOf = Effect.fnUntraced(function* (
  uuid: S3StorageUuid,
  recipient: string | null,
  present: Pick<S3Storage, "identity">
) {
  if (recipient === null) return { recipient, identity: present.identity }
  const encryption = yield* FileEncryption
  if (!encryption.isRecipient(recipient)) {
    const sentence = "Must be an age recipient (age1…), as `age-keygen` prints it, or null."
    return yield* new InvalidInput({ problems: { age_recipient: [sentence] } })
  }
  if (present.identity !== null) return { recipient, identity: present.identity }
  const { identity } = yield* encryption.generate
  return { recipient, identity: yield* (yield* Vault).seal({ uuid, field: "identity" }, identity) }
})

const sealKey = Effect.fnUntraced(function* (
  uuid: S3StorageUuid,
  field: "accessKey" | "secretKey",
  key: Redacted.Redacted
) {
  return yield* (yield* Vault).seal({ uuid, field }, key)
})

/** Stores the settings of an S3 storage, without a request to the storage. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"s3Storage.create">,
  input: S3StorageInput
) {
  const uuid = yield* makeUuid(S3StorageUuid)
  const encryption = yield* encryptionOf(uuid, input.recipient, { identity: null })
  const at = yield* now
  return yield* Effect.orDie(
    (yield* S3StorageStore).insert({
      ...input,
      ...encryption,
      accessKey: yield* sealKey(uuid, "accessKey", input.accessKey),
      secretKey: yield* sealKey(uuid, "secretKey", input.secretKey),
      uuid,
      teamId: teamOf(resource.caller.access),
      createdAt: at,
      updatedAt: at
    })
  )
})

const connectionFields = ["bucket", "endpoint", "region"] as const

/**
 * Changes the settings of an S3 storage; omitted fields stay unchanged.
 *
 * After a change of its address or access keys, the storage is unusable until the next successful test, unless
 * `isUsable` is set.
 */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"s3Storage.update">,
  { accessKey, secretKey, ...input }: Partial<S3StorageInput>
) {
  const { uuid } = resource.s3Storage
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* S3StorageStore
      const present = yield* store.lock(uuid)
      if (present === undefined) return yield* new S3StorageNotFound()
      const { recipient = present.recipient } = input
      const isElsewhere = connectionFields.some((field) => (input[field] ?? present[field]) !== present[field])
      const isUntested = isElsewhere || accessKey !== undefined || secretKey !== undefined
      const changed: S3Storage = {
        ...present,
        isUsable: present.isUsable && !isUntested,
        ...input,
        ...(yield* encryptionOf(uuid, recipient, present)),
        ...(accessKey === undefined ? {} : { accessKey: yield* sealKey(uuid, "accessKey", accessKey) }),
        ...(secretKey === undefined ? {} : { secretKey: yield* sealKey(uuid, "secretKey", secretKey) }),
        updatedAt: yield* now
      }
      yield* Effect.orDie(store.replace(changed))
      return changed
    })
  )
})

const longestTest = "60 seconds"

/** Tests the connection to an S3 storage, and stores the result. Returns the reason of a failure, or null. */
export const validate = Effect.fnUntraced(function* ({ resource }: Authorized<"s3Storage.validate">) {
  const { s3Storage } = resource
  const tested = (yield* ObjectStorage)
    .test((yield* openBucket(s3Storage)).access)
    .pipe(
      Effect.timeoutOrElse({ duration: longestTest, orElse: () => Effect.fail({ because: "no answer in time" }) }),
      Effect.match({ onFailure: ({ because }) => because, onSuccess: () => null })
    )
  const problem = yield* tested
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* S3StorageStore
      const present = yield* store.lock(s3Storage.uuid)
      if (present === undefined) return yield* new S3StorageNotFound()
      yield* Effect.orDie(store.replace({ ...present, isUsable: problem === null, updatedAt: yield* now }))
    })
  )
  return problem
})

/** List use cases: `list` reads one page of S3 storages, `stream` reads all; neither returns access keys. */
export const { list, stream } = listUseCase("s3Storage", S3StorageStore)
/** Removes an S3 storage. Fails if a backup schedule uses it. The objects in the storage stay. */
export const remove = removeUseCase("s3Storage", S3StorageStore, () => new S3StorageNotFound())
