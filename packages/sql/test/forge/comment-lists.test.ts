import { migrations } from "@slipway/sql/forge"
import { describeCommentWorlds } from "@slipway/testkit/forge"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onOneEngine((engine) => describeCommentWorlds("stores", layerEmptied(engine), { runs: runs(1), seed }), migrations)
