import {
  AttachmentRefused,
  Attachments,
  downloadHeaders,
  IssueAttachments,
  notFound,
  numberIn,
  SiteSettings
} from "@slipway/domain/forge"
import { ByteSize, Context, Effect, Option, Schema, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse, Multipart } from "effect/http"
import { attachmentEndpoints } from "../../api/forge/conversations.ts"
import { Attachment as AttachmentShape } from "../../api/forge/issues.ts"
import { BodyNotJson, BodyTooLarge } from "../bodies.ts"
import { slowed } from "./admission.ts"
import { answerTo } from "./errors.ts"
import { entryRequest } from "./guard.ts"
import { type Asked, handle, stillAdmitted } from "./handle.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"
import { attachmentRoute, showAttachment } from "./showAttachment.ts"

const encode = Schema.encodeSync(AttachmentShape)

const megabyte = 1_048_576
/** What a form may have around its file. */
const formRoom = 65_536
const timeout = "1 hour"

const unread = () => new BodyNotJson({ sentence: "The body is no form with a file that could be read." })

const wrongForm = ({ reason }: Multipart.MultipartError) =>
  ["BodyTooLarge", "FileTooLarge", "FieldTooLarge", "TooManyParts"].includes(reason._tag)
    ? new BodyTooLarge()
    : unread()

type Creating = "issue.asset.create" | "issue.comment.asset.create"
type Asking = { readonly [A in Creating]: Asked<A, undefined, { readonly name?: string }> }[Creating]

/**
 * Takes in the file of a form, its part `attachment`, as it comes.
 *
 * Rights are asked for once more behind its last byte, before anything of it is kept.
 */
const uploaded = (asked: Asking) =>
  Effect.gen(function* () {
    const { attachment: limits } = yield* SiteSettings
    const largest = ByteSize.bytes(limits.maxSize * megabyte + formRoom)
    const bounds = Context.add(
      Multipart.limitsServices({ maxParts: 10, maxFieldSize: formRoom, maxTotalSize: largest }),
      HttpIncomingMessage.MaxBodySize,
      largest
    )
    const parts = Stream.mapError(Stream.provideContext(asked.request.multipartStream, bounds), wrongForm)
    const attached = Stream.mapEffect(parts, (part) => {
      if (!Multipart.isFile(part) || part.key !== "attachment") return Effect.succeed(undefined)
      const confirmed = Stream.fromEffectDrain(stillAdmitted<Creating>(asked))
      const bytes = Stream.concat(Stream.mapError(part.content, wrongForm), confirmed)
      return IssueAttachments.create(asked.proof, { name: asked.query.name ?? part.name, bytes })
    })
    const made = yield* Stream.runHead(Stream.filter(attached, (each) => each !== undefined)).pipe(
      Effect.catchTags({
        BlobTooLarge: () => Effect.fail(new BodyTooLarge()),
        BlobMismatch: () => Effect.fail(unread())
      }),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(unread()) })
    )
    if (Option.isNone(made)) return yield* new AttachmentRefused({ problem: "is required" })
    const show = yield* showAttachment
    return HttpServerResponse.jsonUnsafe(encode(show(made.value)), { status: 201 })
  })

/** The handlers of the attachments of issues and comments. */
export const layerAttachments = handle(
  attachmentEndpoints,
  {
    "issue.asset.list": ({ proof }) => IssueAttachments.list(proof),
    "issue.asset.create": uploaded,
    "issue.asset.read": ({ params, proof }) => IssueAttachments.read(proof, numberIn(params.attachment_id)),
    "issue.asset.edit": ({ body, params, proof }) =>
      IssueAttachments.edit(proof, numberIn(params.attachment_id), body.name),
    "issue.asset.delete": ({ params, proof }) => IssueAttachments.remove(proof, numberIn(params.attachment_id)),
    "issue.comment.asset.list": ({ proof }) => IssueAttachments.list(proof),
    "issue.comment.asset.create": uploaded,
    "issue.comment.asset.read": ({ params, proof }) => IssueAttachments.read(proof, numberIn(params.attachment_id)),
    "issue.comment.asset.edit": ({ body, params, proof }) =>
      IssueAttachments.edit(proof, numberIn(params.attachment_id), body.name),
    "issue.comment.asset.delete": ({ params, proof }) => IssueAttachments.remove(proof, numberIn(params.attachment_id))
  },
  { showTo: () => showAttachment }
)

const missing = Effect.map(PublicUrl, (served) =>
  HttpServerResponse.jsonUnsafe({ message: notFound.message, url: referenceUrl(served) }, { status: notFound.status })
)

/** Serves attachments by their uuids, to those who may read them by the API, and as what no browser runs. */
export const attachmentRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add(
      "GET",
      attachmentRoute,
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        const request = entryRequest(yield* HttpServerRequest.HttpServerRequest, yield* PublicUrl)
        const found = yield* IssueAttachments.admit(request, params.uuid ?? "")
        if (found === undefined) return yield* missing
        const { attachment, bytes } = yield* Attachments.download(found.uuid)
        return HttpServerResponse.stream(bytes, {
          headers: {
            ...downloadHeaders(attachment.name, attachment.type),
            "content-length": String(attachment.size)
          }
        })
      }).pipe(
        Effect.catchTag("SignInSlowed", slowed),
        Effect.catchTag("Renamed", () => missing),
        Effect.catch(answerTo)
      )
    )
  })
)
