import { migrations } from "@slipway/sql/forge"
import { randomWorlds, worlds } from "@slipway/testkit/forge"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onOneEngine((engine) => {
  worlds("stores", layerEmptied(engine), shippedScenarios)
  randomWorlds("stores", layerEmptied(engine), { runs: runs(2), seed })
}, migrations)
