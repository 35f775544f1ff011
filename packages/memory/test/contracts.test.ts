import { layer } from "@slipway/memory/deploy"
import { Contracts } from "@slipway/testkit/deploy"

Contracts.contracts("memory", layer)
