import { now, Transaction, timeAgo } from "@slipway/domain"
import { inOwner } from "@slipway/domain/forge/automation"
import { BlobMismatch, BlobStore } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import {
  type ContainerUpload,
  containerUploads,
  type ImageDigest,
  ImageUploadNotFound,
  ImageUploadOutOfOrder,
  ImageUploadsFull,
  mostParts,
  mostUploads,
  PackageNotFound,
  type UploadPart,
  uploadsLast
} from "@slipway/domain/forge/registries"
import { Effect, Stream } from "effect"
import { lockHolder } from "../../../base/locks/lockHolder.ts"
import { drop, freshUuid, keepBytes, keyOf, largestPackageFile, type StoredBlob } from "../bytes.ts"
import { addBlobToImage, checkedName, imageOf, note } from "./bytes.ts"

type Uploading = Proof<"package.container.upload">

/** The name of the image and the id of the upload, as they occur in the request path. */
export interface UploadName {
  readonly image: string
  readonly upload: string
}

/** The byte offset at which a request continues an upload, and the number of bytes that the request sends. */
export interface UploadPlace {
  readonly start: number
  readonly length: number
}

/** The body of an upload request, with its position if the request has a `Content-Range`. */
export interface SentBytes<E, R> {
  readonly place: UploadPlace | undefined
  readonly bytes: Stream.Stream<Uint8Array, E, R>
}

/** Begins an upload, which expires after a day. */
export const begin = Effect.fnUntraced(function* ({ resource }: Uploading, image: string) {
  yield* checkedName(image)
  const store = yield* containerUploads.store
  const creatorId = signedInUser(resource).id
  const row = { ...imageOf(resource.owner, image), uuid: yield* freshUuid, creatorId, size: 0, parts: [] }
  const insertion = Effect.gen(function* () {
    yield* lockHolder(inOwner({ kind: "user", id: creatorId }))
    if ((yield* store.count({ creatorId })) >= mostUploads) {
      return yield* new ImageUploadsFull({ of: "uploads", most: mostUploads })
    }
    return yield* Effect.mapError(
      store.insert({ ...row, startedAt: yield* now }),
      () => new PackageNotFound({ what: image })
    )
  })
  return yield* (yield* Transaction).run(insertion)
})

const isOver = ({ startedAt }: ContainerUpload) => Effect.map(timeAgo(uploadsLast), (before) => startedAt <= before)

/** Finds an upload; an upload of another user, image or owner is reported as missing (invariant I6). */
export const read = Effect.fnUntraced(function* ({ resource }: Uploading, { image, upload }: UploadName) {
  const found = yield* (yield* containerUploads.store).findBy("uuid", { uuid: upload })
  const isIt =
    found?.ownerId === resource.owner.id &&
    found.image === image &&
    found.creatorId === signedInUser(resource).id &&
    !(yield* isOver(found))
  return isIt ? found : yield* new ImageUploadNotFound({ upload })
})

const inOrder = ({ size }: ContainerUpload, start: number | undefined) =>
  start === undefined || start === size ? Effect.void : Effect.fail(new ImageUploadOutOfOrder({ size }))

/** Locks an upload until the transaction ends; fails if it expired, because the sweep may remove its parts. */
const lockUpload = Effect.fnUntraced(function* (open: ContainerUpload) {
  const present = yield* (yield* containerUploads.store).lock({ creatorId: open.creatorId }, open.id)
  if (present === undefined || (yield* isOver(present))) return yield* new ImageUploadNotFound({ upload: open.uuid })
  yield* inOrder(present, open.size)
})

const keepPart = Effect.fnUntraced(function* <E, R>(open: ContainerUpload, { bytes, place }: SentBytes<E, R>) {
  const expected = place === undefined ? {} : { size: place.length }
  const terms = { maxSize: Math.max(0, (yield* largestPackageFile) - open.size), expected }
  if (open.size > 0) {
    const blob = yield* freshUuid
    const { sha256, size } = yield* (yield* BlobStore).put(keyOf(blob), bytes, terms)
    return { blob, size, sha256, further: null } satisfies UploadPart
  }
  // The first part is usually the only one, so its blob becomes the final one.
  const { blob, facts } = yield* keepBytes(bytes, terms)
  const { md5, sha1, sha256, sha512, size } = facts
  return { blob, size, sha256, further: { md5, sha1, sha512 } } satisfies UploadPart
})

/**
 * Appends a part to an upload, and returns the total size in bytes.
 *
 * Stores the bytes before the row; the nightly sweep removes bytes without a row.
 */
export const append = Effect.fnUntraced(function* <E, R>(proof: Uploading, name: UploadName, sent: SentBytes<E, R>) {
  const open = yield* read(proof, name)
  yield* inOrder(open, sent.place?.start)
  if (open.parts.length >= mostParts) return yield* new ImageUploadsFull({ of: "parts", most: mostParts })
  const part = yield* keepPart(open, sent)
  const size = open.size + part.size
  const change = { size, parts: [...open.parts, part] }
  const keep = Effect.gen(function* () {
    yield* lockUpload(open)
    yield* Effect.orDie((yield* containerUploads.store).patch({ creatorId: open.creatorId }, open.id, change))
  })
  if (part.size === 0) yield* drop([part.blob])
  else yield* Effect.tapError((yield* Transaction).run(keep), () => drop([part.blob]))
  return size
})

/** Joins the parts of an upload and its last bytes into one blob; a single part is not copied but reused. */
const joined = Effect.fnUntraced(function* <E, R>(
  { parts: [only, ...others], uuid }: ContainerUpload,
  digest: ImageDigest,
  last: Stream.Stream<Uint8Array, E, R> | undefined
) {
  const sha256 = digest.slice("sha256:".length)
  if (only?.further != null && others.length === 0 && last === undefined) {
    if (only.sha256 !== sha256) return yield* new BlobMismatch({ of: "sha256" })
    return { blob: only.blob, facts: { size: only.size, sha256, ...only.further } } satisfies StoredBlob
  }
  const blobs = yield* BlobStore
  const partBytes = Stream.flatMap(Stream.fromIterable(only === undefined ? [] : [only, ...others]), ({ blob }) =>
    // A concurrent request that completed the upload has removed its parts.
    Stream.mapError(blobs.read(keyOf(blob)), () => new ImageUploadNotFound({ upload: uuid }))
  )
  return yield* keepBytes(Stream.concat(partBytes, last ?? Stream.empty), {
    maxSize: yield* largestPackageFile,
    expected: { sha256 }
  })
})

/** Records stored bytes as a blob of an image, after `more` in the same transaction. */
const noteFor = <E, R>(
  { resource: { owner } }: Uploading,
  image: string,
  stored: StoredBlob,
  more: Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    const noting = Effect.gen(function* () {
      yield* more
      const blob = yield* note(stored)
      yield* addBlobToImage(owner, image, blob)
      return blob
    })
    return yield* (yield* Transaction).run(noting)
  })

/** Completes an upload and adds the blob to the image; its content must match the digest. */
export const finish = Effect.fnUntraced(function* <E, R>(
  proof: Uploading,
  name: UploadName,
  digest: ImageDigest,
  last: SentBytes<E, R> | undefined
) {
  const open = yield* read(proof, name)
  yield* inOrder(open, last?.place?.start)
  const stored = yield* joined(open, digest, last?.bytes)
  const isPart = open.parts.some(({ blob }) => blob === stored.blob)
  const ended = Effect.gen(function* () {
    yield* lockUpload(open)
    yield* (yield* containerUploads.store).remove({ creatorId: open.creatorId }, open.id)
  })
  const noted = yield* Effect.tapError(noteFor(proof, name.image, stored, ended), () =>
    drop(isPart ? [] : [stored.blob])
  )
  const sent = new Set([stored, ...open.parts].map(({ blob }) => blob))
  sent.delete(noted.blob)
  yield* drop([...sent])
})

/** Uploads a blob of an image in one request. */
export const put = Effect.fnUntraced(function* <E, R>(
  proof: Uploading,
  image: string,
  digest: ImageDigest,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  yield* checkedName(image)
  const expected = { sha256: digest.slice("sha256:".length) }
  const stored = yield* keepBytes(bytes, { maxSize: yield* largestPackageFile, expected })
  const noted = yield* Effect.tapError(noteFor(proof, image, stored, Effect.void), () => drop([stored.blob]))
  if (noted.blob !== stored.blob) yield* drop([stored.blob])
})

/** Cancels an upload and discards its parts. */
export const cancel = Effect.fnUntraced(function* (proof: Uploading, name: UploadName) {
  const open = yield* read(proof, name)
  const gone = yield* (yield* containerUploads.store).remove({ creatorId: open.creatorId }, open.id)
  if (gone === undefined) return yield* new ImageUploadNotFound({ upload: open.uuid })
  yield* drop(gone.parts.map(({ blob }) => blob))
})
