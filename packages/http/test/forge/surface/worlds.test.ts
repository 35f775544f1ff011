import { expect, it } from "@effect/vitest"
import type { ActionName } from "@slipway/domain/forge/access"
import type { Question, World } from "@slipway/testkit/access"
import { askPure, dice, found, randomQuestions, randomWorld } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { runs, seed } from "../../../../../scripts/vitest/runs.ts"
import { shippedScenarios } from "../../../../../scripts/vitest/scenarios.ts"
import { endpoints, pathOf } from "../support/endpoints.ts"
import { type Service, startWithCheckpoint } from "../support/harness.ts"
import { headersOf, pathParametersIn, plant } from "../support/world.ts"

/** The actions of the API, with an endpoint for each. */
const offered = new Map(endpoints.map((endpoint) => [endpoint.action as ActionName, endpoint]))

type Sent = Readonly<Record<string, string>>

type Listing = (api: Service, headers: Sent, world: World) => Effect.Effect<ReadonlyArray<string>>

/** The names that a list contains over HTTP. */
const lists: Readonly<Record<string, Listing>> = {
  user: (api, headers) =>
    Effect.map(api.ask(200, "GET", "/users/search", { headers }), ({ data }) =>
      data.map(({ login }: { login: string }) => login)
    ),
  "organization-directory": (api, headers) =>
    Effect.map(api.ask(200, "GET", "/orgs", { headers }), (rows) => rows.map(({ name }: { name: string }) => name)),
  repository: (api, headers) =>
    Effect.map(api.ask(200, "GET", "/repos/search", { headers }), ({ data }) =>
      data.map(({ full_name }: { full_name: string }) => full_name)
    ),
  team: (api, headers, world) =>
    Effect.map(
      Effect.forEach([...world.organizations.keys()], (organization) =>
        Effect.map(api.send("GET", `/orgs/${organization}/teams`, { headers }), ({ json, status }) =>
          status === 200 ? json.map(({ name }: { name: string }) => `${organization}/${name}`) : []
        )
      ),
      (each) => each.flat()
    )
}

/**
 * The response to a question over HTTP: teams are listed for each organization separately, to callers with permission.
 */
const answerOf = (world: World, { action, answer, asker, things }: Question) => {
  const names = answer.split(", ").toSorted()
  if (action !== "lists" || things[0] !== "team") return names.join(", ")
  const isShown = (team: string) =>
    askPure(world, question(asker, "organization.team.list", team.split("/")[0] ?? "")).answer === "allowed"
  return names.filter((name) => name !== "" && isShown(name)).join(", ")
}

const question = (asker: Question["asker"], action: string, thing: string): Question => ({
  text: "",
  asker,
  action,
  things: [thing],
  answer: "",
  by: []
})

/** Returns the answer for a status: the denial itself, or "allowed". */
const outcome = (status: number) => ([401, 403, 404, 423].includes(status) ? String(status) : "allowed")

// Worlds have no artifacts for signed links: `artifacts.test.ts` tests these.
const isAsked = ({ action, things }: Question) =>
  action === "lists"
    ? (things[0] ?? "") in lists
    : offered.has(action as ActionName) && action !== "repository.actions.artifact.download-signed"

const made = Effect.fnUntraced(function* (world: World) {
  const api = yield* startWithCheckpoint({ switches: world.site })
  yield* plant(api, world)
  return { api, restore: yield* api.checkpoint }
})

const ask = Effect.fnUntraced(function* (api: Service, world: World, { action, asker, things }: Question) {
  const headers = yield* headersOf(api, asker)
  if (action === "lists") return (yield* found(lists[things[0] ?? ""])(api, headers, world)).toSorted().join(", ")
  const endpoint = found(offered.get(action as ActionName))
  const parts = yield* pathParametersIn(api, endpoint, things)
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
      const { api, restore } = yield* made(world)
      for (const question of asked) {
        const { text } = question
        const answer = yield* ask(api, world, question)
        expect({ text, answer }).toEqual({ text, answer: answerOf(world, question) })
        yield* restore
      }
    })
  )
}

/** Actions that read a resource of a world itself; other reads may be allowed and find nothing. */
const plainReads = ["repository.read", "user.read", "organization.read", "team.read", "issue.read"]

const worlds = runs(1)

it.live(
  `${worlds} random worlds get the responses that the facts determine`,
  () =>
    Effect.gen(function* () {
      const api = yield* startWithCheckpoint()
      const empty = yield* api.checkpoint
      for (let from = seed; from < seed + worlds; from++) {
        const fall = dice(from)
        const { text: saying, world } = randomWorld(fall)
        yield* plant(api, world)
        const restore = yield* api.checkpoint
        for (const question of randomQuestions(world, fall).filter(isAsked)) {
          const { action, text } = question
          const [answer, expected] = [yield* ask(api, world, question), answerOf(world, question)]
          yield* restore
          // The request doesn't contain the other inputs of an action.
          if (expected === "allowed" && answer === "404" && !plainReads.includes(action)) continue
          expect({ text, answer }, `world ${from}\n${saying}`).toEqual({ text, answer: expected })
        }
        yield* empty
      }
    }),
  worlds * 10_000
)
