import { assert, describe, it } from "@effect/vitest"
import { ScheduledTasks, SharedVariables } from "@slipway/deploy/apps"
import { ScheduledTaskStore, type SharedOwner, SharedVariableStore } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { rootTeam } from "@slipway/domain/deploy/identity"
import { Effect, Redacted } from "effect"
import { place, plantApplication, world } from "./deploy/runtime/support/support.ts"

const team: SharedOwner = { scope: "team", owner: "" }
const value = (text: string) => Redacted.make(text)

// Both changes are authorized with the same old resource. Prevents: the second change silently reverts the first one, so
// that a replaced secret is in use again.
describe("concurrent changes of one resource", () => {
  it.effect("keep the new value and the new comment of a shared variable", () =>
    Effect.gen(function* () {
      const create = system("sharedVariable.create", { owner: team, place: { teamId: rootTeam } })
      const sharedVariable = yield* SharedVariables.create(create, { key: "KEY", value: value("leaked") })
      const proof = system("sharedVariable.update", { sharedVariable, place: { teamId: rootTeam } })
      const replaced = yield* SharedVariables.update(proof, { value: value("new") })
      yield* SharedVariables.update(proof, { comment: "rotated" })
      const [kept = assert.fail("it is there")] = yield* (yield* SharedVariableStore).ofOwners([team])
      assert.deepStrictEqual([kept.value, kept.comment], [replaced.value, "rotated"])
      yield* SharedVariables.remove(system("sharedVariable.delete", { sharedVariable, place: { teamId: rootTeam } }))
      const gone = yield* Effect.flip(SharedVariables.update(proof, { comment: "late" }))
      assert.strictEqual(gone._tag, "SharedVariableNotFound")
    }).pipe(Effect.provide(world))
  )

  it.effect("keep the new command, the new name and the due time of a scheduled task", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      const input = { name: "a", command: "echo", frequency: "daily", container: null, timeout: 300, isEnabled: true }
      const task = yield* ScheduledTasks.create(system("task.create", { application }), input)
      const proof = system("task.update", { application, task })
      yield* ScheduledTasks.update(proof, { command: "date" })
      yield* ScheduledTasks.update(proof, { name: "b" })
      const [kept = assert.fail("it is there")] = yield* (yield* ScheduledTaskStore).ofApplication(application.uuid)
      assert.deepStrictEqual([kept.name, kept.command, kept.dueAt], ["b", "date", task.dueAt])
      yield* ScheduledTasks.remove(system("task.delete", { application, task }))
      const gone = yield* Effect.flip(ScheduledTasks.update(proof, { name: "late" }))
      assert.strictEqual(gone._tag, "ScheduledTaskNotFound")
    }).pipe(Effect.provide(world))
  )
})
