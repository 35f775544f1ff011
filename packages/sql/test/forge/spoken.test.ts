import { migrations } from "@slipway/sql/forge"
import { spokenRuns, spokenWorlds } from "@slipway/testkit/forge"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

const runs = spokenRuns(process.env.SLIPWAY_TEST_RUNS)

onEachEngine((engine) => spokenWorlds("stores", layerEmptied(engine), runs), migrations)
