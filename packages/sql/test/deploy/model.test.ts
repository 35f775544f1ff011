import { layer } from "@slipway/memory/deploy"
import { migrations } from "@slipway/sql/deploy"
import { model } from "@slipway/testkit/deploy"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onOneEngine((engine) => model("memory against SQL", layer, layerEmptied(engine), { runs: runs(40), seed }), migrations)
