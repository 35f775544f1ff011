import { layerStores } from "@slipway/sql/forge"
import { emptiedStores } from "../support/emptied.ts"

/** Provides the stores on one database for all tests of a file; every build of the layer starts with empty tables. */
export const layerEmptied = emptiedStores(layerStores)
