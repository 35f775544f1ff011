import { layer } from "@slipway/memory/forge"
import { spokenWorlds } from "@slipway/testkit/forge"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"

spokenWorlds("memory", layer, { runs: runs(2), seed })
