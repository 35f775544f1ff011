import { Context, type Effect, type Redacted, Schema, type Stream } from "effect"

/** A bucket of an S3-compatible server, with the credentials for it. */
export interface BucketAccess {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
}

/** Reports that an S3 server rejected a request or could not be reached. */
export class ObjectStorageFailed extends Schema.TaggedError<ObjectStorageFailed>()("ObjectStorageFailed", {
  because: Schema.String
}) {}

/**
 * Stores backups as objects in buckets of S3-compatible servers.
 *
 * Must:
 * - accept valid credentials in a connection test, and report wrong ones
 * - return the written bytes of an object
 * - write an object larger than one part of an upload
 * - show no object of a failed write, and leave no unfinished upload
 * - remove the unfinished uploads of a folder when the next object is written to it
 * - report a missing object
 * - remove objects, including missing ones
 */
export class ObjectStorage extends Context.Service<
  ObjectStorage,
  {
    /** Tests the connection and the credentials: lists the objects of the bucket. */
    readonly test: (access: BucketAccess) => Effect.Effect<void, ObjectStorageFailed>
    /**
     * Writes an object without a local copy, in bounded memory; it is visible after the last byte. One writer at a time
     * per folder, which is the key up to its last slash.
     */
    readonly write: <E, R>(
      access: BucketAccess,
      key: string,
      bytes: Stream.Stream<Uint8Array, E, R>
    ) => Effect.Effect<void, ObjectStorageFailed | E, R>
    readonly read: (access: BucketAccess, key: string) => Stream.Stream<Uint8Array, ObjectStorageFailed>
    /** Removes objects, at most 1,000. */
    readonly remove: (access: BucketAccess, keys: ReadonlyArray<string>) => Effect.Effect<void, ObjectStorageFailed>
  }
>()("@slipway/domain/deploy/ObjectStorage") {}
