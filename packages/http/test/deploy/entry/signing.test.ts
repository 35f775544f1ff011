import { expect } from "@effect/vitest"
import {
  ForgeAppStore,
  type ForgeAppUuid,
  PrivateKeyStore,
  type PrivateKeyUuid
} from "@slipway/domain/deploy/infrastructure"
import { HostSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { newKey } from "../support/harness.ts"

const refused = (host: string) => ({
  message: "Validation failed.",
  errors: { api_url: [`The private key only signs for ${host}; store it again for another host.`] }
})

for (const store of storeNames) {
  withApi(store)(`the key of an app over ${store} (invariant I19)`, (it) => {
    // Prevents: a caller registers an app with another user's key and its own host, and replays the signatures at the
    // real host.
    it.effect("signs requests only for the first host with which it was used", () =>
      Effect.gen(function* () {
        const { ask } = (yield* Api).service
        const key: string = (yield* ask(201, "POST", "/security/keys", { private_key: newKey() })).uuid
        const app = {
          name: "first",
          html_url: "https://github.com",
          api_url: "https://api.github.com",
          app_id: 1,
          installation_id: 2,
          client_id: "x",
          client_secret: "y",
          private_key_uuid: key
        }
        const { uuid } = yield* ask(201, "POST", "/forge-apps", app)
        const expected = refused("https://api.github.com")
        for (const api_url of ["https://evil.example", "http://api.github.com", "https://api.github.com:8443"]) {
          expect(yield* ask(400, "POST", "/forge-apps", { ...app, api_url })).toEqual(expected)
          expect(yield* ask(400, "PATCH", `/forge-apps/${uuid}`, { api_url })).toEqual(expected)
          expect(yield* ask(400, "PATCH", `/github-apps/${uuid}`, { api_url })).toEqual(expected)
        }
        expect(yield* ask(400, "POST", "/github-apps", { ...app, api_url: "https://evil.example" })).toEqual(expected)
        expect((yield* ask(200, "GET", `/forge-apps/${uuid}`)).api_url).toBe("https://api.github.com")
        yield* ask(200, "PATCH", `/forge-apps/${uuid}`, { api_url: "https://API.github.com:443/v3" })
        // The binding stays when the app is deleted, and when the private half is replaced.
        yield* ask(200, "PATCH", `/security/keys/${key}`, { private_key: newKey() })
        yield* ask(200, "DELETE", `/forge-apps/${uuid}`)
        expect(yield* ask(400, "POST", "/forge-apps", { ...app, api_url: "https://evil.example" })).toEqual(expected)
        yield* ask(201, "POST", "/forge-apps", app)
      })
    )

    it.effect("must be replaced when the app moves to another host", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const key = yield* ask(201, "POST", "/security/keys", { private_key: newKey() })
        const moved = { api_url: "https://git.example/api/v3", html_url: "https://git.example" }
        const { uuid } = yield* ask(201, "POST", "/forge-apps", {
          name: "moves",
          html_url: "https://forge.example",
          app_id: 1,
          installation_id: 2,
          client_id: "x",
          client_secret: "y",
          private_key_uuid: world.key
        })
        expect(yield* ask(400, "PATCH", `/forge-apps/${uuid}`, moved)).toEqual(refused("https://forge.example"))
        yield* ask(200, "PATCH", `/forge-apps/${uuid}`, { ...moved, private_key_uuid: key.uuid })
        expect(yield* ask(400, "PATCH", `/forge-apps/${uuid}`, { private_key_uuid: "x".repeat(24) })).toMatchObject({
          errors: { private_key_uuid: ["There is no such private key."] }
        })
      })
    )

    it.effect("is never used for another host, even if the app's row changed in the store", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, within } = service
        yield* within(Effect.flatMap(HostSimulation, ({ has }) => has(8, [])))
        const path = `/github-apps/${world.forgeApp}/repositories`
        expect(yield* ask(200, "GET", path)).toEqual({ repositories: [] })
        const app = yield* within(Effect.flatMap(ForgeAppStore, (apps) => apps.find(world.forgeApp as ForgeAppUuid)))
        if (app === undefined) throw new Error("the app is gone")
        yield* within(
          Effect.flatMap(ForgeAppStore, (apps) =>
            Effect.orDie(apps.replace({ ...app, apiUrl: "https://evil.example" }))
          )
        )
        expect(yield* ask(502, "GET", path)).toEqual({
          message: "The private key signs for a host other than that of the `api_url`."
        })
        yield* within(Effect.flatMap(ForgeAppStore, (apps) => Effect.orDie(apps.replace(app))))
        const key = yield* within(Effect.flatMap(PrivateKeyStore, (keys) => keys.find(world.key as PrivateKeyUuid)))
        expect(key?.signsFor).toBe("https://forge.example/api/v1")
      })
    )
  })
}
