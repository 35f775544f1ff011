import { describe, expect, it } from "@effect/vitest"
import type { ActionName } from "@slipway/domain/forge"
import { accessCases, parseQuestions, parseWorld } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { endpoints, pathOf } from "./support/endpoints.ts"
import { start } from "./support/harness.ts"
import { headersOf, plant, thingsIn } from "./support/world.ts"

/** The actions that the API offers, with an endpoint that asks for each. */
const offered = new Map(endpoints.map((endpoint) => [endpoint.action as ActionName, endpoint]))

/** The status that stands for an answer: a decision lets the request on, or names it. */
const outcome = (status: number) => ([401, 403, 404, 423].includes(status) ? String(status) : "allowed")

for (const each of accessCases) {
  const world = parseWorld(each.world)
  const asked = parseQuestions(each.questions).filter(({ action, things }) =>
    action === "lists" ? things[0] === "user" : offered.has(action as ActionName)
  )
  if (asked.length === 0) continue
  describe(each.name, () => {
    for (const { action, answer, asker, text, things } of asked) {
      it.live(text, () =>
        Effect.gen(function* () {
          const api = yield* start({ switches: world.site })
          yield* plant(api, world)
          const headers = yield* headersOf(api, asker)
          if (action === "lists") {
            const { data } = yield* api.ask(200, "GET", "/users/search", { headers })
            const names: ReadonlyArray<string> = data.map(({ login }: { login: string }) => login)
            expect([...names].sort()).toEqual(answer.split(", ").sort())
            return
          }
          const endpoint = offered.get(action as ActionName)
          if (endpoint === undefined) throw new Error(`${action} has no endpoint`)
          const parts = yield* thingsIn(api, endpoint, things)
          const { status } = yield* api.send(endpoint.method, pathOf(endpoint, parts), {
            headers,
            ...(endpoint.hasBody ? { body: {} } : {})
          })
          expect(outcome(status)).toBe(answer)
        })
      )
    }
  })
}
