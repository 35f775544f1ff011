import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeWorld } from "../support/world.ts"

const compose = (image: string) => `services:\n  caddy:\n    image: ${image}\n`

for (const store of storeNames) {
  withApi(store)(`the configuration of a proxy over ${store}`, (it) => {
    it.effect("is a compose file with the image of its container, as text or as base64", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { key } = yield* makeWorld(service)
        const remote = { name: "remote", ip: "10.3.3.3", private_key_uuid: key }
        const { uuid } = yield* service.ask(201, "POST", "/servers", remote)
        const path = `/servers/${uuid}/proxy`
        const usual = {
          proxy_type: "caddy",
          configuration: null,
          status: null,
          redirect_enabled: false,
          redirect_url: null,
          generate_exact_labels: false
        }
        expect(yield* service.ask(200, "GET", path)).toEqual(usual)
        const text = compose("registry.example/caddy:2.10")
        for (const configuration of [text, btoa(text)]) {
          expect(yield* service.ask(200, "PUT", `${path}/configuration`, { configuration })).toEqual({
            ...usual,
            message: "Proxy configuration saved.",
            configuration: text
          })
        }
        expect(yield* service.ask(200, "GET", path)).toEqual({ ...usual, configuration: text })
        for (const configuration of [
          "services: {}",
          compose("UPPER"),
          `${compose("caddy:2")}    privileged: true\n`,
          compose("caddy:2").replace("caddy:", "traefik:")
        ]) {
          const refused = yield* service.ask(400, "PUT", `${path}/configuration`, { configuration })
          expect(Object.keys(refused.errors)).toEqual(["configuration"])
        }
        expect(yield* service.ask(200, "GET", path)).toEqual({ ...usual, configuration: text })
      })
    )

    it.effect("is refused for a proxy that is not a container of the platform", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const path = `/servers/${service.server}/proxy/configuration`
        expect(yield* service.ask(409, "PUT", path, { configuration: compose("caddy:2") })).toEqual({
          message: "The proxy of this server is not a container of the platform."
        })
      })
    )
  })
}
