import type { Attachment } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { PublicUrl } from "../base/PublicUrl.ts"

/** Returns the download path of an attachment. */
export const attachmentPath = (uuid: string): string => `/attachments/${uuid}`

/** The download route of attachments. */
export const attachmentRoute = "/attachments/:uuid"

/** Shows a file with its download address, unless it is external. */
export const showFile = (file: Attachment, url: string) => ({
  id: file.id,
  name: file.name,
  size: file.size,
  download_count: file.downloadCount,
  created_at: file.createdAt,
  uuid: file.uuid,
  browser_download_url: file.link ?? url,
  type: file.link === null ? ("attachment" as const) : ("external" as const)
})

/** Returns how attachments are shown. */
export const showAttachment = Effect.map(
  PublicUrl,
  ({ rootUrl }) =>
    (attachment: Attachment) =>
      showFile(attachment, `${rootUrl}${attachmentPath(attachment.uuid)}`)
)
