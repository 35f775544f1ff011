import {
  type BucketAccess,
  FileEncryption,
  FileNotDecrypted,
  ObjectStorage,
  ObjectStorageFailed
} from "@slipway/domain/deploy/infrastructure"
import { Context, Effect, Layer, Redacted, Stream } from "effect"

/** Makes simulated S3 buckets, and returns their objects. */
export class BucketSimulation extends Context.Service<
  BucketSimulation,
  {
    /** Creates a bucket that accepts one secret key. */
    readonly create: (bucket: string, secretKey: string) => Effect.Effect<void>
    /** Returns the objects of a bucket as texts. */
    readonly objects: (bucket: string) => Effect.Effect<Readonly<Record<string, string>>>
    /** Runs before every request; it may fail or wait. */
    readonly onRequest: (
      before: (operation: "read" | "remove" | "test" | "write", key: string) => Effect.Effect<void, ObjectStorageFailed>
    ) => Effect.Effect<void>
  }
>()("@slipway/memory/deploy/BucketSimulation") {}

interface Bucket {
  readonly secretKey: string
  readonly objects: Map<string, Uint8Array>
}

const refused = (because: string) => Effect.fail(new ObjectStorageFailed({ because }))

/** Simulates S3 servers in memory. */
export const objectStorage: Layer.Layer<BucketSimulation | ObjectStorage> = Layer.effectContext(
  Effect.sync(() => {
    const buckets = new Map<string, Bucket>()
    let before: (
      operation: "read" | "remove" | "test" | "write",
      key: string
    ) => Effect.Effect<void, ObjectStorageFailed> = () => Effect.void
    const open = (operation: "read" | "remove" | "test" | "write", access: BucketAccess, key = "") =>
      Effect.gen(function* () {
        yield* before(operation, key)
        const bucket = buckets.get(access.bucket)
        if (bucket === undefined) return yield* refused("the S3 server responds with 404: NoSuchBucket")
        if (bucket.secretKey !== Redacted.value(access.secretKey)) {
          return yield* refused("the S3 server responds with 403: SignatureDoesNotMatch")
        }
        return bucket
      })
    return Context.make(ObjectStorage, {
      test: (access) => Effect.asVoid(open("test", access)),
      write: (access, key, bytes) =>
        Effect.gen(function* () {
          const { objects } = yield* open("write", access, key)
          objects.set(key, yield* Stream.mkUint8Array(bytes))
        }),
      read: (access, key) =>
        Stream.unwrap(
          Effect.map(open("read", access, key), ({ objects }) => {
            const bytes = objects.get(key)
            return bytes === undefined
              ? Stream.fromEffect(refused("the S3 server responds with 404: NoSuchKey"))
              : Stream.make(bytes)
          })
        ),
      remove: (access, keys) =>
        Effect.map(open("remove", access, keys[0]), ({ objects }) => {
          for (const key of keys) objects.delete(key)
        })
    }).pipe(
      Context.add(BucketSimulation, {
        create: (bucket, secretKey) => Effect.sync(() => void buckets.set(bucket, { secretKey, objects: new Map() })),
        objects: (bucket) =>
          Effect.sync(() =>
            Object.fromEntries(
              [...(buckets.get(bucket)?.objects ?? [])].map(([key, bytes]) => [key, new TextDecoder().decode(bytes)])
            )
          ),
        onRequest: (hook) =>
          Effect.sync(() => {
            before = hook
          })
      })
    )
  })
)

const recipientOf = (n: number): string =>
  `age1${String(n)
    .replaceAll(/[1bio]/g, "q")
    .padStart(58, "q")}`
const header = (recipients: ReadonlyArray<string>) => `simulated age for ${recipients.join(" and ")}\n`

/** Simulates file encryption: writes a header that names the recipients before the unencrypted bytes. */
export const fileEncryption: Layer.Layer<FileEncryption> = Layer.sync(FileEncryption, () => {
  let count = 0
  const read = (identity: Redacted.Redacted) => ({ identity, recipient: Redacted.value(identity).toLowerCase() })
  return {
    isRecipient: (text) => /^age1[a-z0-9]{58}$/.test(text),
    read: (identity) => Effect.succeed(read(identity)),
    generate: Effect.sync(() => read(Redacted.make(recipientOf(count++).toUpperCase()))),
    encrypt: (bytes, recipients) => Stream.concat(Stream.make(new TextEncoder().encode(header(recipients))), bytes),
    decrypt: (bytes, identity) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const text = new TextDecoder().decode(yield* Stream.mkUint8Array(bytes))
          const [first = "", ...lines] = text.split("\n")
          if (!first.includes(read(identity).recipient)) return yield* new FileNotDecrypted()
          return Stream.make(new TextEncoder().encode(lines.join("\n")))
        })
      )
  }
})
