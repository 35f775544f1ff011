import { StoreUnavailable } from "@slipway/domain"

const codes: ReadonlyArray<unknown> = ["EDQUOT", "EIO", "ENOSPC", "EROFS"]
/** What git says of the same, in the language that its runs are given. */
const sayings = /No space left on device|Out of diskspace|Disk quota exceeded|Input\/output error|Read-only file system/

/** Returns a failure of the disk or of git as `StoreUnavailable` where the disk has no room, and any other as it is. */
export const unavailableIfFull = (error: unknown): unknown => {
  const { cause, code, said } = (error ?? {}) as {
    readonly cause?: unknown
    readonly code?: unknown
    readonly said?: unknown
  }
  const isFull =
    codes.includes(code) ||
    codes.includes((cause as { readonly code?: unknown } | undefined)?.code) ||
    (typeof said === "string" && sayings.test(said))
  return isFull ? new StoreUnavailable({ reason: "full", cause: error }) : error
}
