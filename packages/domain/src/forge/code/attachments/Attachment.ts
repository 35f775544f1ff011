import { Context, type Effect, Schema } from "effect"
import type { Missing } from "../../../owned/OwnedStore.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The schema of the id of an attachment. */
export const AttachmentId = Schema.Int.pipe(Schema.brand("AttachmentId"))
export type AttachmentId = typeof AttachmentId.Type

/** The resource types that can have attachments. */
export type AttachedKind = "issue" | "comment" | "release"

/** The resource that an attachment belongs to: an issue, comment or release of a repository, by id. */
export interface AttachedTo {
  readonly repositoryId: RepositoryId
  readonly kind: AttachedKind
  readonly id: number
}

/** An attachment before it is stored, without an id. */
export interface NewAttachment {
  readonly uuid: string
  readonly to: AttachedTo
  /** The id of the uploader, which is kept after the account is deleted; null if unknown. */
  readonly uploaderId: UserId | null
  readonly name: string
  /** The size in bytes. */
  readonly size: number
  /** The content type, detected from the first bytes of the file. */
  readonly type: string
  /** The URL of a file that is stored elsewhere; null for an uploaded file. */
  readonly link: string | null
  readonly createdAt: string
}

/** A file that a user added to an issue, a comment or a release. */
export interface Attachment extends NewAttachment {
  readonly id: AttachmentId
  readonly downloadCount: number
}

/** The changes of an attachment in a request; omitted fields stay unchanged. */
export type AttachmentChange = Partial<Pick<Attachment, "name"> & { readonly link: string }>

/** Reports that the resource does not have this attachment. */
export class AttachmentNotFound extends Schema.TaggedError<AttachmentNotFound>()("AttachmentNotFound", {
  id: Schema.Union([Schema.Number, Schema.String])
}) {}

/** Reports that a file is not allowed as an attachment, with the reason. */
export class AttachmentRefused extends Schema.TaggedError<AttachmentRefused>()("AttachmentRefused", {
  problem: Schema.String
}) {}

/**
 * Stores the metadata of attachments; the content of the files is in `BlobStore`.
 *
 * Must:
 * - return an attachment as inserted, with an id and no downloads
 * - find, change and remove only attachments of the given resource
 * - list the attachments of a resource in the order of their upload
 * - find an attachment by its uuid, and count its downloads
 * - list the attachments of many resources of one type in one call, in any repository
 * - reject an attachment of a missing resource
 * - return which of the given uuids belong to attachments
 * - remove the attachments of a removed issue, comment, release or repository
 * - keep the attachments of a removed user
 */
export class AttachmentStore extends Context.Service<
  AttachmentStore,
  {
    readonly insert: (attachment: NewAttachment) => Effect.Effect<Attachment, Missing>
    readonly find: (to: AttachedTo, id: number) => Effect.Effect<Attachment | undefined>
    readonly findByUuid: (uuid: string) => Effect.Effect<Attachment | undefined>
    readonly list: (to: AttachedTo) => Effect.Effect<ReadonlyArray<Attachment>>
    /** Lists the attachments of several resources, by resource id; a resource without attachments has no entry. */
    readonly listFor: (
      kind: AttachedKind,
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyMap<number, ReadonlyArray<Attachment>>>
    /** Changes the given fields of an attachment. */
    readonly change: (to: AttachedTo, id: number, change: AttachmentChange) => Effect.Effect<boolean>
    readonly remove: (to: AttachedTo, id: number) => Effect.Effect<boolean>
    readonly countDownload: (uuid: string) => Effect.Effect<void>
    readonly known: (uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@slipway/domain/forge/AttachmentStore") {}

/**
 * Detects the content type of files from their first bytes.
 *
 * Must:
 * - detect the type of a file from its first bytes, ignoring its name
 * - distinguish text from unknown bytes
 */
export class FileTypes extends Context.Service<
  FileTypes,
  { readonly typeOf: (firstBytes: Uint8Array) => Effect.Effect<string> }
>()("@slipway/domain/forge/FileTypes") {}

/** The number of leading bytes that determine the type of a file. */
export const signatureLength = 4_100
