import { assert, describe, it } from "@effect/vitest"
import { SharedVariables, Variables } from "@slipway/deploy/apps"
import { type Application, hasEnded, ReleaseStore, type SharedOwner } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { rootTeam } from "@slipway/domain/deploy/identity"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { linesOf, pass, place, plantApplication, queue, server, shown, startWorker, world } from "./support/support.ts"

const team: SharedOwner = { scope: "team", owner: "" }

const share = (owner: SharedOwner, key: string, value: string, isLiteral = false) =>
  SharedVariables.create(system("sharedVariable.create", { owner, place: { teamId: rootTeam } }), {
    key,
    value: Redacted.make(value),
    isLiteral
  })

const set = (application: Application, key: string, value: string, isLiteral = false) =>
  Variables.create(system("application.update", { application }), { key, value: Redacted.make(value), isLiteral })

const deployed = Effect.fnUntraced(function* (n: number, application: Application) {
  const deployment = yield* queue(n, application)
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  return yield* shown(deployment)
})

const environmentOf = Effect.fnUntraced(function* (deployment: string) {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  const spec = containers.find(({ owner }) => owner.deployment === deployment)?.spec ?? assert.fail("no container")
  return Object.fromEntries(spec.environment.map(([name, value]) => [name, Redacted.value(value)]))
})

describe("shared variables", () => {
  it.effect(
    "are expanded in the values of applications at deployment, from the team, project, environment or server they name",
    () =>
      Effect.gen(function* () {
        const { environment, placement, project, server } = yield* place()
        const application = yield* plantApplication({ placement })
        const sharedVariable = yield* share(team, "REGION", "eu")
        yield* share({ scope: "project", owner: project.uuid }, "REGION", "project")
        yield* share({ scope: "environment", owner: environment.uuid }, "TIER", "live")
        yield* share({ scope: "server", owner: server.uuid }, "PRICE", "5$HOST", true)
        yield* set(application, "HOST", "db")
        yield* set(
          application,
          "ALL",
          "{{team.REGION}} {{ project.REGION }} {{environment.TIER}} {{server.PRICE}} $HOST"
        )
        yield* set(application, "EXACT", "{{server.PRICE}} {{team.NONE}}", true)
        yield* startWorker()
        const first = yield* deployed(1, application)
        const given = { ALL: "eu project live 5$HOST db", EXACT: "5$HOST {{team.NONE}}" }
        assert.deepInclude(yield* environmentOf(first.uuid), given)
        assert.include(yield* linesOf(first), "unknown shared variables: team.NONE")
        yield* SharedVariables.update(
          system("sharedVariable.update", { sharedVariable, place: { teamId: rootTeam } }),
          {
            value: Redacted.make("us")
          }
        )
        assert.deepInclude(yield* environmentOf(first.uuid), given)
        const second = yield* deployed(2, application)
        assert.deepInclude(yield* environmentOf(second.uuid), { ALL: "us project live 5$HOST db" })
        const kept = yield* (yield* ReleaseStore).ofApplication(application.uuid, 10)
        assert.notInclude(JSON.stringify(kept), "live")
      }).pipe(Effect.provide(world))
  )

  it.effect(
    "that do not exist are replaced with an empty text, and the log names the variables that refer to them (I15)",
    () =>
      Effect.gen(function* () {
        const application = yield* plantApplication(yield* place())
        yield* set(application, "HOST", "db")
        yield* set(application, "PASSWORD", "pa$word")
        yield* set(application, "LITERAL", "pa$word", true)
        yield* set(application, "URL", "http://$HOST/$$5")
        yield* startWorker()
        const deployment = yield* deployed(1, application)
        const given = { PASSWORD: "pa", LITERAL: "pa$word", URL: "http://db/$5" }
        assert.deepInclude(yield* environmentOf(deployment.uuid), given)
        const lines = yield* linesOf(deployment)
        assert.deepStrictEqual(
          lines.filter((line) => line.startsWith("warning:")),
          [
            "warning: the variable PASSWORD names a variable that is not set before it, which becomes empty: write $$ for a dollar sign, or set is_literal"
          ]
        )
        assert.notInclude(lines.join("\n"), "$word")
      }).pipe(Effect.provide(world))
  )

  it.effect("fail a deployment that expands a value beyond the limit, and the reason names the variable", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      yield* share(team, "LONG", "x".repeat(60_000))
      yield* set(application, "TWICE", "{{team.LONG}}{{team.LONG}}", true)
      yield* startWorker()
      const { reason, status } = yield* deployed(1, application)
      assert.deepStrictEqual(
        [status, reason],
        ["failed", "the variable TWICE has more than 100000 characters including its shared variables"]
      )
    }).pipe(Effect.provide(world))
  )
})
