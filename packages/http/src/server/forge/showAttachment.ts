import type { Attachment } from "@slipway/domain/forge"
import { Effect } from "effect"
import { PublicUrl } from "./PublicUrl.ts"

/** Returns the path that an attachment is downloaded from. */
export const attachmentPath = (uuid: string): string => `/attachments/${uuid}`

/** The route that attachments are downloaded from. */
export const attachmentRoute = "/attachments/:uuid"

/** Returns how attachments are shown. */
export const showAttachment = Effect.map(PublicUrl, ({ rootUrl }) => (attachment: Attachment) => ({
  id: attachment.id,
  name: attachment.name,
  size: attachment.size,
  download_count: attachment.downloadCount,
  created_at: attachment.createdAt,
  uuid: attachment.uuid,
  browser_download_url: `${rootUrl}${attachmentPath(attachment.uuid)}`
}))
