import { now, timeAgo } from "@slipway/domain"
import { artifactBlocks, artifacts } from "@slipway/domain/forge/automation"
import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { sweepBlobs } from "../../base/blobs/sweepBlobs.ts"

/** How long an artifact may take to be uploaded. */
const uploadsLast = "1 day"

/** Removes abandoned uploads, and the content of deleted or expired artifacts, each night. */
export const artifactSweep = {
  name: "cleanup_artifacts",
  schedule: "22 2 * * *",
  run: Effect.gen(function* () {
    const store = yield* artifacts.store
    const blocks = yield* artifactBlocks.store
    yield* store.removeEverywhere({ done: false, createdAt: { before: yield* timeAgo(uploadsLast) } })
    const present = yield* now
    const swept = yield* sweepBlobs(
      "artifacts",
      Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
        const sought = names.map((blob) => ({ blob }))
        const whole = yield* store.findManyBy("blob", sought)
        const parts = yield* blocks.findManyBy("blob", sought)
        return [...whole.filter(({ expiresAt }) => expiresAt > present), ...parts].map(({ blob }) => blob)
      })
    )
    if (swept > 0) yield* Effect.logInfo(`removed the bytes of ${swept} deleted artifacts`)
  })
} satisfies Task<unknown>
