import { assert, describe, it } from "@effect/vitest"
import { Applications } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { type Deployment, DeploymentStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { ContainerEngine, EngineRefused, Proxy } from "@slipway/domain/deploy/containers"
import { EngineSimulation, ProxySimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { type Duration, Effect, Fiber } from "effect"
import {
  Gate,
  Health,
  pass,
  place,
  plantApplication,
  plantRepository,
  queue,
  server,
  shown,
  startKeeping,
  startWorker,
  visit,
  world
} from "../support/support.ts"

/** Delays the next change of routes, and returns a function that reports whether one came. */
const holdApply = Effect.fnUntraced(function* (time: Duration.Input) {
  let isHeld = false
  yield* (yield* Gate).guard(uuidOf("deployment", 404), ({ step }) =>
    Effect.suspend(() => {
      if (isHeld || step !== "apply") return Effect.void
      isHeld = true
      return Effect.sleep(time)
    })
  )
  return () => isHeld
})

/** An application with a serving first deployment and no running worker. */
const served = Effect.fnUntraced(function* (facts: Parameters<typeof plantApplication>[2] = {}) {
  const application = yield* plantApplication(yield* place(), 1, facts)
  const first = yield* queue(1, application)
  yield* deploying(first)
  return { application, first }
})

const deploying = Effect.fnUntraced(function* (deployment: Deployment, status = "finished", seconds = 20) {
  const worker = yield* startWorker()
  yield* pass(seconds)
  yield* Fiber.interrupt(worker)
  const { reason, status: end } = yield* shown(deployment)
  assert.strictEqual(end, status, `${reason}`)
})

const stateOf = Effect.fnUntraced(function* (deployment: Deployment, service: string | null = null) {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  return containers.find(({ owner }) => owner.deployment === deployment.uuid && owner.service === service)
})

describe("the route check", () => {
  it.effect("updates routes when containers get new addresses, also when the proxy was silent at first", () =>
    Effect.gen(function* () {
      const { first } = yield* served()
      const proxies = yield* ProxySimulation
      yield* startKeeping()
      yield* pass(25)
      yield* proxies.cutOff(server, "it starts")
      yield* (yield* EngineSimulation).startOver(server)
      yield* pass(45)
      assert.strictEqual(yield* visit(), 503)
      yield* proxies.cutOff(server, null)
      yield* pass(25)
      assert.strictEqual(yield* visit(), first.uuid)
    }).pipe(Effect.provide(world))
  )

  // Prevents: one engine that accepts connections and hangs slows the checks of all servers to one per minute.
  it.effect("checks a server at its interval while other servers are silent", () =>
    Effect.gen(function* () {
      const { first } = yield* served()
      const hanging = yield* place({}, 2)
      const application = yield* plantApplication(hanging, 2)
      yield* (yield* ReleaseStore).serve(application.uuid, {
        applicationUuid: application.uuid,
        releaseUuid: uuidOf("deployment", 404),
        deploymentUuid: uuidOf("deployment", 404),
        serverUuid: hanging.server.uuid,
        destinationUuid: hanging.destination.uuid
      })
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((of) => (of === hanging.server.uuid ? Effect.never : Effect.void))
      yield* startKeeping()
      yield* pass(25)
      yield* simulation.startOver(server)
      yield* pass(20)
      assert.strictEqual(yield* visit(), first.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("restores the routes that a proxy lost", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      const second = yield* queue(2, yield* plantApplication(application, 2))
      yield* deploying(second)
      const proxies = yield* ProxySimulation
      yield* startKeeping()
      yield* pass(45)
      yield* proxies.startOver(server)
      assert.deepStrictEqual([yield* visit(1), yield* visit(2)], [404, 404])
      yield* pass(25)
      assert.deepStrictEqual([yield* visit(1), yield* visit(2)], [first.uuid, second.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("updates the route of a new deployment that got another address immediately", () =>
    Effect.gen(function* () {
      const { application } = yield* served()
      yield* startKeeping()
      yield* pass(21)
      const second = yield* queue(2, application)
      yield* deploying(second, "finished", 12)
      yield* (yield* EngineSimulation).startOver(server)
      yield* pass(30)
      assert.strictEqual(yield* visit(), second.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "starts containers that the engine did not restart, for every restart policy, and routes visitors to them",
    () =>
      Effect.gen(function* () {
        const { first } = yield* served({ custom_docker_run_options: "--restart no" })
        yield* (yield* EngineSimulation).startOver(server)
        yield* pass(1)
        assert.strictEqual(yield* visit(), 503)
        yield* startKeeping()
        yield* pass(25)
        assert.strictEqual(yield* visit(), first.uuid)
      }).pipe(Effect.provide(world))
  )

  it.effect("does not restart a container that exited successfully", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      let runs = 0
      yield* simulation.publish("job", {
        program: () => {
          runs++
          return { exitCode: 0 }
        }
      })
      yield* simulation.publish("web", { ports: [3000] })
      const application = yield* plantRepository(yield* place(), 1, {
        web: { image: "web", depends_on: { job: { condition: "service_started" } } },
        job: { image: "job", restart: "on-failure" }
      })
      const first = yield* queue(1, application)
      yield* deploying(first)
      assert.strictEqual(runs, 1)
      yield* startKeeping()
      yield* pass(25)
      assert.deepStrictEqual([runs, yield* visit()], [1, first.uuid])
      // An operator removes stopped containers.
      const engine = yield* (yield* ContainerEngine).open({ _tag: "Local", server, socket: null, connectionTimeout: 1 })
      const name = `${application.uuid}-${first.uuid}-job`
      assert.isTrue(yield* engine.remove({ application: application.uuid, name }))
      yield* simulation.startOver(server)
      yield* pass(25)
      assert.deepStrictEqual([runs, yield* visit()], [1, first.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("leaves no route to an application that is deleted concurrently (invariant I28)", () =>
    Effect.gen(function* () {
      const { application } = yield* served()
      const wasHeld = yield* holdApply("10 seconds")
      yield* startKeeping()
      yield* pass(1)
      const flags = { deleteConfigurations: true, deleteVolumes: true, dockerCleanup: true }
      yield* Applications.remove(yield* systemOn("application.delete", { uuid: application.uuid }), {
        ...flags,
        deleteConnectedNetworks: true
      })
      yield* startWorker()
      yield* pass(30)
      assert.isTrue(wasHeld())
      assert.strictEqual(yield* visit(), 404)
      assert.deepStrictEqual((yield* (yield* EngineSimulation).inventory(server)).containers, [])
    }).pipe(Effect.provide(world))
  )

  for (const what of ["stopped", "deployed again"] as const) {
    it.effect(`keeps the new state when the application is ${what} concurrently`, () =>
      Effect.gen(function* () {
        const { application } = yield* served()
        const wasHeld = yield* holdApply("15 seconds")
        yield* startKeeping()
        yield* pass(1)
        const next = yield* queue(2, application, what === "stopped" ? { action: "stop" } : {})
        yield* deploying(next, "finished", 30)
        assert.isTrue(wasHeld())
        const isStopped = what === "stopped"
        assert.strictEqual(yield* visit(), isStopped ? 503 : next.uuid)
        const { containers } = yield* (yield* EngineSimulation).inventory(server)
        assert.deepStrictEqual(
          containers.map(({ owner, state }) => [owner.deployment, state]),
          isStopped ? [] : [[next.uuid, "running"]]
        )
      }).pipe(Effect.provide(world))
    )
  }

  // Prevents: routes read before a switch are applied after it, and lead to containers that will stop.
  it.effect("never routes visitors back to the previous release after a switch", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      let applied = 0
      yield* (yield* Gate).guard(uuidOf("deployment", 404), ({ step }) =>
        Effect.suspend(() => {
          if (step !== "apply") return Effect.void
          applied++
          // The first change comes from a check, the second from the switch. A third one is late, so that the first shows.
          return applied === 2 ? Effect.void : Effect.sleep(applied === 1 ? "15 seconds" : "5 seconds")
        })
      )
      yield* startKeeping()
      yield* pass(1)
      const next = yield* queue(2, application)
      yield* startWorker()
      const seen: Array<unknown> = []
      yield* pass(
        30,
        Effect.map(visit(), (answer) => {
          if (seen.at(-1) !== answer) seen.push(answer)
        })
      )
      assert.isAbove(applied, 1)
      assert.deepStrictEqual(seen, [first.uuid, next.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("does not start a container that a deployment stopped to take its port", () =>
    Effect.gen(function* () {
      const { application } = yield* served({ ports_mappings: "9000:3000" })
      const second = yield* queue(2, application)
      let isHeld = false
      yield* (yield* Gate).guard(second.uuid, ({ state, step }) =>
        Effect.suspend(() => {
          if (isHeld || state !== "starting" || step !== "start") return Effect.void
          isHeld = true
          return Effect.sleep("10 seconds")
        })
      )
      const worker = yield* startWorker()
      yield* pass(5)
      assert.isTrue(isHeld)
      yield* startKeeping()
      yield* pass(30)
      yield* Fiber.interrupt(worker)
      const { reason, status } = yield* shown(second)
      assert.deepStrictEqual([status, reason, yield* visit()], ["finished", null, second.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("checks a server while another one never responds (invariant I25)", () =>
    Effect.gen(function* () {
      const { first } = yield* served()
      const other = yield* place({}, 2)
      const second = yield* queue(2, yield* plantApplication(other, 2))
      yield* deploying(second)
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((uuid, operation) =>
        uuid === other.server.uuid && operation === "addresses" ? Effect.never : Effect.void
      )
      yield* startKeeping()
      yield* pass(25)
      yield* simulation.startOver(server)
      yield* pass(150)
      assert.strictEqual(yield* visit(), first.uuid)
      yield* simulation.startOver(other.server.uuid)
      yield* simulation.onCall(() => Effect.void)
      yield* pass(150)
      assert.strictEqual(yield* visit(2, 2), second.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("does not query a server without deployments", () =>
    Effect.gen(function* () {
      yield* place()
      let questions = 0
      yield* (yield* Gate).guard(uuidOf("deployment", 404), () => Effect.sync(() => void questions++))
      yield* startKeeping()
      yield* pass(60)
      assert.strictEqual(questions, 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("removes the leftovers of a first deployment that failed on an unresponsive server", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      const simulation = yield* EngineSimulation
      const first = yield* queue(1, application)
      ;(yield* Health).sick.add(first.uuid)
      const store = yield* DeploymentStore
      let isOver = false
      yield* (yield* Gate).guard(first.uuid, ({ state, step }) =>
        Effect.suspend(() => {
          if (isOver || state !== "checking" || step !== "inspect") return Effect.void
          isOver = true
          return Effect.andThen(
            simulation.cutOff(server, "the cable is cut"),
            store.requestCancel(first.uuid, first.createdAt)
          )
        })
      )
      yield* startKeeping()
      yield* deploying(first, "cancelled", 100)
      assert.strictEqual((yield* stateOf(first))?.state, "running")
      yield* simulation.cutOff(server, null)
      yield* pass(45)
      assert.isUndefined(yield* stateOf(first))
    }).pipe(Effect.provide(world))
  )
})

describe("a broken update", () => {
  it.effect("restarts the old container, which it stopped to take its port, for every restart policy", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served({
        ports_mappings: "9000:3000",
        custom_docker_run_options: "--restart no"
      })
      const second = yield* queue(2, application)
      ;(yield* Health).sick.add(second.uuid)
      yield* deploying(second, "failed")
      assert.deepStrictEqual([(yield* stateOf(first))?.state, yield* visit()], ["running", first.uuid])
      assert.strictEqual((yield* (yield* ReleaseStore).serving(application.uuid))?.deploymentUuid, first.uuid)
    }).pipe(Effect.provide(world))
  )
})

describe("a container that was removed or stopped by hand", () => {
  it.effect("is restored when it was removed, and stays stopped when it was stopped", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      yield* startKeeping()
      yield* pass(5)
      const engine = yield* Effect.scoped(
        (yield* ContainerEngine).open({ _tag: "Local", server, socket: null, connectionTimeout: 5 })
      )
      const { name } = (yield* stateOf(first)) ?? assert.fail("it serves")
      const ref = { application: application.uuid, name }
      yield* engine.stop(ref)
      yield* pass(45)
      assert.strictEqual((yield* stateOf(first))?.state, "exited")
      yield* engine.start(ref)
      yield* pass(25)
      yield* engine.remove(ref)
      yield* pass(25)
      assert.deepStrictEqual([(yield* stateOf(first))?.state, yield* visit()], ["running", first.uuid])
    }).pipe(Effect.provide(world))
  )
  // Prevents: another application's container gets its address, and visitors see that one without a password.
  it.effect("gets no visitors at its old address, which another container may get (invariant I28)", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      yield* startKeeping()
      yield* pass(5)
      const engine = yield* Effect.scoped(
        (yield* ContainerEngine).open({ _tag: "Local", server, socket: null, connectionTimeout: 5 })
      )
      const { addresses, name } = (yield* stateOf(first)) ?? assert.fail("it serves")
      const proxies = yield* ProxySimulation
      const visited = Effect.gen(function* () {
        for (const host of Object.values(addresses)) {
          yield* proxies.listen({ host, port: 3000 }, () => ({ status: 200, headers: {}, body: "another's" }))
        }
        return yield* visit()
      })
      const ref = { application: application.uuid, name }
      yield* engine.stop(ref)
      yield* proxies.cutOff(server, "it is busy")
      yield* pass(25)
      yield* proxies.cutOff(server, null)
      yield* pass(45)
      assert.strictEqual(yield* visited, 503)
      yield* engine.start(ref)
      yield* pass(25)
      assert.strictEqual(yield* visit(), first.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("gets no visitors at its old address if it is one of several services (invariant I28)", () =>
    Effect.gen(function* () {
      const service = { image: "web", expose: ["3000"], restart: "no" }
      const application = yield* plantRepository(
        yield* place(),
        1,
        { web: service, api: { ...service, image: "api" } },
        {
          docker_compose_domains: [
            { name: "web", domain: "http://a1.example" },
            { name: "api", domain: "http://a2.example" }
          ]
        }
      )
      const simulation = yield* EngineSimulation
      yield* simulation.publish("web", {})
      let starts = 0
      yield* simulation.publish("api", { program: () => (++starts > 1 ? { exitCode: 1 } : {}) })
      yield* startWorker()
      const deployment = yield* queue(1, application)
      yield* pass(10)
      assert.strictEqual((yield* shown(deployment)).status, "finished")
      yield* startKeeping()
      yield* pass(5)
      const { containers } = yield* simulation.inventory(server)
      const api = containers.find(({ owner }) => owner.service === "api") ?? assert.fail("it was started")
      yield* simulation.crash(server, application.uuid, api.name, 1)
      yield* pass(25)
      const { read } = yield* Effect.scoped(
        Effect.flatMap(Proxy, (proxies) => proxies.open({ _tag: "Local", server, socket: null, connectionTimeout: 5 }))
      )
      const led = (yield* read(application.uuid)).map(({ address, answer }) => [
        address.host,
        answer._tag === "Forward" ? answer.upstreams.length : 0
      ])
      assert.deepStrictEqual(led, [
        ["a1.example", 1],
        ["a2.example", 0]
      ])
    }).pipe(Effect.provide(world))
  )

  // Prevents: `podman rm -f` stops a container first, and a check in between takes it for stopped by hand.
  it.effect("is restored if it was observed stopped before its removal, or if the first attempt fails", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      const simulation = yield* EngineSimulation
      yield* startKeeping()
      yield* pass(5)
      const engine = yield* Effect.scoped(
        (yield* ContainerEngine).open({ _tag: "Local", server, socket: null, connectionTimeout: 5 })
      )
      const { name } = (yield* stateOf(first)) ?? assert.fail("it serves")
      yield* engine.stop({ application: application.uuid, name })
      yield* pass(25)
      yield* engine.remove({ application: application.uuid, name })
      yield* simulation.onCall((_, operation) =>
        operation === "create" ? new EngineRefused({ because: "it is being removed" }) : Effect.void
      )
      yield* pass(25)
      assert.isUndefined(yield* stateOf(first))
      yield* simulation.onCall(() => Effect.void)
      yield* pass(25)
      assert.deepStrictEqual([(yield* stateOf(first))?.state, yield* visit()], ["running", first.uuid])
    }).pipe(Effect.provide(world))
  )
})
