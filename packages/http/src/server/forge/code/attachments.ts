import { notFound } from "@slipway/domain/forge/access"
import { downloadHeaders } from "@slipway/domain/forge/code"
import { numberIn } from "@slipway/domain/forge/entry"
import { Attachments } from "@slipway/forge/code"
import { IssueAttachments } from "@slipway/forge/collaboration"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { attachmentEndpoints } from "../../../api/forge/collaboration/conversations.ts"
import { Attachment as AttachmentShape } from "../../../api/forge/collaboration/issues.ts"
import { answerTo } from "../base/errors.ts"
import { answerWithPublicUrl, PublicUrl, referenceUrl } from "../base/PublicUrl.ts"
import { rateLimited } from "../entry/admission.ts"
import { entryRequest } from "../entry/guard.ts"
import { handle } from "../entry/handle.ts"
import { attachmentRoute, showAttachment } from "./showAttachment.ts"
import { type UploadRequest, uploadOf } from "./uploads.ts"

const encode = Schema.encodeSync(AttachmentShape)

type Creating = "issue.asset.create" | "issue.comment.asset.create"

type Asking = { readonly [A in Creating]: UploadRequest<A> }[Creating]

const create = Effect.fnUntraced(function* (asked: Asking) {
  const attachment = yield* uploadOf(asked, (upload) => IssueAttachments.create(asked.proof, upload))
  const show = yield* showAttachment
  return HttpServerResponse.jsonUnsafe(encode(show(attachment)), { status: 201 })
})

/** The handlers of the attachments of issues and comments. */
export const layerAttachments = handle(
  attachmentEndpoints,
  {
    "issue.asset.list": ({ proof }) => IssueAttachments.list(proof),
    "issue.asset.create": create,
    "issue.asset.read": ({ params, proof }) => IssueAttachments.read(proof, numberIn(params.attachment_id)),
    "issue.asset.edit": ({ body, params, proof }) =>
      IssueAttachments.edit(proof, numberIn(params.attachment_id), body.name),
    "issue.asset.delete": ({ params, proof }) => IssueAttachments.remove(proof, numberIn(params.attachment_id)),
    "issue.comment.asset.list": ({ proof }) => IssueAttachments.list(proof),
    "issue.comment.asset.create": create,
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

/**
 * Layer with the download route of attachments, with the permissions of the API.
 *
 * Response headers prevent browsers from executing the content.
 */
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
        Effect.catchTag("SignInSlowed", rateLimited),
        Effect.catchTag("Renamed", () => missing),
        Effect.catch(answerTo),
        answerWithPublicUrl
      )
    )
  })
)
