import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ForgeOptions } from "@slipway/embed"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { countReads, type ReadCounter } from "@slipway/testkit/forge"
import { Layer } from "effect"

/** A forge on embedded PostgreSQL that counts the statements and git reads of requests. */
export interface CountedForge extends Pick<ReadCounter, "during"> {
  readonly options: Pick<ForgeOptions, "git" | "store">
  readonly remove: () => void
}

/** Creates the options of a forge that counts. */
export const countedForge = (): CountedForge => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-counted-"))
  const { during, layer } = countReads()
  const database = Layer.merge(Database.layerInMemory({ schema: "forge", migrations }), layer)
  return {
    options: {
      git: { directory },
      store: Layer.provideMerge(layerStores, database)
    },
    during,
    remove: () => rmSync(directory, { recursive: true, force: true })
  }
}
