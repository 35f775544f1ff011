import { layer } from "@slipway/memory/forge"
import { worlds } from "@slipway/testkit/forge"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"

worlds("memory", layer, shippedScenarios)
