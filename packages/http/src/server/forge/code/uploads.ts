import { type BlobMismatch, type BlobTooLarge, SiteSettings } from "@slipway/domain/forge/base"
import { type Attachment, AttachmentRefused } from "@slipway/domain/forge/code"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import type { Attachments } from "@slipway/forge/code"
import { ByteSize, Context, Effect, Option, Stream } from "effect"
import { HttpIncomingMessage, Multipart } from "effect/http"
import { BodyNotJson, BodyTooLarge } from "../../wire/bodies.ts"
import type { HandlerError } from "../base/errors.ts"
import type { authorizeRequest } from "../entry/admission.ts"
import { type HandlerInput, recheckAuthorization } from "../entry/handle.ts"

const megabyte = 1_048_576
/** The maximum size of a form in addition to its file, in bytes. */
const formRoom = 65_536
const timeout = "1 hour"

const unread = () => new BodyNotJson({ sentence: "The body is neither a file nor a readable form with a file." })

const wrongForm = ({ reason }: Multipart.MultipartError) =>
  ["BodyTooLarge", "FileTooLarge", "FieldTooLarge", "TooManyParts"].includes(reason._tag)
    ? new BodyTooLarge()
    : unread()

type UploadError = BodyNotJson | BodyTooLarge | HandlerError
type UploadNeeds = Effect.Services<ReturnType<typeof authorizeRequest>>
/** A request that uploads a file. */
export type UploadRequest<A extends LoadedAction> = HandlerInput<A, undefined, { readonly name?: string }>

const isForm = ({ request }: Pick<UploadRequest<LoadedAction>, "request">): boolean =>
  (request.headers["content-type"] ?? "").toLowerCase().startsWith("multipart/")

/**
 * Receives a file as a stream.
 *
 * The file is the part `attachment` of a form, or a body of the type `application/octet-stream` with its name in the
 * query. With `keepLink`, a form may instead contain the field `external_url`: the URL of a file on another site.
 *
 * Permissions are checked again after the last byte, before the file is stored.
 */
export const uploadOf = <A extends LoadedAction, R>(
  asked: UploadRequest<A>,
  keep: (
    upload: Attachments.Upload<UploadError, UploadNeeds>
  ) => Effect.Effect<Attachment, BlobMismatch | BlobTooLarge | UploadError, R>,
  keepLink?: (link: Attachments.Link) => Effect.Effect<Attachment, UploadError, R>
) =>
  Effect.gen(function* () {
    const { attachment: limits } = yield* SiteSettings
    const { query, request } = asked
    const largest = ByteSize.bytes(limits.maxSize * megabyte + formRoom)
    const confirm: Effect.Effect<unknown, UploadError, UploadNeeds> = recheckAuthorization<A>(asked)
    const confirmed = Stream.fromEffectDrain(confirm)
    const bounded = Context.make(HttpIncomingMessage.MaxBodySize, largest)
    if (!isForm(asked)) {
      if (query.name === undefined) return yield* new AttachmentRefused({ problem: "is required" })
      const sent = Stream.mapError(Stream.provideContext(request.stream, bounded), unread)
      return yield* keep({ name: query.name, bytes: Stream.concat(sent, confirmed) })
    }
    const bounds = Context.merge(
      bounded,
      Multipart.limitsServices({ maxParts: 10, maxFieldSize: formRoom, maxTotalSize: largest })
    )
    const parts = Stream.mapError(Stream.provideContext(request.multipartStream, bounds), wrongForm)
    let url: string | undefined
    const assets = Stream.mapEffect(parts, (part) => {
      if (Multipart.isField(part) && part.key === "external_url") url = part.value
      if (!Multipart.isFile(part) || part.key !== "attachment") return Effect.succeed(undefined)
      if (url !== undefined) return new AttachmentRefused({ problem: "must be either a file or a link" })
      const bytes = Stream.concat(Stream.mapError(part.content, wrongForm), confirmed)
      return keep({ name: query.name ?? part.name, bytes })
    })
    const asset = yield* Stream.runHead(Stream.filter(assets, (each) => each !== undefined))
    if (Option.isSome(asset)) return asset.value
    if (url === undefined || keepLink === undefined) return yield* new AttachmentRefused({ problem: "is required" })
    yield* confirm
    return yield* keepLink({ name: query.name, url })
  }).pipe(
    Effect.catchTags({
      BlobTooLarge: () => Effect.fail(new BodyTooLarge()),
      BlobMismatch: () => Effect.fail(unread())
    }),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(unread()) })
  )
