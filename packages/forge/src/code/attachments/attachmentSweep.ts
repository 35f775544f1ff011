import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { sweep } from "./Attachments.ts"

/** The nightly task that removes the bytes of deleted attachments. */
export const attachmentSweep = {
  name: "delete_orphaned_attachments",
  schedule: "42 2 * * *",
  run: Effect.gen(function* () {
    const swept = yield* sweep
    if (swept > 0) yield* Effect.logInfo(`removed the bytes of ${swept} deleted attachments`)
  })
} satisfies Task<unknown>
