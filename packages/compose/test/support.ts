import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { ComposeWorld, type RepositoryFiles } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"

/** Writes files into a new directory, which is removed with the scope. */
export const directoryOf = (files: RepositoryFiles) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(join(tmpdir(), "slipway-compose-test-"))
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), text)
      }
      return directory
    }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )

/** The world of the contract: files on disk, which the installed program reads. */
export const world = Layer.succeed(ComposeWorld, { directory: directoryOf, says: () => Effect.void })
