import { assert, describe, it } from "@effect/vitest"
import { type Deployment, ReleaseStore } from "@slipway/domain/deploy"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Cause, Effect, Fiber } from "effect"
import { isTried } from "../../../../scripts/vitest/runs.ts"
import {
  Gate,
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
  type Taken,
  troubles,
  visit,
  world
} from "./support.ts"

/** What a deployment is for, and how it ends when nothing comes over it. */
interface Kind {
  readonly title: string
  readonly isSecond: boolean
  /** Whether its container and the one before can't run beside each other. */
  readonly takesPort?: boolean
  readonly isBroken?: boolean
  readonly isStop?: boolean
}

const kinds: ReadonlyArray<Kind> = [
  { title: "a first deployment ends it well", isSecond: false },
  { title: "an update ends it well, which nobody notices until the switch", isSecond: true },
  { title: "an update that takes a port of the server ends it well", isSecond: true, takesPort: true },
  { title: "an update that is broken keeps what serves, which nobody notices", isSecond: true, isBroken: true },
  {
    title: "a broken update that takes a port brings back what served",
    isSecond: true,
    isBroken: true,
    takesPort: true
  },
  { title: "a stop ends all containers", isSecond: true, isStop: true }
]

/** What comes over a deployment before one of its steps. */
type Trouble = "killed" | "unreachable"

/** Deploys, with a trouble before the `last`th step, and returns the steps that were taken before that. */
const deployWith = Effect.fnUntraced(function* (kind: Kind, last: number, trouble: Trouble) {
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
  const taken: Array<Taken> = []
  const gate = yield* Gate
  const simulation = yield* EngineSimulation
  let isOver = false
  yield* gate.guard(deployment.uuid, (next) =>
    Effect.suspend(() => {
      // A lease is renewed beside the steps, at no certain moment between them.
      if (isOver || next.step === "renew") return Effect.void
      if (taken.length < last) {
        taken.push(next)
        return Effect.void
      }
      isOver = trouble === "unreachable"
      return isOver ? simulation.cutOff(server, "the cable is cut") : Effect.never
    })
  )
  yield* look
  const worker = yield* startWorker()
  yield* pass(12, look)
  if (trouble === "killed") {
    yield* Fiber.interrupt(worker)
    yield* gate.guard(deployment.uuid, () => Effect.void)
    yield* startWorker()
  } else yield* simulation.cutOff(server, null)
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
  // Nobody is turned away: those before serve until those after do.
  assert.deepStrictEqual(
    [...new Set(takesPort || !isSecond ? answers.filter((answer) => answer !== 503 && answer !== 404) : answers)],
    isStop ? [first, 503] : isBroken ? [first] : isSecond ? [first, deployment.uuid] : [deployment.uuid]
  )
  assert.strictEqual(answers.at(-1), serves ?? 503)
  return taken
})

const inWorld = (...[kind, last, trouble]: Parameters<typeof deployWith>) =>
  Effect.scoped(Effect.provide(deployWith(kind, last, trouble), world, { local: true }))

describe("a worker", () => {
  for (const [turn, [what, trouble]] of troubles.entries()) {
    for (const [at, kind] of kinds.entries()) {
      it.effect(`that ${what} before any step of ${kind.title}`, () =>
        Effect.gen(function* () {
          const all = yield* inWorld(kind, Number.POSITIVE_INFINITY, trouble)
          assert.isAbove(all.length, kind.isStop === true ? 5 : 15)
          for (let last = 0; last < all.length; last++) {
            // Half of the steps with each trouble, the other half with the other; a run of many cases has all.
            if (!isTried(2, turn, at, last)) continue
            const taken = yield* inWorld(kind, last, trouble).pipe(
              Effect.catchCause((cause) =>
                Effect.die(new Error(`at step ${last}, ${JSON.stringify(all[last])}`, { cause: Cause.squash(cause) }))
              )
            )
            assert.deepStrictEqual(taken, all.slice(0, last))
          }
        })
      )
    }
  }
})
