import { proxyContract } from "@slipway/testkit/deploy"
import { caddyWorld } from "./support/world.ts"

proxyContract("caddy", caddyWorld())
