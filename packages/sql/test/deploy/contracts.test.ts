import { migrations } from "@slipway/sql/deploy"
import { allCases, Contracts, cases } from "@slipway/testkit/deploy"
import { isThorough } from "../../../../scripts/vitest/runs.ts"
import { isEmbeddedWhole, onEachEngine, onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => {
  const isWhole = isEmbeddedWhole || engine.name !== "embedded PostgreSQL"
  const contracts = isWhole ? Contracts.contracts : Contracts.firstContracts
  contracts("contracts", layerEmptied(engine))
}, migrations)

// Bad input is refused before a store is asked.
const reaching = allCases.filter(({ port }) => isThorough || port !== "Applications: bad input")
onOneEngine((engine) => cases("cases", layerEmptied(engine), reaching), migrations)
