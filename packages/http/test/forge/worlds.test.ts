import { describe, expect, it } from "@effect/vitest"
import { type ActionName, actions } from "@slipway/domain/forge"
import { accessCases, parseQuestions, parseWorld, plantOrganizations, type World } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { endpoints, pathOf } from "./support/endpoints.ts"
import { basic, bearer, type Service, start } from "./support/harness.ts"
import { partsOf } from "./support/parts.ts"

/** The actions that the API offers, with an endpoint that asks for each. */
const offered = new Map(endpoints.map((endpoint) => [endpoint.action as ActionName, endpoint]))

const people = Effect.fnUntraced(function* (api: Service, world: World) {
  for (const { admin, createsOrganizations, name, restricted, visibility } of world.users.values()) {
    yield* api.user(name, { admin, restricted, visibility, mayCreateOrganizations: createsOrganizations })
  }
  yield* Effect.orDie(api.within(plantOrganizations(world)))
})

/** Reads the names that a list over HTTP shows, for each list of the worlds that has a route. */
const lists: Readonly<
  Record<string, (api: Service, headers: Record<string, string>) => Effect.Effect<ReadonlyArray<string>>>
> = {
  user: (api, headers) =>
    Effect.map(api.ask(200, "GET", "/users/search", { headers }), ({ data }) =>
      data.map(({ login }: { login: string }) => login)
    ),
  "organization-directory": (api, headers) =>
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
          yield* people(api, world)
          const { name, token } = asker
          const headers: Record<string, string> =
            name === undefined ? {} : token === undefined ? basic(name) : bearer(yield* api.mint(name, token))
          if (action === "lists") {
            const names = yield* lists[things[0] ?? ""]?.(api, headers) ?? Effect.succeed([])
            expect([...names].sort()).toEqual(answer.split(", ").sort())
            return
          }
          const endpoint = offered.get(action as ActionName)
          if (endpoint === undefined) throw new Error(`${action} has no endpoint`)
          const parts = yield* partsOf(api, actions[endpoint.action].on, things)
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
