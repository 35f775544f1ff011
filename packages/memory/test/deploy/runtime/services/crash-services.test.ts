import { assert } from "@effect/vitest"
import { Services } from "@slipway/deploy/apps"
import { authorizeNamed } from "@slipway/deploy/entry"
import { ReleaseStore } from "@slipway/domain/deploy/apps"
import { system, systemCaller } from "@slipway/domain/deploy/entry"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { bring, describeFailures, type InjectedFailure } from "../support/injectedFailures.ts"
import {
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

const text = JSON.stringify({
  services: {
    db: { image: "postgres:17", volumes: [{ type: "volume", source: "data", target: "/data" }] },
    web: { image: "web", expose: ["3000"], depends_on: { db: { condition: "service_started" } } }
  },
  networks: { default: {} },
  volumes: { data: {} }
})

/** Starts a service, injects a failure after some steps, and returns the steps before the failure. */
const startWith = Effect.fnUntraced(function* (_: object, after: number, trouble: InjectedFailure) {
  const simulation = yield* EngineSimulation
  yield* simulation.publish("web", { ports: [3000] })
  yield* simulation.publish("postgres:17")
  const { placement } = yield* place()
  const service = yield* Services.create(
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
  const deployment = yield* Services.start(
    yield* authorizeNamed(systemCaller, "service.deploy", { uuid: service.uuid })
  )
  const { end, taken } = yield* bring({
    trouble,
    after,
    deployment: deployment.uuid,
    uncounted: ["renew", "addresses"]
  })
  const worker = yield* startWorker()
  yield* pass(20)
  yield* end(worker)
  if (trouble === "killed") yield* startKeeping()
  yield* passUntilEnded(deployment, 45)

  const { reason, status } = yield* shown(deployment)
  assert.strictEqual(status, "finished", `${reason}`)
  const { containers, volumes } = yield* simulation.inventory(server)
  assert.sameDeepMembers(
    containers.map(({ owner, state }) => [owner.deployment, owner.service, state]),
    [
      [deployment.uuid, "db", "running"],
      [deployment.uuid, "web", "running"]
    ]
  )
  assert.deepStrictEqual(
    volumes.map(({ name }) => name),
    [`${service.uuid}_data`]
  )
  assert.strictEqual(
    (yield* (yield* ReleaseStore).serving(deployment.applicationUuid))?.deploymentUuid,
    deployment.uuid
  )
  assert.strictEqual(yield* visit(), deployment.uuid)
  return taken
})

describeFailures({
  kinds: [{ title: "the start of a service finishes with each container once" }],
  work: (...given) => Effect.scoped(Effect.provide(startWith(...given), world, { local: true })),
  fewer: () => 15,
  // Of consecutive inspections, testing the first is enough.
  isRepeated: (step, before) => step?.step === "inspect" && before?.step === "inspect",
  timeout: 60_000
})
