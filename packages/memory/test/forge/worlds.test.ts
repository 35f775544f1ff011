import { layer } from "@slipway/memory/forge"
import { worlds } from "@slipway/testkit/forge"

worlds("memory", layer)
