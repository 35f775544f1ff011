import { type BucketAccess, ObjectStorage, ObjectStorageFailed } from "@slipway/domain/deploy/infrastructure"
import { Egress } from "@slipway/egress"
import { Effect, Layer, Redacted, Scope, Stream } from "effect"
import { mostParts, type S3Connection, uploadParts } from "../multipart.ts"
import { agentsOver } from "./agents.ts"

/**
 * The size of each part of an upload in bytes; only the last part may be smaller. All parts have the same size, as some
 * servers require.
 */
export const partSize = 16 * 1_048_576

const longestReason = 300
const connectionTimeout = 15_000
const silence = 60_000

interface SdkError {
  readonly name?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const statusOf = (cause: unknown): number | undefined => (cause as SdkError).$metadata?.httpStatusCode

/** Returns the reason of a failed request. The access key is removed, because servers may quote it in messages. */
const reasonOf = (cause: unknown, { accessKey }: BucketAccess): string => {
  const { because, message = "", name = "" } = cause as SdkError & { readonly because?: string }
  const status = statusOf(cause)
  const text = because ?? (message === "" ? name : message)
  const said = status === undefined ? text : `the S3 server responds with ${status}: ${name} ${text}`.trim()
  return said.replaceAll(Redacted.value(accessKey), "…").slice(0, longestReason)
}

/**
 * Opens a client for a bucket until the scope closes. Its connections follow the egress rule, which restricts outbound
 * requests.
 */
const connect = Effect.fnUntraced(function* (access: BucketAccess) {
  const sdk = yield* Effect.promise(() => import("@aws-sdk/client-s3"))
  const egress = yield* Egress
  const scope = yield* Effect.scope
  const agents = agentsOver((host, port) => Effect.runPromise(Scope.provide(egress.connect(host, port), scope)))
  const client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new sdk.S3Client({
          endpoint: access.endpoint,
          region: access.region,
          forcePathStyle: true,
          // The machine's AWS settings are ignored.
          credentials: {
            accessKeyId: Redacted.value(access.accessKey),
            secretAccessKey: Redacted.value(access.secretKey)
          },
          // Stores other than AWS's support only the checksum of the signature.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          requestHandler: { ...agents, connectionTimeout, socketTimeout: silence }
        })
    ),
    (s3Client) =>
      Effect.sync(() => {
        s3Client.destroy()
        agents.httpAgent.destroy()
        agents.httpsAgent.destroy()
      })
  )
  const ask = <A>(work: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({
      try: work,
      catch: (cause) => new ObjectStorageFailed({ because: reasonOf(cause, access) })
    })
  return { sdk, client, ask } satisfies S3Connection<ObjectStorageFailed>
})

/**
 * Aborts incomplete uploads that killed processes left under a prefix: they are not listed, but the provider bills
 * them.
 */
const sweep = ({ ask, client, sdk }: S3Connection<ObjectStorageFailed>, Bucket: string, Prefix: string) =>
  Effect.gen(function* () {
    const { Uploads = [] } = yield* ask((abortSignal) =>
      client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix }), { abortSignal })
    )
    yield* Effect.forEach(
      Uploads.filter(({ Key }) => Key?.startsWith(Prefix) === true),
      ({ Key, UploadId }) =>
        ask((abortSignal) =>
          client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal })
        ),
      { discard: true, concurrency: 4 }
    )
  })

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1)

const tooLarge = (parts: number) =>
  parts > mostParts
    ? Effect.fail(
        new ObjectStorageFailed({ because: `the backup is larger than ${(mostParts * partSize) / 1_000_000_000} GB` })
      )
    : Effect.void

/**
 * Stores backups on S3-compatible servers. The connections follow the egress rule, which restricts outbound requests.
 */
export const layerObjectStorage: Layer.Layer<ObjectStorage, never, Egress> = Layer.effect(
  ObjectStorage,
  Effect.map(Effect.context<Egress>(), (context) => {
    const within = <A, E, R>(
      access: BucketAccess,
      use: (connection: S3Connection<ObjectStorageFailed>) => Effect.Effect<A, E, R>
    ) => Effect.scoped(Effect.flatMap(Effect.provideContext(connect(access), context), use))
    return {
      test: (access) =>
        within(access, ({ ask, client, sdk }) =>
          Effect.asVoid(
            ask((abortSignal) =>
              client.send(new sdk.ListObjectsV2Command({ Bucket: access.bucket, MaxKeys: 1 }), { abortSignal })
            )
          )
        ),
      write: (access, key, bytes) =>
        within(access, (connection) =>
          Effect.gen(function* () {
            // Some servers do not list uploads.
            yield* Effect.ignore(sweep(connection, access.bucket, folderOf(key)))
            const target = { Bucket: access.bucket, Key: key }
            yield* uploadParts(connection, target, partSize)(bytes, tooLarge)
          })
        ),
      read: (access, key) =>
        Stream.scoped(
          Stream.unwrap(
            Effect.gen(function* () {
              const { ask, client, sdk } = yield* Effect.provideContext(connect(access), context)
              const { Body } = yield* ask((abortSignal) =>
                client.send(new sdk.GetObjectCommand({ Bucket: access.bucket, Key: key }), { abortSignal })
              )
              // BOUNDARY: under Node the body is a Readable, which the library's type leaves open.
              return Body === undefined
                ? Stream.empty
                : Stream.fromAsyncIterable(
                    Body as unknown as AsyncIterable<Uint8Array>,
                    (cause) => new ObjectStorageFailed({ because: reasonOf(cause, access) })
                  )
            })
          )
        ),
      remove: (access, keys) =>
        within(access, ({ ask, client, sdk }) =>
          Effect.forEach(
            keys,
            (Key) =>
              // One request each: some servers do not support the removal of several objects.
              ask((abortSignal) =>
                client.send(new sdk.DeleteObjectCommand({ Bucket: access.bucket, Key }), { abortSignal })
              ),
            { discard: true, concurrency: 4 }
          )
        )
    }
  })
)
