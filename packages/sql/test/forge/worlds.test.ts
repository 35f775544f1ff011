import { migrations } from "@slipway/sql/forge"
import { randomWorlds, worlds } from "@slipway/testkit/forge"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

/** Many small worlds find more errors than one large world. Each runs a few checks and lists for one user. */
const small = { size: "small", questions: 4, listing: 1 } as const

onOneEngine((engine) => {
  worlds("stores", layerEmptied(engine), shippedScenarios)
  randomWorlds("stores", layerEmptied(engine), { runs: runs(200), seed, ...small })
}, migrations)
