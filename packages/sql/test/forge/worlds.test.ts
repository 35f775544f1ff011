import { migrations } from "@slipway/sql/forge"
import { randomWorlds, worlds } from "@slipway/testkit/forge"
import { isThorough, runs, seed } from "../../../../scripts/vitest/runs.ts"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

/** Of many worlds a database is asked less each: the first questions of all. */
const few = { questions: 12, listing: 2 }

onOneEngine((engine) => {
  worlds("stores", layerEmptied(engine), shippedScenarios)
  randomWorlds("stores", layerEmptied(engine), { runs: runs(2), seed, ...(isThorough ? few : {}) })
}, migrations)
