import { layer } from "@slipway/memory/deploy"
import { contracts } from "@slipway/testkit/deploy"

contracts("memory", layer)
