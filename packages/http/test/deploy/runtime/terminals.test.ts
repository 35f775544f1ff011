import { expect, layer } from "@effect/vitest"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, containerName, containerSpec } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Context, Effect, Layer, Stream } from "effect"
import { type Service, start } from "../support/harness.ts"
import { makeMember } from "../support/members.ts"
import { makeWorld } from "../support/world.ts"

class Api extends Context.Service<Api, Service>()("test/terminals/Api") {
  static readonly layer = Layer.effect(Api, start())
}

layer(Api.layer, { excludeTestServices: true })("GET /applications/{uuid}/terminal", (it) => {
  it.effect("lists the running containers if terminals are enabled on the server", () =>
    Effect.gen(function* () {
      const service = yield* Api
      const world = yield* makeWorld(service)
      const application = (yield* world.create("dockerimage")) as ApplicationUuid
      const owner = { application, deployment: uuidOf<never>("deployment", 1), service: "web" }
      const name = containerName(owner)
      yield* service.within(
        Effect.gen(function* () {
          yield* (yield* EngineSimulation).publish("image")
          const access = {
            _tag: "Local",
            server: service.server as ServerUuid,
            connectionTimeout: 5,
            socket: null
          } as const
          const engine = yield* (yield* ContainerEngine).open(access)
          yield* Stream.runDrain(engine.pull("image"))
          yield* engine.create(containerSpec({ owner, name, image: "image" }))
          yield* engine.start({ application, name })
        }).pipe(Effect.scoped, Effect.orDie)
      )
      const path = `/applications/${application}/terminal`
      expect(yield* service.ask(200, "GET", path)).toEqual({ is_enabled: false, containers: [] })
      yield* service.ask(201, "PATCH", `/servers/${service.server}`, { is_terminal_enabled: true })
      expect(yield* service.ask(200, "GET", path)).toEqual({ is_enabled: true, containers: [{ name, service: "web" }] })
      const records = yield* service.ask(200, "GET", "/audit?limit=1")
      expect(records).toMatchObject([{ action: "server.update", object: service.server, detail: "enabled terminals" }])
    })
  )

  it.effect("needs the capability `terminal`, and `protection` in a protected environment", () =>
    Effect.gen(function* () {
      const service = yield* Api
      const world = yield* makeWorld(service)
      const path = `/applications/${yield* world.create("dockerimage")}/terminal`
      yield* service.ask(201, "POST", "/roles", { name: "shells", capabilities: ["view", "terminal"] })
      const developer = yield* makeMember(service, "dev", [{ role: "developer" }])
      const shells = yield* makeMember(service, "shells", [{ role: "shells" }])
      const admin = yield* makeMember(service, "admin", [{ role: "admin" }])
      const status = ({ token }: { readonly token: string }) =>
        Effect.map(service.send("GET", `/api/v1${path}`, { token }), (answer) => answer.status)
      expect([yield* status(developer), yield* status(shells), yield* status(admin)]).toEqual([403, 200, 200])
      yield* service.ask(200, "PATCH", `/projects/${world.project}/environments/production`, { is_protected: true })
      expect([yield* status(developer), yield* status(shells), yield* status(admin)]).toEqual([403, 403, 200])
      const refused = yield* service.ask(403, "GET", path, undefined, { token: shells.token })
      expect(refused.message).toContain("a protected environment needs the capability `protection` as well")
      const { text: reader } = yield* service.mint("read", "write", "deploy")
      yield* service.ask(403, "GET", path, undefined, { token: reader })
    })
  )
})
