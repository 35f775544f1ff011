import { layerStores, migrations } from "@slipway/sql/forge"
import { layerTestServer, postgresMissing } from "@slipway/sql/testing"
import { Layer } from "effect"
import type { Chosen } from "./harness.ts"

/** The stores that a site is tested on, by name: memory, and PostgreSQL if a server is configured. */
export const stores: ReadonlyArray<readonly [string, Chosen["store"]]> = [
  ["memory", undefined],
  ...(postgresMissing() === undefined
    ? [["PostgreSQL", Layer.provide(layerStores, Layer.orDie(layerTestServer({ migrations })))] as const]
    : [])
]
