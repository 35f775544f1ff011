import { type Kind, PolicySet } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { serve as onNode } from "@slipway/http/node"
import { explorerPaths, explorerRoutes } from "@slipway/http/server/forge"
import {
  type Asker,
  decisionsOn,
  explainIn,
  resourceKindsIn,
  resourcesIn,
  type Scenario,
  type World
} from "@slipway/testkit/access"
import { Console, Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { userError } from "../forge/failures.ts"
import { scenariosIn } from "./files.ts"

/** The resource types that have other names in resources than in the tables. */
const words: Readonly<Partial<Record<Kind, string>>> = { organization: "org", repository: "repo" }

const questionsIn = (world: World): ReadonlyArray<string> =>
  resourceKindsIn(world).filter((kind) => !["organizationUser", "teamRepository", "packageOwner"].includes(kind))

const wordOf = (kind: string): string => words[kind as Kind] ?? kind

const resourcesOf = (world: World): ReadonlyArray<string> =>
  questionsIn(world).flatMap((kind) => resourcesIn(world, kind).map((things) => [wordOf(kind), ...things].join(":")))

/** Returns the subject of a request: the user, and the resource in a world. */
const subjectOf = (world: World, query: URLSearchParams) => {
  const [word = "", ...rest] = (query.get("resource") ?? "").split(":")
  const kind = questionsIn(world).find((each) => wordOf(each) === word)
  const things = rest.length === 0 ? [] : [rest.join(":")]
  if (kind === undefined || !resourcesIn(world, kind).some((each) => each.join() === things.join())) return "thing"
  const name = query.get("user") ?? undefined
  if (name !== undefined && !world.users.has(name)) return "person"
  return { asker: { name, token: undefined } satisfies Asker, kind, things }
}

const json = (body: unknown, status = 200) =>
  HttpServerResponse.text(JSON.stringify(body), { status, contentType: "application/json" })

const wrong = (what: string) => json({ message: `This scenario has no such ${what}.` }, 404)

const shownUser = (name: string | undefined) => (name === undefined ? null : { login: name })

const explained = (world: World, query: URLSearchParams) => {
  const subject = subjectOf(world, query)
  if (typeof subject === "string") return wrong(subject)
  const { asker, kind, things } = subject
  const action = query.get("action") ?? ""
  if (!decisionsOn(world, asker, kind, things).has(action)) return wrong("action on this resource type")
  const explanation = explainIn(world, { text: "", asker, action, things, answer: "", by: [] })
  if (explanation === undefined) return wrong("action")
  const { allowed, answer, by, changes, steps } = explanation
  return json({
    user: shownUser(asker.name),
    allowed,
    status: answer?.status ?? 200,
    message: answer?.message ?? "",
    rules: by,
    teams: [],
    path: steps.map(({ asks, because, passed, stage }) => ({ asks, because, passed, stage })),
    changes
  })
}

const listed = (world: World, query: URLSearchParams) => {
  const subject = subjectOf(world, query)
  if (typeof subject === "string") return wrong(subject)
  const { asker, kind, things } = subject
  const actions = [...decisionsOn(world, asker, kind, things)].map(([action, decision]) => ({
    action,
    allowed: decision.allowed,
    status: decision.allowed ? 200 : decision.answer.status
  }))
  return json({ user: shownUser(asker.name), actions })
}

const worldPath = "/world.json"

const routes = (files: ReadonlyArray<string>, policy: AnyPolicySet | undefined) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const read = Effect.map(
        Effect.forEach(files, (file) => scenariosIn(file, policy)),
        (each) => each.flat()
      )
      const answer = (
        path: `/${string}`,
        show: (
          scenario: Scenario,
          query: URLSearchParams,
          all: ReadonlyArray<Scenario>
        ) => HttpServerResponse.HttpServerResponse
      ) =>
        router.add(
          "GET",
          path,
          Effect.gen(function* () {
            const { url } = yield* HttpServerRequest.HttpServerRequest
            const query = new URL(url, "http://localhost").searchParams
            const scenarios = yield* read
            const scenario = scenarios[Number(query.get("scenario") ?? 0)]
            return scenario === undefined ? wrong("scenario") : show(scenario, query, scenarios)
          }).pipe(
            Effect.catchTag("UserError", ({ userMessage }) => Effect.succeed(json({ message: userMessage }, 500)))
          )
        )
      yield* answer("/api/access/explain", ({ world }, query) => explained(world, query))
      yield* answer("/api/access/actions", ({ world }, query) => listed(world, query))
      yield* answer(worldPath, ({ world }, _, scenarios) =>
        json({
          scenarios: scenarios.map(({ name }) => name),
          people: [...world.users.keys()],
          things: resourcesOf(world)
        })
      )
    })
  )

/** Serves the explorer for scenario files, on the loopback interface only, until the process exits. */
export const serve = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  port: number,
  policy: AnyPolicySet = PolicySet.builtIn
) {
  // Reports unreadable files immediately.
  yield* Effect.forEach(files, (file) => scenariosIn(file, policy))
  const all = Layer.mergeAll(
    explorerRoutes({ actions: policy.rulebook.tables.actions, api: "/api", world: worldPath }),
    routes(files, policy)
  )
  const served = onNode(all, {
    host: "127.0.0.1",
    port,
    portSetting: "--port",
    largestBody: 1,
    timeout: Duration.seconds(1),
    onListening: (base) => Console.log(`${base}${explorerPaths.page}`)
  })
  return yield* Effect.mapError(Layer.launch(served), (problem) => userError(problem.message, problem))
})
