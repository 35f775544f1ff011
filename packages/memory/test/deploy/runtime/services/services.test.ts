import { assert, describe, it } from "@effect/vitest"
import { ServiceClones, ServiceParts, Services, Status, Storages, Variables } from "@slipway/deploy/apps"
import { authorizeNamed } from "@slipway/deploy/entry"
import { DeletionStore, DeploymentStore, type Service, ServiceStore, VariableStore } from "@slipway/domain/deploy/apps"
import { type Action, system, systemCaller } from "@slipway/domain/deploy/entry"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import {
  type ComposeFile,
  linesOf,
  pass,
  passUntilEnded,
  place,
  server,
  shown,
  startKeeping,
  startWorker,
  visit,
  world
} from "../support/support.ts"

const textOf = (services: ComposeFile) =>
  JSON.stringify({ services, networks: { default: {} }, volumes: { data: {}, more: {} } })

const db = {
  image: "postgres:17",
  environment: { POSTGRES_PASSWORD: "$SERVICE_PASSWORD_DB" },
  volumes: [{ type: "volume", source: "data", target: "/data" }]
}
const web = { image: "web", depends_on: { db: { condition: "service_started" } } }

const publish = Effect.gen(function* () {
  const simulation = yield* EngineSimulation
  yield* simulation.publish("web", { ports: [3000] })
  yield* simulation.publish("postgres:17")
  return simulation
})

/** Creates a service with a domain of its part `web`. */
const create = Effect.fnUntraced(function* (services: ComposeFile, text = textOf(services)) {
  const { placement } = yield* place()
  return yield* Services.create(
    system("service.create"),
    {
      name: "shop",
      description: "",
      dockerComposeRaw: text,
      urls: [{ name: "web", url: "http://a1.example" }],
      connectsToNetwork: false
    },
    placement
  )
})

/** Authorizes an action on the current row of a service, and returns the proof. */
const on = <A extends Action>(
  { uuid }: Pick<Service, "uuid">,
  action: A,
  named: Readonly<Record<string, string>> = {}
) => authorizeNamed(systemCaller, action, { uuid, ...named })

const deployed = Effect.fnUntraced(function* (service: Service) {
  const deployment = yield* Services.start(yield* on(service, "service.deploy"))
  yield* passUntilEnded(deployment, 30)
  return yield* shown(deployment)
})

const running = Effect.gen(function* () {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  return containers.flatMap(({ owner, state }) => (state === "running" ? [owner.service] : [])).toSorted()
})

const tested = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.scoped(test).pipe(Effect.provide(world))

describe("a service", () => {
  it.effect("runs the containers of its compose text, serves its domain and reports each container", () =>
    tested(
      Effect.gen(function* () {
        yield* publish
        yield* startWorker()
        const service = yield* create({ db, web })
        assert.deepStrictEqual(
          service.parts.map(({ name, type }) => [name, type]),
          [
            ["db", "database"],
            ["web", "application"]
          ]
        )
        const deployment = yield* deployed(service)
        assert.deepStrictEqual([deployment.status, deployment.reason], ["finished", null])
        assert.strictEqual(deployment.applicationName, "shop")
        assert.deepStrictEqual(yield* running, ["db", "web"])
        assert.strictEqual(yield* visit(), deployment.uuid)
        const status = yield* Status.read(yield* on(service, "service.read"))
        assert.deepStrictEqual(
          [status.state, status.reason, status.containers.map(({ owner, state }) => [owner.service, state])],
          [
            "running",
            null,
            [
              ["db", "running"],
              ["web", "running"]
            ]
          ]
        )
      })
    )
  )

  it.effect("gets a secret for each variable that the text names, and keeps it when the text changes", () =>
    tested(
      Effect.gen(function* () {
        yield* publish
        const service = yield* create({ db, web })
        const variables = yield* Variables.list(yield* on(service, "service.read"))
        assert.deepStrictEqual(
          variables.map(({ key }) => key),
          ["SERVICE_PASSWORD_DB"]
        )
        const text = textOf({
          db,
          web: { ...web, environment: { URL: "$SERVICE_URL_WEB", KEY: "$SERVICE_HEX_32_KEY" } }
        })
        yield* Services.update(yield* on(service, "service.update"), { dockerComposeRaw: text })
        const proof = yield* on(service, "service.secrets")
        const after = yield* (yield* VariableStore).ofApplication(proof.resource.application.uuid)
        const values = yield* Variables.values(proof, after)
        const valueOf = (key: string) => values.get(after.find((each) => each.key === key)?.uuid ?? assert.fail(key))
        assert.match(valueOf("SERVICE_PASSWORD_DB") ?? "", /^[A-Za-z0-9]{32}$/)
        assert.match(valueOf("SERVICE_HEX_32_KEY") ?? "", /^[0-9a-f]{64}$/)
        assert.strictEqual(valueOf("SERVICE_URL_WEB"), "http://a1.example")
        assert.strictEqual(after[0]?.value, variables[0]?.value)
      })
    )
  )

  it.effect("is degraded when a container exits, unless that part is excluded from its status", () =>
    tested(
      Effect.gen(function* () {
        const simulation = yield* publish
        yield* startWorker()
        const service = yield* create({ db, web })
        const deployment = yield* deployed(service)
        const name = `${service.uuid}-${deployment.uuid}-db`
        yield* simulation.crash(server, deployment.applicationUuid, name, 3)
        const degraded = yield* Status.read(yield* on(service, "service.read"))
        assert.deepStrictEqual([degraded.state, degraded.reason], ["degraded", `${name} exited with 3`])
        const [part] = service.parts
        assert.isDefined(part)
        const named = { database_uuid: part.uuid }
        yield* ServiceParts.update(
          yield* on(service, "service.part.update", named),
          { isExcludedFromStatus: true },
          false
        )
        assert.strictEqual((yield* Status.read(yield* on(service, "service.read"))).state, "running")
      })
    )
  )

  it.effect("runs without a stopped part until that part starts, and stops with its last part", () =>
    tested(
      Effect.gen(function* () {
        yield* publish
        yield* startWorker()
        const service = yield* create({ db, web: { image: "web" } })
        yield* deployed(service)
        const [database, application] = service.parts
        assert.isDefined(database)
        assert.isDefined(application)
        const ofDatabase = { database_uuid: database.uuid }
        const ofApplication = { app_uuid: application.uuid }
        const stopDatabase = yield* ServiceParts.stop(yield* on(service, "service.part.deploy", ofDatabase))
        yield* passUntilEnded(stopDatabase, 30)
        assert.deepStrictEqual(yield* running, ["web"])
        assert.strictEqual(yield* visit(), stopDatabase.uuid)
        const startDatabase = yield* ServiceParts.start(yield* on(service, "service.part.deploy", ofDatabase), false)
        yield* passUntilEnded(startDatabase, 30)
        assert.deepStrictEqual(yield* running, ["db", "web"])
        for (const named of [ofDatabase, ofApplication]) {
          yield* passUntilEnded(yield* ServiceParts.stop(yield* on(service, "service.part.deploy", named)), 30)
        }
        assert.deepStrictEqual(yield* running, [])
        assert.strictEqual((yield* deployed(service)).status, "finished")
        assert.deepStrictEqual(yield* running, ["db", "web"])
      })
    )
  )

  it.effect("runs the image of a part's settings, with its storages", () =>
    tested(
      Effect.gen(function* () {
        const simulation = yield* publish
        yield* simulation.publish("postgres:18")
        yield* startWorker()
        const service = yield* create({ db, web })
        const named = { database_uuid: service.parts[0]?.uuid ?? assert.fail() }
        yield* ServiceParts.update(yield* on(service, "service.part.update", named), { image: "postgres:18" }, false)
        const input = { name: "more", mountPath: "/more", hostPath: null, service: "db" }
        yield* Storages.create(yield* on(service, "service.update"), input)
        const deployment = yield* deployed(service)
        assert.strictEqual(deployment.reason, null)
        assert.include(yield* linesOf(deployment), `started ${service.uuid}-${deployment.uuid}-db`)
        const { containers, images } = yield* simulation.inventory(server)
        const found = containers.find(({ owner }) => owner.service === "db") ?? assert.fail()
        assert.deepStrictEqual(
          found.spec.options.mounts.map(({ source, target }) => [source, target]),
          [
            [{ _tag: "Volume", name: `${service.uuid}_data` }, "/data"],
            [{ _tag: "Volume", name: `${service.uuid}_more` }, "/more"]
          ]
        )
        assert.isTrue(images.find(({ id }) => id === found.image)?.tags.includes("postgres:18"))
      })
    )
  )

  it.effect("leaves nothing on its server after its deletion", () =>
    tested(
      Effect.gen(function* () {
        const simulation = yield* publish
        yield* startWorker()
        const service = yield* create({ db, web })
        yield* deployed(service)
        const all = {
          deleteConfigurations: true,
          deleteVolumes: true,
          dockerCleanup: true,
          deleteConnectedNetworks: true
        }
        const { uuid } = yield* Services.remove(yield* on(service, "service.delete"), all)
        yield* pass(20)
        const deletion = yield* (yield* DeletionStore).find(uuid)
        assert.deepStrictEqual([deletion?.status, deletion?.left], ["finished", []])
        const { containers, networks, volumes } = yield* simulation.inventory(server)
        assert.deepStrictEqual(
          [containers, volumes, networks.filter(({ application }) => application !== null)],
          [[], [], []]
        )
        assert.isUndefined(yield* (yield* ServiceStore).find(service.uuid))
        assert.strictEqual(yield* visit(), 404)
      })
    )
  )

  it.effect("keeps its volumes when its deletion asks for that", () =>
    tested(
      Effect.gen(function* () {
        const simulation = yield* publish
        yield* startWorker()
        const service = yield* create({ db, web })
        yield* deployed(service)
        const flags = {
          deleteConfigurations: true,
          deleteVolumes: false,
          dockerCleanup: true,
          deleteConnectedNetworks: true
        }
        yield* Services.remove(yield* on(service, "service.delete"), flags)
        yield* pass(20)
        const { volumes } = yield* simulation.inventory(server)
        assert.deepStrictEqual(
          volumes.map(({ name }) => name),
          [`${service.uuid}_data`]
        )
      })
    )
  )

  it.effect("is cloned with its variables and without its domains", () =>
    tested(
      Effect.gen(function* () {
        yield* publish
        yield* startWorker()
        const service = yield* create({ db, web })
        const proof = yield* on(service, "service.update")
        yield* Variables.create(proof, { key: "COLOUR", value: Redacted.make("red") })
        const { destinationUuid } = service.placement
        const clone = yield* ServiceClones.clone(yield* on(service, "service.clone"), { destinationUuid })
        assert.deepStrictEqual([clone.urls, clone.parts.map(({ name }) => name)], [[], ["db", "web"]])
        const variables = yield* Variables.list(yield* on(clone, "service.read"))
        assert.deepStrictEqual(variables.map(({ key }) => key).toSorted(), ["COLOUR", "SERVICE_PASSWORD_DB"])
        assert.strictEqual((yield* deployed(clone)).status, "finished")
      })
    )
  )

  for (const [what, services, reason] of [
    [
      "a privileged container",
      { web: { image: "web", privileged: true } },
      "services.web.privileged: Gives the container access to the server, which this instance does not allow."
    ],
    [
      "a path of the server",
      { web: { image: "web", volumes: [{ type: "bind", source: "/etc", target: "/etc" }] } },
      "services.web.volumes.0: Mounts the server's path `/etc` in the service web, which this instance does not allow."
    ],
    [
      "a file next to the text",
      { web: { image: "web", volumes: [{ type: "bind", source: "/text/site", target: "/site", read_only: true }] } },
      "services.web.volumes.0: A compose text has no files: use a named volume, or a config with `content`."
    ],
    ["an unknown field", { web: { image: "web", unheard: 1 } }, "services.web.unheard: This field is not supported."]
  ] as const) {
    it.effect(`does not run a compose text with ${what}`, () =>
      tested(
        Effect.gen(function* () {
          yield* publish
          yield* startWorker()
          const deployment = yield* deployed(yield* create(services))
          assert.deepStrictEqual([deployment.status, deployment.reason], ["failed", reason])
          assert.deepStrictEqual(yield* running, [])
        })
      )
    )
  }

  it.effect("starts its containers again after its server restarted", () =>
    tested(
      Effect.gen(function* () {
        const simulation = yield* publish
        yield* startWorker()
        const service = yield* create({ db, web })
        const deployment = yield* deployed(service)
        for (const part of ["db", "web"]) {
          const name = `${service.uuid}-${deployment.uuid}-${part}`
          yield* simulation.crash(server, deployment.applicationUuid, name, 137)
        }
        assert.deepStrictEqual(yield* running, [])
        yield* startKeeping()
        yield* pass(10)
        assert.deepStrictEqual(yield* running, ["db", "web"])
        assert.strictEqual(yield* visit(), deployment.uuid)
        assert.strictEqual((yield* (yield* DeploymentStore).list({ limit: 9 })).length, 1)
      })
    )
  )
})
