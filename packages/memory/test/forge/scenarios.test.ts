import { layer } from "@slipway/memory/forge"
import { Scenarios } from "@slipway/testkit/forge"

Scenarios.scenarios("memory", layer)
