import { assert } from "@effect/vitest"
import { ReleaseStore } from "@slipway/domain/deploy/apps"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber } from "effect"
import { bring, describeFailures, type InjectedFailure } from "../support/injectedFailures.ts"
import {
  type ComposeFile,
  Health,
  linesOf,
  pass,
  passUntilEnded,
  place,
  plantRepository,
  queue,
  server,
  shown,
  startKeeping,
  startWorker,
  states,
  visit,
  world
} from "../support/support.ts"

/** A project with every kind of dependency, one volume, one port, and two services with visitors. */
const services: ComposeFile = {
  db: {
    image: "quiet",
    volumes: [{ type: "volume", source: "data", target: "/data" }],
    healthcheck: { test: ["CMD", "true"], interval: "1s", timeout: "1s", retries: 3 }
  },
  migrate: { image: "job", depends_on: { db: { condition: "service_healthy" } } },
  edge: { image: "quiet", ports: [{ target: 53, published: "9000", protocol: "udp" }] },
  web: {
    build: { context: "." },
    expose: ["3000"],
    depends_on: {
      migrate: { condition: "service_completed_successfully" },
      edge: { condition: "service_started" }
    }
  },
  api: { image: "api", depends_on: { db: { condition: "service_healthy" } } }
}

/** A kind of deployment; the title states its result without an injected failure. */
interface Kind {
  readonly title: string
  readonly isBroken: boolean
}

const kinds: ReadonlyArray<Kind> = [
  {
    title: "an update of a compose project finishes, without an effect on visitors before the switch,",
    isBroken: false
  },
  {
    title: "a broken update of a compose project restores the serving release, without an effect on visitors,",
    isBroken: true
  }
]

/** Deploys, injects a failure after some steps, and returns the steps before the failure. */
const deployWith = Effect.fnUntraced(function* ({ isBroken }: Kind, after: number, trouble: InjectedFailure) {
  const simulation = yield* EngineSimulation
  yield* simulation.publish("api", { ports: [3000] })
  yield* simulation.publish("quiet")
  yield* simulation.publish("job", { program: () => ({ exitCode: 0, after: 1 }) })
  const domains = ["web", "api"].map((name, at) => ({ name, domain: `http://a${at + 1}.example` }))
  const application = yield* plantRepository(yield* place(), 1, services, {
    docker_compose_domains: domains,
    health_check_enabled: true,
    health_check_interval: 1,
    health_check_retries: 3
  })
  const first = yield* queue(1, application)
  const worker = yield* startWorker()
  yield* passUntilEnded(first, 15)
  assert.deepStrictEqual(
    [(yield* shown(first)).reason, yield* visit(1), yield* visit(2)],
    [null, first.uuid, first.uuid]
  )
  yield* Fiber.interrupt(worker)
  const answers = [new Set<string | number>(), new Set<string | number>()]
  let writers = 0
  const look = Effect.gen(function* () {
    for (const [at, seen] of answers.entries()) seen.add(yield* visit(at + 1))
    const { containers } = yield* simulation.inventory(server)
    const dbs = containers.filter(({ owner, state }) => owner.service === "db" && state === "running")
    writers = Math.max(writers, dbs.length)
  })
  const deployment = yield* queue(2, application)
  if (isBroken) (yield* Health).sick.add(deployment.uuid)
  // Route checks and lease renewals run at random times.
  const uncounted = ["renew", "addresses"] as const
  const { end, taken } = yield* bring({ trouble, after, deployment: deployment.uuid, uncounted })
  const second = yield* startWorker()
  yield* pass(20, look)
  yield* end(second)
  if (trouble === "killed") yield* startKeeping()
  yield* passUntilEnded(deployment, 45, look)

  const { reason, status } = yield* shown(deployment)
  assert.strictEqual(status, isBroken ? "failed" : "finished", `${reason}`)
  assert.deepStrictEqual(
    (yield* linesOf(deployment)).filter((line) => states.includes(line)),
    isBroken ? states.slice(0, 3) : states
  )
  const serves = isBroken ? first.uuid : deployment.uuid
  const { containers, images } = yield* simulation.inventory(server)
  assert.sameDeepMembers(
    containers.map(({ owner, state }) => [owner.deployment, owner.service, state]),
    Object.keys(services).map((service) => [serves, service, service === "migrate" ? "exited" : "running"])
  )
  assert.strictEqual((yield* (yield* ReleaseStore).serving(application.uuid))?.deploymentUuid, serves)
  assert.strictEqual(images.flatMap(({ tags }) => tags).filter((tag) => tag.startsWith("slipway/")).length, 10)
  const expected = isBroken ? [first.uuid] : [first.uuid, deployment.uuid]
  assert.deepStrictEqual([answers.map((seen) => [...seen]), writers], [[expected, expected], 1])
  return taken
})

describeFailures({
  kinds,
  work: (...given) => Effect.scoped(Effect.provide(deployWith(...given), world, { local: true })),
  fewer: () => 60,
  // Of consecutive inspections, testing the first is enough.
  isRepeated: (step, before) => step?.step === "inspect" && before?.step === "inspect",
  timeout: 60_000
})
