import { layer } from "@slipway/memory/forge"
import { randomWorlds, worlds } from "@slipway/testkit/forge"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"

worlds("memory", layer, shippedScenarios)
randomWorlds("memory", layer, { runs: runs(3), seed })
