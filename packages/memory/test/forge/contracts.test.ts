import { layer } from "@slipway/memory/forge"
import { Contracts } from "@slipway/testkit/forge"

Contracts.contracts("memory", layer)
