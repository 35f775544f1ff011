import { layer } from "@slipway/memory/forge"
import { describeCommentWorlds } from "@slipway/testkit/forge"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"

describeCommentWorlds("memory", layer, { runs: runs(2), seed })
