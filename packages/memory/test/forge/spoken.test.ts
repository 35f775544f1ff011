import { layer } from "@slipway/memory/forge"
import { spokenRuns, spokenWorlds } from "@slipway/testkit/forge"

spokenWorlds("memory", layer, spokenRuns(process.env.SLIPWAY_TEST_RUNS))
