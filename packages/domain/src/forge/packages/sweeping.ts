import { Effect } from "effect"
import { sweepBlobs } from "../blobs/sweepBlobs.ts"
import type { Task } from "../tasks/Task.ts"
import { packageFiles } from "./Package.ts"

/** Removes the bytes of files of packages that are gone, each night. */
export const packageSweep = {
  name: "cleanup_packages",
  schedule: "52 2 * * *",
  run: Effect.gen(function* () {
    const store = yield* packageFiles.store
    const swept = yield* sweepBlobs("packages", (names) =>
      Effect.map(
        store.findManyBy(
          "blob",
          names.map((blob) => ({ blob }))
        ),
        (files) => files.map(({ blob }) => blob)
      )
    )
    if (swept > 0) yield* Effect.logInfo(`the bytes of ${swept} files of packages that are gone were removed`)
  })
} satisfies Task<unknown>
