import { assert, describe, it } from "@effect/vitest"
import { Variables } from "@slipway/deploy/apps"
import { type Application, type Configuration, hasEnded, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { BuildOptions } from "@slipway/domain/deploy/containers"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { ofDockerfile, pass, place, plantRepository, queue, shown, startWorker, world } from "./support/support.ts"

const dockerfile = "ARG A\nARG B\nARG SOURCE_COMMIT\nFROM works"

/** Plants an application with a Dockerfile, and records the options of its builds. */
const planted = Effect.fnUntraced(function* (facts: Partial<Configuration>) {
  const application = yield* plantRepository(
    yield* place(),
    1,
    {},
    {
      ...ofDockerfile,
      ...facts
    }
  )
  const { commit } = yield* SourceSimulation
  const files = { Dockerfile: dockerfile }
  const head = yield* commit("https://forge.example/application-1.git", "main", { message: "one", files })
  const built: Array<BuildOptions> = []
  yield* (yield* EngineSimulation).onBuild((options) => {
    built.push(options)
    return {}
  })
  yield* startWorker({ keptReleases: 3 })
  return { application, built, head }
})

const deployed = Effect.fnUntraced(function* (n: number, application: Application) {
  const deployment = yield* queue(n, application)
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  assert.deepStrictEqual((yield* shown(deployment)).reason, null)
})

const argumentsIn = (options: BuildOptions | undefined) =>
  Object.fromEntries((options?.arguments ?? []).map(([name, value]) => [name, Redacted.value(value)]))

const set = (application: Application, key: string, value: string) =>
  Variables.create(system("application.update", { application }), { key, value: Redacted.make(value) })

describe("build and release settings of Coolify clients", () => {
  for (const isSet of [true, false]) {
    it.effect(`change build cache, commit variable and variable order of a build only if they are set: ${isSet}`, () =>
      Effect.gen(function* () {
        const { application, built, head } = yield* planted({
          disable_build_cache: isSet,
          include_source_commit_in_build: isSet,
          is_env_sorting_enabled: isSet
        })
        yield* set(application, "B", "named $A")
        yield* set(application, "A", "first")
        yield* deployed(1, application)
        assert.strictEqual(built[0]?.fresh, isSet)
        assert.deepStrictEqual(
          argumentsIn(built[0]),
          isSet ? { A: "first", B: "named first", SOURCE_COMMIT: head } : { A: "first", B: "named " }
        )
      }).pipe(Effect.provide(world))
    )
  }

  it.effect("limit the kept releases of an application, independently of the instance setting", () =>
    Effect.gen(function* () {
      const { application } = yield* planted({ docker_images_to_keep: 1 })
      for (const n of [1, 2, 3]) yield* deployed(n, application)
      assert.lengthOf(yield* (yield* ReleaseStore).ofApplication(application.uuid, 10), 1)
    }).pipe(Effect.provide(world))
  )
})
