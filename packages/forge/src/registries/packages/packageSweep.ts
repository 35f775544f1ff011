import { timeAgo } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import {
  containerBlobs,
  containerReferences,
  containerUploads,
  packageFiles,
  pendingContainerBlobs,
  uploadsLast
} from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import { sweepBlobs } from "../../base/blobs/sweepBlobs.ts"

const perBatch = 500

/** Removes abandoned image uploads, and the rows of blobs that no image uses. */
const forgetUnused = Effect.gen(function* () {
  const before = yield* timeAgo(uploadsLast)
  yield* (yield* containerUploads.store).removeEverywhere({ startedAt: { before } })
  const holdings = yield* pendingContainerBlobs.store
  yield* holdings.removeEverywhere({ since: { before } })
  const references = yield* containerReferences.store
  const store = yield* containerBlobs.store
  let after: string | undefined
  do {
    const { next, rows } = yield* store.listEverywhere({ after, limit: perBatch }, { filter: { usedAt: { before } } })
    const ids = rows.map(({ id }) => id)
    const named = yield* references.listFor("blobId", ids, 1)
    const held = yield* holdings.listFor("blobId", ids, 1)
    const unused = rows.filter(({ id }) => !named.has(id) && !held.has(id)).map(({ digest }) => digest)
    // A blob added to an image in this moment has a newer time and stays.
    if (unused.length > 0) yield* store.removeEverywhere({ digest: { in: unused }, usedAt: { before } })
    after = next
  } while (after !== undefined)
})

/** The scheduled task (each night) that removes the bytes of deleted package files and images. */
export const packageSweep = {
  name: "cleanup_packages",
  schedule: "52 2 * * *",
  run: Effect.gen(function* () {
    yield* forgetUnused
    const files = yield* packageFiles.store
    const images = yield* containerBlobs.store
    const swept = yield* sweepBlobs(
      "packages",
      Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
        const sought = names.map((blob) => ({ blob }))
        const known = [...(yield* files.findManyBy("blob", sought)), ...(yield* images.findManyBy("blob", sought))]
        return known.map(({ blob }) => blob)
      })
    )
    if (swept > 0) yield* Effect.logInfo(`removed the bytes of ${swept} deleted package files`)
  })
} satisfies Task<unknown>
