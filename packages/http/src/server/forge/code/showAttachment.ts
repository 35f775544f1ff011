import type { Attachment } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { PublicUrl } from "../base/PublicUrl.ts"

/** Returns the download path of an attachment. */
export const attachmentPath = (uuid: string): string => `/attachments/${uuid}`

/** The download route of attachments. */
export const attachmentRoute = "/attachments/:uuid"

/** Converts a file to its API response; `url` is its download URL, used unless the file is a link to another host. */
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

/** Returns a function that converts an attachment to its API response. */
export const showAttachment = Effect.map(
  PublicUrl,
  ({ rootUrl }) =>
    (attachment: Attachment) =>
      showFile(attachment, `${rootUrl}${attachmentPath(attachment.uuid)}`)
)
