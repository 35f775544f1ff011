import { layer } from "@slipway/memory/deploy"
import { cases } from "@slipway/testkit/deploy"

cases("memory", layer)
