import { StoreUnavailable } from "@slipway/domain"

const codes: ReadonlyArray<unknown> = ["EDQUOT", "EIO", "ENOSPC", "EROFS"]
/** Git's messages for a full, read-only or broken disk, in English. */
const diskFullMessages =
  /No space left on device|Out of diskspace|Disk quota exceeded|Input\/output error|Read-only file system/

/** Converts an error to `StoreUnavailable` if it reports a full or broken disk; returns other errors unchanged. */
export const unavailableIfFull = (error: unknown): unknown => {
  const { cause, code, said } = (error ?? {}) as {
    readonly cause?: unknown
    readonly code?: unknown
    readonly said?: unknown
  }
  const isFull =
    codes.includes(code) ||
    codes.includes((cause as { readonly code?: unknown } | undefined)?.code) ||
    (typeof said === "string" && diskFullMessages.test(said))
  return isFull ? new StoreUnavailable({ reason: "full", cause: error }) : error
}
