import { createHash } from "node:crypto"
import type { S3Client } from "@aws-sdk/client-s3"
import {
  asExpected,
  BlobKey,
  BlobNotFound,
  BlobStore,
  type BlobTerms,
  type ListedBlob,
  limitBytes
} from "@slipway/domain/forge/base"
import { Clock, Data, Duration, Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { puttingWithDigests } from "./digests.ts"
import { mostParts, type ObjectName, type Sdk, uploadParts } from "./multipart.ts"

/** The address of an S3-compatible store, with the credentials for access. */
export interface S3Place {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** The prefix of every object's key, empty or ending in a slash. */
  readonly prefix: string
  /** Whether requests name the bucket in the host, as AWS requires, instead of in the path. */
  readonly bucketInHost: boolean
  readonly keyId: string
  readonly secret: Redacted.Redacted
}

/** The smallest part size that uploads use, in bytes; S3 requires at least 5 MiB for every part except the last. */
const leastPart = 8 * 1_048_576
/** The age after which the incomplete upload of a killed process is removed. */
const left = Duration.days(1)

const isKey = Schema.is(BlobKey)

/** The error of a failed request: an error response of the store, or a connection failure. */
class Refusal extends Data.TaggedError("Refusal")<{ readonly cause: unknown }> {
  get status(): number | undefined {
    const { $metadata } = this.cause as { readonly $metadata?: { readonly httpStatusCode?: number } }
    return $metadata?.httpStatusCode
  }
}

/** Sends a request to the store. `instead` handles some error statuses; all other failures are defects. */
const ask = <A, B = never>(
  work: (signal: AbortSignal) => Promise<A>,
  instead: Readonly<Record<number, B>> = {}
): Effect.Effect<A | B> =>
  Effect.tryPromise({ try: work, catch: (cause) => new Refusal({ cause }) }).pipe(
    Effect.catchTag("Refusal", (refusal) =>
      refusal.status !== undefined && Object.hasOwn(instead, refusal.status)
        ? Effect.succeed(instead[refusal.status] as B)
        : Effect.die(refusal)
    )
  )

/** Sends a request to the store, and treats every failure as a defect. */
const plainly = <A>(work: (signal: AbortSignal) => Promise<A>): Effect.Effect<A> => ask<A>(work)

/** Uploads bytes as one object, in several parts if they are long. The object becomes visible with the last request. */
const upload = (sdk: Sdk, client: S3Client, target: ObjectName) =>
  Effect.fnUntraced(function* <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, terms: BlobTerms) {
    const partSize = Math.max(leastPart, Math.ceil(terms.maxSize / mostParts))
    const hash = createHash("sha256")
    let size = 0
    const measured = Stream.tap(limitBytes(terms)(bytes), (chunk) =>
      Effect.sync(() => {
        hash.update(chunk)
        size += chunk.length
      })
    )
    const check = () => asExpected({ size, sha256: hash.digest("hex") }, terms)
    return yield* uploadParts<never>({ sdk, client, ask: plainly }, target, partSize)(measured, check)
  })

/** Aborts multipart uploads that killed processes left: they are not listed as objects, but the provider bills them. */
const sweep = Effect.fnUntraced(function* (sdk: Sdk, client: S3Client, { bucket, prefix }: S3Place) {
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(left)
  let place: { readonly KeyMarker?: string | undefined; readonly UploadIdMarker?: string | undefined } | undefined = {}
  while (place !== undefined) {
    const from: object = place
    const found = yield* ask((abortSignal) =>
      client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...from }), { abortSignal })
    )
    for (const { Initiated, Key, UploadId } of found.Uploads ?? []) {
      if (Initiated === undefined || Initiated.getTime() > before) continue
      yield* ask(() => client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })), {
        404: undefined
      })
    }
    place = found.IsTruncated ? { KeyMarker: found.NextKeyMarker, UploadIdMarker: found.NextUploadIdMarker } : undefined
  }
})

const open = Effect.fnUntraced(function* (place: S3Place) {
  // Few instances store blobs there: the library is loaded on demand.
  const sdk = yield* Effect.promise(() => import("@aws-sdk/client-s3"))
  const client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new sdk.S3Client({
          endpoint: place.endpoint,
          region: place.region,
          forcePathStyle: !place.bucketInHost,
          // The machine's AWS settings are ignored.
          credentials: { accessKeyId: place.keyId, secretAccessKey: Redacted.value(place.secret) },
          // Stores other than AWS's support only the checksum of the signature.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 }
        })
    ),
    (s3Client) => Effect.sync(() => s3Client.destroy())
  )
  return { sdk, client }
})

/** Stores blobs as objects in a bucket of an S3-compatible store. */
export const layerS3 = (place: S3Place): Layer.Layer<BlobStore> =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const { client, sdk } = yield* open(place)
      yield* Effect.forkScoped(
        Effect.catchDefect(sweep(sdk, client, place), (defect) =>
          Effect.logWarning("unfinished uploads could not be looked up", defect)
        )
      )
      const objectOf = (key: BlobKey) => ({ Bucket: place.bucket, Key: `${place.prefix}${key}` })
      const put: BlobStore["Service"]["put"] = (key, bytes, terms) => upload(sdk, client, objectOf(key))(bytes, terms)
      return {
        put,
        putWithDigests: puttingWithDigests(put),
        read: (key, range = { first: 0 }) =>
          Stream.unwrap(
            Effect.gen(function* () {
              const { first, last } = range
              if (last !== undefined && last < first) return Stream.empty
              const Range = first === 0 && last === undefined ? {} : { Range: `bytes=${first}-${last ?? ""}` }
              const found = yield* ask(
                (abortSignal) => client.send(new sdk.GetObjectCommand({ ...objectOf(key), ...Range }), { abortSignal }),
                { 404: "missing", 416: "empty" } as const
              )
              if (found === "missing") return yield* new BlobNotFound({ key })
              if (found === "empty" || found.Body === undefined) return Stream.empty
              const { Body } = found
              // BOUNDARY: under Node the body is a Readable, which the library's type leaves open.
              return Stream.orDie(
                Stream.fromAsyncIterable(Body as unknown as AsyncIterable<Uint8Array>, (error) => error)
              )
            })
          ),
        size: (key) =>
          Effect.map(
            ask((abortSignal) => client.send(new sdk.HeadObjectCommand(objectOf(key)), { abortSignal }), {
              404: undefined
            }),
            (found) => found?.ContentLength
          ),
        remove: (key) =>
          Effect.asVoid(
            ask((abortSignal) => client.send(new sdk.DeleteObjectCommand(objectOf(key)), { abortSignal }), {
              404: undefined
            })
          ),
        list: (area) =>
          Stream.paginate(undefined as string | undefined, (ContinuationToken) =>
            Effect.map(
              ask((abortSignal) =>
                client.send(
                  new sdk.ListObjectsV2Command({
                    Bucket: place.bucket,
                    Prefix: `${place.prefix}${area}/`,
                    ContinuationToken
                  }),
                  { abortSignal }
                )
              ),
              (found) => {
                const blobs = (found.Contents ?? []).flatMap(
                  ({ Key = "", LastModified, Size = 0 }): Array<ListedBlob> => {
                    const key = Key.slice(place.prefix.length)
                    return isKey(key) && LastModified !== undefined
                      ? [{ key, size: Size, writtenAt: LastModified.toISOString() }]
                      : []
                  }
                )
                return [blobs, Option.fromUndefinedOr(found.NextContinuationToken)] as const
              }
            )
          )
      }
    })
  )
