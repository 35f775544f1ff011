import { createTable, layerOwned, layerTransaction } from "@slipway/sql"
import { register, sampleKinds, samples } from "@slipway/testkit"
import { Layer } from "effect"
import { emptiedStores } from "./support/emptied.ts"
import { onEachEngine } from "./support/engines.ts"

const layerEmptied = emptiedStores(Layer.merge(layerOwned(sampleKinds), layerTransaction))
const byReference = [...sampleKinds]

onEachEngine(
  (engine) => register("owned kinds", layerEmptied(engine), [samples]),
  [{ name: "0001_samples", up: byReference.flatMap(createTable) }]
)
