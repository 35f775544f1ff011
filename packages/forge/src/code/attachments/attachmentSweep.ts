import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { sweep } from "./Attachments.ts"

/** Removes the bytes of deleted attachments, each night. */
export const attachmentSweep = {
  name: "delete_orphaned_attachments",
  schedule: "42 2 * * *",
  run: Effect.gen(function* () {
    const swept = yield* sweep
    if (swept > 0) yield* Effect.logInfo(`removed the bytes of ${swept} deleted attachments`)
  })
} satisfies Task<unknown>
