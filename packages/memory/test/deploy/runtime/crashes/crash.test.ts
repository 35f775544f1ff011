import { assert } from "@effect/vitest"
import { type Deployment, ReleaseStore } from "@slipway/domain/deploy/apps"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber } from "effect"
import { bring, describeFailures, type InjectedFailure } from "../support/injectedFailures.ts"
import {
  Health,
  linesOf,
  pass,
  passUntilEnded,
  place,
  plantApplication,
  queue,
  server,
  shown,
  startWorker,
  states,
  visit,
  world
} from "../support/support.ts"

/** A kind of deployment; the title states its result without an injected failure. */
interface Kind {
  readonly title: string
  readonly isSecond: boolean
  /** Whether its container and the previous one cannot run concurrently. */
  readonly takesPort?: boolean
  readonly isBroken?: boolean
  readonly isStop?: boolean
}

const kinds: ReadonlyArray<Kind> = [
  { title: "a first deployment finishes", isSecond: false },
  { title: "an update finishes, without an effect on visitors before the switch,", isSecond: true },
  { title: "an update with a server port finishes", isSecond: true, takesPort: true },
  {
    title: "a broken update keeps the serving release, without an effect on visitors,",
    isSecond: true,
    isBroken: true
  },
  {
    title: "a broken update with a server port restores the serving release",
    isSecond: true,
    isBroken: true,
    takesPort: true
  },
  { title: "a stop removes all containers", isSecond: true, isStop: true }
]

/** Deploys, injects a failure after some steps, and returns the steps before the failure. */
const deployWith = Effect.fnUntraced(function* (kind: Kind, after: number, trouble: InjectedFailure) {
  const { isBroken = false, isSecond, isStop = false, takesPort = false } = kind
  const facts = takesPort ? { ports_mappings: "9000:3000" } : {}
  const application = yield* plantApplication(yield* place(), 1, facts)
  const answers: Array<string | number> = []
  const first = uuidOf<Deployment["uuid"]>("deployment", 1)
  if (isSecond) {
    const deployed = yield* queue(1, application)
    const worker = yield* startWorker()
    yield* passUntilEnded(deployed, 10)
    assert.deepStrictEqual([(yield* shown(deployed)).status, deployed.uuid], ["finished", first])
    yield* Fiber.interrupt(worker)
  }
  const look = Effect.map(visit(), (answer) => {
    if (answers.at(-1) !== answer) answers.push(answer)
  })
  const deployment = yield* queue(2, application, isStop ? { action: "stop" } : {})
  if (isBroken) (yield* Health).sick.add(deployment.uuid)
  const simulation = yield* EngineSimulation
  // Lease renewals run at random times between the steps.
  const { end, taken } = yield* bring({ trouble, after, deployment: deployment.uuid, uncounted: ["renew"] })
  yield* look
  const worker = yield* startWorker()
  yield* pass(12, look)
  yield* end(worker)
  yield* passUntilEnded(deployment, 30, look)

  const { reason, status } = yield* shown(deployment)
  assert.strictEqual(status, isBroken ? "failed" : "finished", `${reason}`)
  const expected = isStop ? ["switching", "finished"] : isBroken ? states.slice(0, 3) : states
  assert.deepStrictEqual(
    (yield* linesOf(deployment)).filter((line) => states.includes(line)),
    expected
  )
  const serves = isStop ? undefined : isBroken ? first : deployment.uuid
  const { building, containers, images } = yield* simulation.inventory(server)
  assert.deepStrictEqual(
    containers.map(({ owner, state }) => [owner.deployment, state]),
    serves === undefined ? [] : [[serves, "running"]]
  )
  assert.strictEqual(building, 0)
  const releases = yield* ReleaseStore
  assert.strictEqual((yield* releases.serving(application.uuid))?.deploymentUuid, serves)
  const made = isSecond && !isStop ? 2 : 1
  assert.strictEqual((yield* releases.ofApplication(application.uuid, 10)).length, made)
  assert.strictEqual(images.filter(({ tags }) => tags.length > 0).length, made)
  // No visitor is rejected: the old container serves until the new one does.
  assert.deepStrictEqual(
    [...new Set(takesPort || !isSecond ? answers.filter((answer) => answer !== 503 && answer !== 404) : answers)],
    isStop ? [first, 503] : isBroken ? [first] : isSecond ? [first, deployment.uuid] : [deployment.uuid]
  )
  assert.strictEqual(answers.at(-1), serves ?? 503)
  return taken
})

describeFailures({
  kinds,
  work: (...given) => Effect.scoped(Effect.provide(deployWith(...given), world, { local: true })),
  fewer: ({ isStop }) => (isStop === true ? 5 : 15)
})
