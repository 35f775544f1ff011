import { expect, layer } from "@effect/vitest"
import { InstancePolicy } from "@slipway/domain/deploy/containers"
import { HostKeyStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation, layer as memory, ProxySimulation } from "@slipway/memory/deploy"
import { Context, Effect, Layer } from "effect"
import { newKey, type Service, start } from "../support/harness.ts"

class Api extends Context.Service<Api, Service>()("test/engines/Api") {
  static readonly layer = Layer.effect(Api, start())
}

const uuidOf = (text: string) => text as ServerUuid

layer(Api.layer, { excludeTestServices: true })("GET /servers/{uuid}/validate", (it) => {
  it.effect("returns the version of the engine", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* Api
      expect(yield* ask(200, "GET", `/servers/${server}/validate`)).toEqual({
        message: "Docker 0.0.0-simulated answers (API 1.41, simulation, none).",
        is_reachable: true,
        is_usable: true,
        engine: {
          product: "docker",
          version: "0.0.0-simulated",
          api_version: "1.41",
          operating_system: "simulation",
          architecture: "none",
          cpus: 1,
          memory: 1_073_741_824
        },
        host_keys: []
      })
      expect(yield* ask(201, "POST", `/servers/${server}/validate`)).toEqual({
        message: "Docker 0.0.0-simulated answers (API 1.41, simulation, none)."
      })
    })
  )

  it.effect("reports why no engine answers, and that a retry is possible", () =>
    Effect.gen(function* () {
      const { ask, server, within } = yield* Api
      const simulation = yield* within(EngineSimulation)
      yield* simulation.cutOff(uuidOf(server), "connect ECONNREFUSED /var/run/docker.sock")
      expect(yield* ask(200, "GET", `/servers/${server}/validate`)).toEqual({
        message: "The engine cannot be reached: connect ECONNREFUSED /var/run/docker.sock.",
        is_reachable: false,
        is_usable: false,
        engine: null,
        host_keys: []
      })
      yield* simulation.cutOff(uuidOf(server), null)
      expect((yield* ask(200, "GET", `/servers/${server}/validate`)).is_usable).toBe(true)
    })
  )

  it.effect("returns the SSH host keys that the service saw on connect, until these keys are deleted", () =>
    Effect.gen(function* () {
      const { ask, within } = yield* Api
      const { uuid: key } = yield* ask(201, "POST", "/security/keys", { private_key: newKey() })
      const { uuid } = yield* ask(201, "POST", "/servers", { name: "far", ip: "203.0.113.7", private_key_uuid: key })
      const hostKey = { address: "203.0.113.7:22", fingerprint: "SHA256:abc" }
      yield* within(Effect.flatMap(HostKeyStore, (store) => store.admit(uuidOf(uuid), hostKey)))
      expect((yield* ask(200, "GET", `/servers/${uuid}/validate`)).host_keys).toEqual([hostKey])
      yield* ask(200, "DELETE", `/servers/${uuid}/host-keys`)
      expect((yield* ask(200, "GET", `/servers/${uuid}/validate`)).host_keys).toEqual([])
    })
  )

  it.effect("installs an engine on a server that is reached by SSH, and stores the steps and the result", () =>
    Effect.gen(function* () {
      const { ask, server, within } = yield* Api
      const simulation = yield* within(EngineSimulation)
      const { uuid: key } = yield* ask(201, "POST", "/security/keys", { private_key: newKey() })
      const body = { ip: "203.0.113.8", private_key_uuid: key }
      const { uuid } = yield* ask(201, "POST", "/servers", { ...body, name: "bare" })
      const path = `/servers/${uuid}/validate`
      const shown = Effect.gen(function* () {
        for (let tries = 0; tries < 100; tries++) {
          const { validation_logs: text } = yield* ask(200, "GET", `/servers/${uuid}`)
          if (!text.startsWith("installing")) return text
          yield* Effect.sleep("20 millis")
        }
      })
      const started = "Installing a container engine: the validation of the server shows the steps."
      yield* simulation.cutOff(uuidOf(uuid), "no container engine listens")
      yield* simulation.failInstallations(uuidOf(uuid), "no \0space left")
      yield* simulation.pauseInstallations(uuidOf(uuid), true)
      expect(yield* ask(201, "POST", path, { install: true })).toEqual({ message: started })
      const step = "installing a container engine: found a simulation"
      for (let tries = 0; tries < 100; tries++) {
        if ((yield* ask(200, "GET", `/servers/${uuid}`)).validation_logs === step) break
        yield* Effect.sleep("20 millis")
      }
      // A second request changes nothing.
      expect(yield* ask(201, "POST", path, { install: true })).toEqual({ message: started })
      expect((yield* ask(200, "GET", `/servers/${uuid}`)).validation_logs).toBe(step)
      const [audited] = yield* ask(200, "GET", "/audit?outcome=done")
      expect(audited).toMatchObject({
        action: "server.validate",
        object: uuid,
        detail: "started to install a container engine"
      })
      yield* simulation.pauseInstallations(uuidOf(uuid), false)
      expect(yield* shown).toBe("the installation failed: no space left, after: found a simulation")
      expect((yield* ask(200, "GET", path)).is_reachable).toBe(false)
      yield* simulation.failInstallations(uuidOf(uuid), null)
      expect(yield* ask(201, "POST", path, { install: true })).toEqual({ message: started })
      const answers = "ocker 0.0.0-simulated answers (API 1.41, simulation, none)"
      expect(yield* shown).toBe(`d${answers}`)
      expect(yield* ask(201, "POST", path, { install: true })).toEqual({ message: `D${answers}.` })

      const local = yield* ask(400, "POST", `/servers/${server}/validate`, { install: true })
      expect(local.errors).toEqual({ install: ["Needs a server that the platform reaches by SSH."] })
      const { uuid: other } = yield* ask(201, "POST", "/servers", { ...body, name: "other", user: "deploy" })
      const refused = yield* ask(400, "POST", `/servers/${other}/validate`, { install: true })
      expect(refused.errors).toEqual({ install: ["Needs the SSH user `root`, who can install packages."] })
    })
  )

  it.effect("I15: never returns the key of an engine, and stores it encrypted", () =>
    Effect.gen(function* () {
      const { ask, dump, logged } = yield* Api
      const certificate = "-----BEGIN CERTIFICATE-----\nAAAA"
      const secret = "c2VjcmV0IGtleSBvZiBhbiBlbmdpbmU"
      const sent = {
        name: "tls",
        ip: "203.0.113.8",
        engine_transport: "tls",
        engine_authority: certificate,
        engine_certificate: certificate,
        engine_key: `-----BEGIN PRIVATE KEY-----\n${secret}`
      }
      const { uuid } = yield* ask(201, "POST", "/servers", sent)
      const answers = [
        yield* ask(200, "GET", `/servers/${uuid}`),
        yield* ask(200, "GET", "/servers"),
        yield* ask(201, "PATCH", `/servers/${uuid}`, { engine_key: sent.engine_key }),
        yield* ask(200, "GET", `/servers/${uuid}/validate`)
      ]
      expect(JSON.stringify([answers, yield* dump, logged])).not.toContain(secret)
    })
  )
})

const instance = (hostAccess: boolean) => Layer.merge(memory, Layer.succeed(InstancePolicy, { hostAccess }))

layer(Layer.empty, { excludeTestServices: true })("custom_docker_run_options", (it) => {
  it.effect("may grant access to the host only where the instance allows it", () =>
    Effect.gen(function* () {
      for (const hostAccess of [false, true]) {
        const { ask, project, server } = yield* start(instance(hostAccess))
        const body = {
          project_uuid: project,
          environment_name: "production",
          server_uuid: server,
          docker_registry_image_name: "nginx",
          custom_docker_run_options: "--privileged -v /srv:/srv --unknown"
        }
        const { errors } = yield* ask(400, "POST", "/applications/dockerimage", body)
        const opening = hostAccess
          ? []
          : [
              "The option --privileged gives the container access to the server, which this instance does not allow.",
              "The option -v /srv:/srv gives the container access to the server, which this instance does not allow."
            ]
        expect(errors).toEqual({
          custom_docker_run_options: [...opening, "The option --unknown is not supported."]
        })
        const plain = { ...body, custom_docker_run_options: "--init -v data:/data" }
        const { uuid } = yield* ask(201, "POST", "/applications/dockerimage", plain)
        const change = { custom_docker_run_options: "--pid=host" }
        yield* ask(hostAccess ? 200 : 400, "PATCH", `/applications/${uuid}`, change)
      }
    }).pipe(Effect.scoped)
  )
})

layer(Api.layer, { excludeTestServices: true })("GET /servers/{uuid}/proxy/status", (it) => {
  it.effect("does not start the proxy of a server without served applications", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* Api
      const path = `/servers/${server}/proxy/status`
      expect(yield* ask(200, "GET", path)).toEqual({ state: "idle", message: null, certificates: [] })
      yield* ask(404, "GET", `/servers/${"x".repeat(24)}/proxy/status`)
      yield* ask(200, "PATCH", `/servers/${server}/proxy`, { proxy_type: "none" })
      expect(yield* ask(200, "GET", path)).toEqual({ state: "none", message: null, certificates: [] })
    })
  )
})

layer(Api.layer, { excludeTestServices: true })("POST /servers/{uuid}/proxy/restart", (it) => {
  it.effect("restarts the proxy, or reports the reason of a failure", () =>
    Effect.gen(function* () {
      const { ask, mint, server, within } = yield* Api
      const path = `/servers/${server}/proxy/restart`
      expect(yield* ask(200, "POST", path)).toEqual({ message: "Proxy restarted." })
      yield* ask(403, "POST", path, undefined, { token: (yield* mint("read", "deploy")).text })
      yield* ask(200, "POST", path, undefined, { token: (yield* mint("write")).text })
      yield* ask(404, "POST", `/servers/${"x".repeat(24)}/proxy/restart`)
      const simulation = yield* within(ProxySimulation)
      yield* simulation.cutOff(uuidOf(server), "nothing listens there")
      expect(yield* ask(502, "POST", path)).toEqual({ message: "The proxy cannot be reached: nothing listens there." })
      yield* ask(200, "PATCH", `/servers/${server}/proxy`, { proxy_type: "none" })
      expect(yield* ask(409, "POST", path)).toEqual({
        message: "The server has no proxy to restart."
      })
    })
  )
})
