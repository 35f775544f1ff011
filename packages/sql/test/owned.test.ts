import { createTable, layerOwned, layerTransaction } from "@slipway/sql"
import { register, sampleKinds, samples } from "@slipway/testkit"
import { Layer } from "effect"
import { emptyStores } from "./support/emptyStores.ts"
import { onEachEngine } from "./support/engines.ts"

const layerEmptied = emptyStores(Layer.merge(layerOwned(sampleKinds), layerTransaction))
const byReference = [...sampleKinds]

onEachEngine(
  (engine) => register("owned kinds", layerEmptied(engine), [samples]),
  [{ name: "0001_samples", up: byReference.flatMap(createTable) }]
)
