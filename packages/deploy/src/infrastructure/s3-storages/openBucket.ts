import { Vault } from "@slipway/domain"
import {
  type BucketAccess,
  FileEncryption,
  type FileNotDecrypted,
  ObjectStorage,
  type ObjectStorageFailed,
  type S3Storage
} from "@slipway/domain/deploy/infrastructure"
import { Effect, type Redacted, Stream } from "effect"

/** The decrypted secrets of an S3 storage. */
export interface OpenBucket {
  readonly access: BucketAccess
  /** The platform's own age key pair; null until the storage has its first recipient. */
  readonly identity: Redacted.Redacted | null
}

/** Decrypts the secrets of an S3 storage. */
export const openBucket = Effect.fnUntraced(function* (storage: S3Storage) {
  const vault = yield* Vault
  const { bucket, endpoint, region, uuid } = storage
  return {
    access: {
      bucket,
      endpoint,
      region,
      accessKey: yield* vault.open({ uuid, field: "accessKey" }, storage.accessKey),
      secretKey: yield* vault.open({ uuid, field: "secretKey" }, storage.secretKey)
    },
    identity: storage.identity === null ? null : yield* vault.open({ uuid, field: "identity" }, storage.identity)
  } satisfies OpenBucket
})

/** Writes an object to an S3 storage. Encrypts it for the storage's age recipient, if any, and for the platform. */
export const writeObject = Effect.fnUntraced(function* <E, R>(
  storage: S3Storage,
  key: string,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const { access, identity } = yield* openBucket(storage)
  const objects = yield* ObjectStorage
  if (storage.recipient === null || identity === null) return yield* objects.write(access, key, bytes)
  const encryption = yield* FileEncryption
  const own = yield* encryption.read(identity)
  return yield* objects.write(access, key, encryption.encrypt(bytes, [storage.recipient, own.recipient]))
})

/** Reads an object of an S3 storage. Decrypts it if the object key (its name) marks it as encrypted. */
export const readObject = (
  storage: S3Storage,
  key: string,
  isEncrypted: boolean
): Stream.Stream<Uint8Array, ObjectStorageFailed | FileNotDecrypted, FileEncryption | ObjectStorage | Vault> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { access, identity } = yield* openBucket(storage)
      const bytes = (yield* ObjectStorage).read(access, key)
      if (!isEncrypted || identity === null) return bytes
      return (yield* FileEncryption).decrypt(bytes, identity)
    })
  )
