import { migrations } from "@slipway/sql/deploy"
import { partOf } from "@slipway/testkit"
import { allCases, Contracts, cases } from "@slipway/testkit/deploy"
import { isThorough } from "../../../../scripts/vitest/runs.ts"
import { isEmbeddedWhole, onEachEngine, onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => {
  const isWhole = isEmbeddedWhole || engine.name !== "embedded PostgreSQL"
  const contracts = isWhole ? Contracts.contracts : Contracts.firstContracts
  contracts("contracts", layerEmptied(engine))
}, migrations)

// Bad input is rejected before the store. The other cases run completely in memory; a regular run covers half of them here.
const reaching = isThorough
  ? allCases
  : allCases.flatMap((each) => (each.port === "Applications: bad input" ? [] : [partOf(each, 2)]))
onOneEngine((engine) => cases("cases", layerEmptied(engine), reaching), migrations)
