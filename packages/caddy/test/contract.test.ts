import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/deploy"
import { caddyWorld } from "./support/world.ts"

register("caddy", caddyWorld(), [Contracts.proxy])
