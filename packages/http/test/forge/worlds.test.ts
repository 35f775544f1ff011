import { describe, expect, it } from "@effect/vitest"
import type { ActionName } from "@slipway/domain/forge"
import { accessCases, parseQuestions, parseWorld } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { endpoints, pathOf } from "./support/endpoints.ts"
import { type Service, start } from "./support/harness.ts"
import { headersOf, plant, thingsIn } from "./support/world.ts"

/** The actions that the API offers, with an endpoint that asks for each. */
const offered = new Map(endpoints.map((endpoint) => [endpoint.action as ActionName, endpoint]))

type Sent = Readonly<Record<string, string>>

/** The names that a list shows over HTTP. */
const lists = {
  user: (api: Service, headers: Sent): Effect.Effect<ReadonlyArray<string>> =>
    Effect.map(api.ask(200, "GET", "/users/search", { headers }), ({ data }) =>
      data.map(({ login }: { login: string }) => login)
    ),
  "organization-directory": (api: Service, headers: Sent): Effect.Effect<ReadonlyArray<string>> =>
    Effect.map(api.ask(200, "GET", "/orgs", { headers }), (rows) => rows.map(({ name }: { name: string }) => name))
}

/** The status that stands for an answer: a decision lets the request on, or names it. */
const outcome = (status: number) => ([401, 403, 404, 423].includes(status) ? String(status) : "allowed")

for (const each of accessCases) {
  const world = parseWorld(each.world)
  const asked = parseQuestions(each.questions).filter(({ action, things }) =>
    action === "lists" ? (things[0] ?? "") in lists : offered.has(action as ActionName)
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
            const names = yield* lists[things[0] as keyof typeof lists](api, headers)
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
