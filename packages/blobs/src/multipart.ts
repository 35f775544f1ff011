import type { S3Client } from "@aws-sdk/client-s3"
import { Effect, Stream } from "effect"

/** The type of the AWS S3 library, which is loaded on demand. */
export type Sdk = typeof import("@aws-sdk/client-s3")

/** A connection to an S3 server; `ask` sends a request and converts a failure to `F`. */
export interface S3Connection<F> {
  readonly sdk: Sdk
  readonly client: S3Client
  readonly ask: <A>(work: (signal: AbortSignal) => Promise<A>) => Effect.Effect<A, F>
}

/** The name of an object in its bucket. */
export interface ObjectName {
  readonly Bucket: string
  readonly Key: string
}

/** The maximum number of parts of an upload. */
export const mostParts = 10_000

/**
 * Uploads bytes as one object in parts, and aborts the upload on failure. All parts except the last have the same size,
 * which some servers, such as R2, require.
 *
 * The object becomes visible with the last request, which is sent after `check` succeeds. Returns the result of
 * `check`.
 */
export const uploadParts = <F>({ ask, client, sdk }: S3Connection<F>, target: ObjectName, partSize: number) =>
  Effect.fnUntraced(function* <A, E, R, E2, R2>(
    bytes: Stream.Stream<Uint8Array, E, R>,
    check: (parts: number) => Effect.Effect<A, E2, R2>
  ) {
    const parts: Array<{ readonly ETag: string | undefined; readonly PartNumber: number }> = []
    let waiting: Array<Uint8Array> = []
    let waitingSize = 0
    let uploadId: string | undefined
    const taken = (size: number) => {
      const whole = Buffer.concat(waiting, waitingSize)
      waiting = size < whole.length ? [whole.subarray(size)] : []
      waitingSize = Math.max(0, whole.length - size)
      return whole.subarray(0, size)
    }
    const sendPart = Effect.suspend(() => sendBody(taken(partSize)))
    const sendBody = Effect.fnUntraced(function* (Body: Uint8Array) {
      uploadId ??= (yield* ask((abortSignal) =>
        client.send(new sdk.CreateMultipartUploadCommand(target), { abortSignal })
      )).UploadId
      const number = { ...target, UploadId: uploadId, PartNumber: parts.length + 1 }
      const { ETag } = yield* ask((abortSignal) =>
        client.send(new sdk.UploadPartCommand({ ...number, Body }), { abortSignal })
      )
      parts.push({ ETag, PartNumber: number.PartNumber })
    })
    const send = Effect.gen(function* () {
      yield* Stream.runForEach(bytes, (chunk) => {
        // The sender may reuse its buffer.
        waiting.push(chunk.slice())
        waitingSize += chunk.length
        return Effect.whileLoop({ while: () => waitingSize >= partSize, body: () => sendPart, step: () => {} })
      })
      const checked = yield* check(parts.length + (waitingSize > 0 ? 1 : 0))
      if (uploadId === undefined) {
        const Body = taken(waitingSize)
        yield* ask((abortSignal) => client.send(new sdk.PutObjectCommand({ ...target, Body }), { abortSignal }))
      } else {
        if (waitingSize > 0) yield* sendPart
        const done = { ...target, UploadId: uploadId, MultipartUpload: { Parts: parts } }
        yield* ask((abortSignal) => client.send(new sdk.CompleteMultipartUploadCommand(done), { abortSignal }))
      }
      return checked
    })
    return yield* Effect.onError(send, () =>
      uploadId === undefined
        ? Effect.void
        : Effect.ignoreCause(
            ask(() => client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId: uploadId }))),
            { log: "Warn" }
          )
    )
  })
