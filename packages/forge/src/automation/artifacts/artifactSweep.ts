import { now, timeAgo } from "@slipway/domain"
import { artifactBlocks, artifacts } from "@slipway/domain/forge/automation"
import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { sweepBlobs } from "../../base/blobs/sweepBlobs.ts"

/** The maximum duration of the upload of an artifact; older incomplete uploads are removed. */
const uploadsLast = "1 day"

/** The nightly task that removes abandoned uploads, and the bytes of deleted or expired artifacts. */
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
