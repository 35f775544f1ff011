import { Context, type Effect, Schema, type Stream } from "effect"

/** The areas into which blobs (stored files) are divided; blobs are listed by area. */
export const blobAreas = ["archives", "attachments", "artifacts", "lfs", "packages"] as const
export type BlobArea = (typeof blobAreas)[number]

/** The schema of a blob's key: the area, a slash, and a name such as a uuid or a hash. */
export const BlobKey = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?:${blobAreas.join("|")})/[0-9a-z](?:[0-9a-z-]{0,126}[0-9a-z])?$`))
).pipe(Schema.brand("BlobKey"))
export type BlobKey = typeof BlobKey.Type

/**
 * Returns the key of a blob in an area; throws for an invalid name.
 *
 * @example
 * blobKey("attachments", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff") // => "attachments/6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
 */
export const blobKey = (area: BlobArea, name: string): BlobKey => BlobKey.make(`${area}/${name}`)

/** The size and the SHA-256 digest of received bytes. */
export interface BlobFacts {
  /** The size in bytes. */
  readonly size: number
  /** The SHA-256 digest: 64 hexadecimal digits in lower case. */
  readonly sha256: string
}

/** Additional digests of a blob, each in hexadecimal digits in lower case. */
export interface FurtherDigests {
  readonly md5: string
  readonly sha1: string
  readonly sha512: string
}

/** The conditions that received bytes must satisfy to be stored as a blob. */
export interface BlobTerms {
  /** The maximum size in bytes. */
  readonly maxSize: number
  /** The size and the SHA-256 that the sender declared; bytes that differ are rejected. */
  readonly expected?: Partial<BlobFacts>
}

/** An entry in a list of blobs. */
export interface ListedBlob {
  readonly key: BlobKey
  /** The size in bytes. */
  readonly size: number
  /** The time of writing, in ISO 8601. */
  readonly writtenAt: string
}

/** A range of a blob's bytes from `first` to `last` inclusive, counted from 0; without `last`, to the end. */
export interface BlobRange {
  readonly first: number
  readonly last?: number
}

/** Reports that a blob would exceed the maximum size, in bytes. */
export class BlobTooLarge extends Schema.TaggedError<BlobTooLarge>()("BlobTooLarge", { maxSize: Schema.Number }) {}

/** Reports that received bytes do not have the size or the SHA-256 digest that the sender declared. */
export class BlobMismatch extends Schema.TaggedError<BlobMismatch>()("BlobMismatch", {
  of: Schema.Literals(["size", "sha256"])
}) {}

/** Reports that the blob does not exist. */
export class BlobNotFound extends Schema.TaggedError<BlobNotFound>()("BlobNotFound", { key: Schema.String }) {}

/**
 * Stores files as blobs, by key. It does not take part in transactions; a cleanup task removes blobs without a row in
 * the database.
 *
 * Must:
 * - return bytes as stored, with their size and SHA-256
 * - return further digests on request
 * - show the previous content until the new blob is complete
 * - store no bytes above the limit, with a wrong digest or size, or from a failed sender
 * - store no bytes from an interrupted sender
 * - read a range of a blob, up to its end
 * - report a missing blob on reads and on size requests
 * - remove a blob, and accept a missing one
 * - finish or fail the read of a replaced or removed blob, without mixing contents
 * - list the blobs of an area once each, with size and time
 * - store bytes of concurrent senders, also under one key
 */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Stores a stream of bytes as a blob; replaces a blob with the same key. */
    readonly put: <E, R>(
      key: BlobKey,
      bytes: Stream.Stream<Uint8Array, E, R>,
      terms: BlobTerms
    ) => Effect.Effect<BlobFacts, BlobMismatch | BlobTooLarge | E, R>
    /** Stores a blob like `put`, and also computes the MD5, SHA-1 and SHA-512 digests. */
    readonly putWithDigests: <E, R>(
      key: BlobKey,
      bytes: Stream.Stream<Uint8Array, E, R>,
      terms: BlobTerms
    ) => Effect.Effect<BlobFacts & FurtherDigests, BlobMismatch | BlobTooLarge | E, R>
    readonly read: (key: BlobKey, range?: BlobRange) => Stream.Stream<Uint8Array, BlobNotFound>
    /** Returns the size in bytes; undefined if the blob does not exist. */
    readonly size: (key: BlobKey) => Effect.Effect<number | undefined>
    readonly remove: (key: BlobKey) => Effect.Effect<void>
    readonly list: (area: BlobArea) => Stream.Stream<ListedBlob>
  }
>()("@slipway/domain/forge/BlobStore") {}
