import { serve as onNode } from "@slipway/http/node"
import { type ExplorerAction, explorerPaths, explorerRoutes } from "@slipway/http/server/forge"
import { Console, Duration, Effect, type FileSystem, Layer } from "effect"
import type { CliError } from "effect/cli"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { userError } from "../forge/failures.ts"

/** Makes a JSON response. */
export const json = (body: unknown, status = 200) =>
  HttpServerResponse.text(JSON.stringify(body), { status, contentType: "application/json" })

/** Makes the response to a question about something that the scenario does not have. */
export const wrong = (what: string) => json({ message: `This scenario has no such ${what}.` }, 404)

type Answer<S> = (scenario: S, query: URLSearchParams) => HttpServerResponse.HttpServerResponse

/** The scenarios of an explorer, and the functions that answer its questions. */
export interface Explored<S> {
  /** Reads the scenarios; it runs for each request. */
  readonly read: Effect.Effect<ReadonlyArray<S>, CliError.UserError, FileSystem.FileSystem>
  readonly nameOf: (scenario: S) => string
  /** Returns the names of the users and the resources that the page suggests. */
  readonly contentsOf: (scenario: S) => {
    readonly people: ReadonlyArray<string>
    readonly things: ReadonlyArray<string>
  }
  /** Explains an action of a user on a resource. */
  readonly explain: Answer<S>
  /** Lists the actions of a user on a resource. */
  readonly list: Answer<S>
  readonly actions: ReadonlyArray<ExplorerAction>
  readonly examples?: { readonly resource: string; readonly action: string }
}

const worldPath = "/world.json"

const routes = <S>({ contentsOf, explain, list, nameOf, read }: Explored<S>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const answer = (
        path: `/${string}`,
        show: (scenario: S, query: URLSearchParams, all: ReadonlyArray<S>) => HttpServerResponse.HttpServerResponse
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
      yield* answer("/api/access/explain", explain)
      yield* answer("/api/access/actions", list)
      yield* answer(worldPath, (scenario, _, all) => json({ scenarios: all.map(nameOf), ...contentsOf(scenario) }))
    })
  )

/** Serves the explorer, on the loopback interface only, until the process exits. */
export const serveExplorer = Effect.fnUntraced(function* <S>(port: number, explored: Explored<S>) {
  // Reports unreadable files immediately.
  yield* explored.read
  const { actions, examples } = explored
  const pages = explorerRoutes({
    actions,
    api: "/api",
    world: worldPath,
    ...(examples === undefined ? {} : { examples })
  })
  const served = onNode(Layer.mergeAll(pages, routes(explored)), {
    host: "127.0.0.1",
    port,
    portSetting: "--port",
    largestBody: 1,
    timeout: Duration.seconds(1),
    onListening: (base) => Console.log(`${base}${explorerPaths.page}`)
  })
  return yield* Effect.mapError(Layer.launch(served), (problem) => userError(problem.message, problem))
})
