import { now, Transaction } from "@slipway/domain"
import { BlobStore, blobKey, SiteSettings } from "@slipway/domain/forge/base"
import {
  type AttachedTo,
  AttachmentNotFound,
  AttachmentRefused,
  AttachmentStore,
  externalLink,
  FileTypes,
  fileNameIn,
  fileNameProblem,
  isAllowedType,
  type NewAttachment,
  signatureLength
} from "@slipway/domain/forge/code"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { sweepBlobs } from "../../base/blobs/sweepBlobs.ts"

const megabyte = 1_048_576

/** The maximum number of files of a release; the site's limit for attachments of issues and comments does not apply. */
const mostOfRelease = 1_000

/** A file to attach: its name and its bytes. */
export interface Upload<E, R> {
  readonly name: string
  readonly bytes: Stream.Stream<Uint8Array, E, R>
  /** The size that the client declared, in bytes. */
  readonly size?: number | undefined
  /** The UUID of the attachment; generated if undefined. */
  readonly uuid?: string | undefined
  /** The time when the file was added; by default now. */
  readonly createdAt?: string | undefined
}

const named = Effect.fnUntraced(function* (name: string) {
  const problem = fileNameProblem(name)
  return problem === undefined ? name : yield* new AttachmentRefused({ problem: `The name ${problem}` })
})

const keyOf = (uuid: string) => blobKey("attachments", uuid)

/** Formats 16 random bytes as a UUID (version 4). */
export const uuidOf = (bytes: Uint8Array): string => {
  const hex = Array.from(bytes, (byte, at) => {
    const set = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte
    return set.toString(16).padStart(2, "0")
  }).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/**
 * Detects the file type from the first bytes while the upload streams through. Fails if the site does not allow the
 * type.
 */
const judged = <E, R>({ bytes, name }: Upload<E, R>, say: (type: string) => void) =>
  Effect.gen(function* () {
    const { attachment } = yield* SiteSettings
    const types = yield* FileTypes
    let head = new Uint8Array(0)
    let isKnown = false
    const look = Effect.gen(function* () {
      const type = yield* types.typeOf(head)
      isKnown = true
      say(type)
      if (!isAllowedType(attachment.allowedTypes, name, type)) {
        return yield* new AttachmentRefused({ problem: `A file of the type ${type} may not be attached` })
      }
    })
    const passed = Stream.mapEffect(bytes, (chunk) => {
      if (isKnown) return Effect.succeed(chunk)
      const grown = new Uint8Array(Math.min(head.length + chunk.length, signatureLength))
      grown.set(head)
      grown.set(chunk.subarray(0, grown.length - head.length), head.length)
      head = grown
      return Effect.as(head.length < signatureLength ? Effect.void : look, chunk)
    })
    // A shorter file is checked at its end.
    return Stream.concat(passed, Stream.fromEffectDrain(Effect.suspend(() => (isKnown ? Effect.void : look))))
  })

/** Fails if a resource has reached its maximum number of attachments. */
const roomOf = Effect.fnUntraced(function* (to: AttachedTo) {
  const most = to.kind === "release" ? mostOfRelease : (yield* SiteSettings).attachment.maxFiles
  const full = new AttachmentRefused({ problem: `There may be at most ${most} files` })
  if ((yield* (yield* AttachmentStore).list(to)).length >= most) return yield* full
})

const freshUuid = Effect.flatMap(SecureRandom.SecureRandom, (random) => Effect.map(random.randomBytes(16), uuidOf))

const inserted = Effect.fnUntraced(function* (row: NewAttachment) {
  const store = yield* AttachmentStore
  return yield* (yield* Transaction)
    .run(store.insert(row))
    // The resource was deleted meanwhile.
    .pipe(Effect.mapError(() => new AttachmentNotFound({ id: row.uuid })))
})

/**
 * Attaches a file to a resource. The caller must have checked that the user may change the resource.
 *
 * The bytes are stored before the database row. If the row is never stored, a cleanup task removes the bytes.
 */
export const attach = Effect.fnUntraced(function* <E, R>(
  to: AttachedTo,
  uploaderId: UserId | null,
  upload: Upload<E, R>
) {
  const { attachment: limits } = yield* SiteSettings
  const blobs = yield* BlobStore
  const name = yield* named(upload.name)
  yield* roomOf(to)
  const uuid = upload.uuid ?? (yield* freshUuid)
  let type = "application/octet-stream"
  const bytes = yield* judged(upload, (detected) => {
    type = detected
  })
  const { size } = yield* blobs.put(keyOf(uuid), bytes, {
    maxSize: limits.maxSize * megabyte,
    ...(upload.size === undefined ? {} : { expected: { size: upload.size } })
  })
  const createdAt = upload.createdAt ?? (yield* now)
  return yield* inserted({ uuid, to, uploaderId, name, size, type, link: null, createdAt }).pipe(
    // A given uuid may exist already, and an interruption may follow the commit; the sweep removes leftovers.
    Effect.tapError(() => (upload.uuid === undefined ? blobs.remove(keyOf(uuid)) : Effect.void))
  )
})

/** A file at an external URL to attach: its URL and its name. */
export interface Link {
  /** The file name; by default the last part of the URL. */
  readonly name?: string | undefined
  readonly url: string
  readonly uuid?: string | undefined
  readonly createdAt?: string | undefined
}

const linkFrom = (url: string): Effect.Effect<string, AttachmentRefused> => {
  const link = externalLink(url)
  const problem = "The address must be one of http or https, without credentials"
  return link === undefined ? Effect.fail(new AttachmentRefused({ problem })) : Effect.succeed(link)
}

/** Attaches an external file by URL. */
export const attachLink = Effect.fnUntraced(function* (to: AttachedTo, uploaderId: UserId | null, input: Link) {
  const link = yield* linkFrom(input.url)
  const name = yield* named(input.name ?? fileNameIn(link))
  yield* roomOf(to)
  const uuid = input.uuid ?? (yield* freshUuid)
  const createdAt = input.createdAt ?? (yield* now)
  return yield* inserted({ uuid, to, uploaderId, name, size: 0, type: "", link, createdAt })
})

/** Changes the given fields of an attachment: its name, and the URL of an external file. */
export const change = Effect.fnUntraced(function* (
  to: AttachedTo,
  id: number,
  { name, url }: { readonly name?: string | undefined; readonly url?: string | undefined }
) {
  const store = yield* AttachmentStore
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const found = (yield* store.find(to, id)) ?? (yield* new AttachmentNotFound({ id }))
      if (name === undefined && url === undefined) return found
      if (url !== undefined && found.link === null) {
        return yield* new AttachmentRefused({ problem: "Its URL is that of its stored bytes" })
      }
      yield* store.change(to, id, {
        ...(name === undefined ? {} : { name: yield* named(name) }),
        ...(url === undefined ? {} : { link: yield* linkFrom(url) })
      })
      return (yield* store.find(to, id)) ?? (yield* new AttachmentNotFound({ id }))
    })
  )
})

/** Removes an attachment of a resource. Its bytes are removed afterwards. */
export const remove = Effect.fnUntraced(function* (to: AttachedTo, id: number) {
  const store = yield* AttachmentStore
  const found = (yield* store.find(to, id)) ?? (yield* new AttachmentNotFound({ id }))
  if (!(yield* (yield* Transaction).run(store.remove(to, id)))) return yield* new AttachmentNotFound({ id })
  if (found.link === null) yield* (yield* BlobStore).remove(keyOf(found.uuid))
})

/** Returns the bytes of an attachment as a stream, and increases its download count. */
export const download = Effect.fnUntraced(function* (uuid: string) {
  const store = yield* AttachmentStore
  const found = (yield* store.findByUuid(uuid)) ?? (yield* new AttachmentNotFound({ id: uuid }))
  yield* store.countDownload(uuid)
  return { attachment: found, bytes: (yield* BlobStore).read(keyOf(uuid)) }
})

/** Removes stored bytes that are older than a day and belong to no attachment. Returns the number of removed blobs. */
export const sweep = Effect.flatMap(AttachmentStore, ({ known }) => sweepBlobs("attachments", known))
