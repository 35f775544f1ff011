import { migrations } from "@slipway/sql/forge"
import { worlds } from "@slipway/testkit/forge"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onOneEngine((engine) => worlds("stores", layerEmptied(engine), shippedScenarios), migrations)
