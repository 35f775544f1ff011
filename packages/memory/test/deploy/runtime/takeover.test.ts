import { assert, describe, it } from "@effect/vitest"
import { type Application, ApplicationStore, DeletionStore } from "@slipway/domain/deploy/apps"
import { newDeletion, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber } from "effect"
import { Gate, pass, place, plantApplication, queue, type Step, shown, startWorker, world } from "./support/support.ts"

interface Kind {
  readonly noun: string
  /** The step at which the first process hangs. */
  readonly step: Step
  readonly begun: string
  /** Requests the work, and returns an effect that reads its state. */
  readonly ask: (
    application: Application
  ) => Effect.Effect<
    { readonly look: Effect.Effect<string | undefined, never, Effect.Services<ReturnType<typeof shown>>> },
    never,
    Effect.Services<ReturnType<typeof queue>> | ApplicationStore | DeletionStore
  >
}

const kinds: ReadonlyArray<Kind> = [
  {
    noun: "deployment",
    step: "build",
    begun: "building",
    ask: (application) =>
      Effect.map(queue(1, application), (row) => ({ look: Effect.map(shown(row), ({ status }) => status) }))
  },
  {
    noun: "deletion",
    step: "open",
    begun: "running",
    ask: ({ placement: { destinationUuid, serverUuid }, uuid: applicationUuid }) =>
      Effect.gen(function* () {
        const store = yield* DeletionStore
        yield* Effect.orDie((yield* ApplicationStore).remove(applicationUuid))
        const target = { applicationUuid, serverUuid, destinationUuid }
        const { uuid } = yield* Effect.orDie(store.insert(newDeletion(1, target)))
        return { look: Effect.map(store.find(uuid), (row) => row?.status) }
      })
  }
]

/** The state of the first process's work a few seconds after a second process has started. */
const takenOver = Effect.fnUntraced(function* ({ ask, step: held }: Kind, inOrder: boolean, alone: boolean) {
  const gate = yield* Gate
  let isHeld = true
  yield* gate.guard(uuidOf("deployment", 404), ({ step }) =>
    Effect.suspend(() => (isHeld && step === held ? Effect.never : Effect.void))
  )
  const { look } = yield* ask(yield* plantApplication(yield* place()))
  const first = yield* startWorker()
  yield* pass(3)
  yield* inOrder ? gate.endInOrder(first) : Fiber.interrupt(first)
  isHeld = false
  yield* startWorker({ alone })
  yield* pass(8)
  return yield* look
})

describe.each(kinds)("a $noun in progress", (kind) => {
  it.effect("is continued immediately when its process shuts down gracefully", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* takenOver(kind, true, false), "finished")
    }).pipe(Effect.provide(world))
  )

  it.effect("is continued immediately after a restart when the killed process was the only one of the store", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* takenOver(kind, false, true), "finished")
    }).pipe(Effect.provide(world))
  )

  it.effect("is continued by another process after a kill, only when its lease expires", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* takenOver(kind, false, false), kind.begun)
    }).pipe(Effect.provide(world))
  )
})
