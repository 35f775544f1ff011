import { layerStores } from "@slipway/sql/forge"
import { emptyStores } from "../support/emptyStores.ts"

/** Provides the stores on one database for all tests of a file; every build of the layer starts with empty tables. */
export const layerEmptied = emptyStores(layerStores)
