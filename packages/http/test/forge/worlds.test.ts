import { expect, it } from "@effect/vitest"
import type { ActionName } from "@slipway/domain/forge"
import type { Question, World } from "@slipway/testkit/access"
import { dice, isReading, randomQuestions, randomWorld, renewCode } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"
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

const isAsked = ({ action, things }: Question) =>
  action === "lists" ? (things[0] ?? "") in lists : offered.has(action as ActionName)

/** Whether a request would change the world for those after it. */
const changes = ({ action, answer }: Question) =>
  answer === "allowed" && offered.get(action as ActionName)?.method !== "GET"

const made = Effect.fnUntraced(function* (world: World) {
  const api = yield* start({ switches: world.site })
  yield* plant(api, world)
  return api
})

const ask = Effect.fnUntraced(function* (api: Service, { action, asker, things }: Question) {
  const headers = yield* headersOf(api, asker)
  if (action === "lists") return (yield* lists[things[0] as keyof typeof lists](api, headers)).toSorted().join(", ")
  const endpoint = offered.get(action as ActionName)
  if (endpoint === undefined) throw new Error(`${action} has no endpoint`)
  const parts = yield* thingsIn(api, endpoint, things)
  const { status } = yield* api.send(endpoint.method, pathOf(endpoint, parts), {
    headers,
    ...(endpoint.hasBody ? { body: {} } : {})
  })
  return outcome(status)
})

for (const { name, questions, world } of shippedScenarios) {
  const asked = questions.filter(isAsked)
  if (asked.length === 0) continue
  it.live(name, () =>
    Effect.gen(function* () {
      const api = yield* made(world)
      for (const question of asked) {
        const { answer, text } = question
        yield* Effect.orDie(api.within(renewCode(world, question.asker)))
        const got = yield* ask(changes(question) ? yield* made(world) : api, question)
        expect({ text, answer: got }).toEqual({ text, answer: answer.split(", ").toSorted().join(", ") })
      }
    })
  )
}

/** What reads a thing of a world itself; other reads may find nothing where they are allowed. */
const plainReads = ["repository.read", "user.read", "organization.read", "team.read", "issue.read"]

for (const from of Array.from({ length: runs(1) }, (_, at) => seed + at)) {
  it.live(`worlds that are made up are answered as the facts alone say, in the world ${from}`, () =>
    Effect.gen(function* () {
      const fall = dice(from)
      const { text: saying, world } = randomWorld(fall)
      const api = yield* made(world)
      const questions = randomQuestions(world, fall, 40).filter(
        (each) => isAsked(each) && (isReading(each) || !changes(each))
      )
      for (const question of questions) {
        const { answer, text } = question
        const got = yield* ask(api, question)
        if (answer === "allowed" && got === "404" && !plainReads.includes(question.action)) continue
        expect({ text, answer: got }, saying).toEqual({ text, answer: answer.split(", ").toSorted().join(", ") })
      }
    })
  )
}
