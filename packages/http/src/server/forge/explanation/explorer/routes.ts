import { readFileSync } from "node:fs"
import { type Action, actions as libraryActions } from "@slipway/domain/forge/access"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** The paths of the explorer: a page that explains permissions, with its files. */
export const explorerPaths = {
  page: "/explore",
  script: "/explore/explorer.js",
  style: "/explore/explorer.css",
  actions: "/explore/actions.json"
} as const

/** An action that the explorer suggests, with the type of its resources. */
export interface ExplorerAction {
  readonly name: string
  readonly on: string
  readonly summary: string
}

/** The options of the explorer: the API URL, and the path (`world`) that returns users and resources of scenarios. */
export interface ExplorerOptions {
  readonly api: string
  /** The actions to explain; by default the built-in actions. */
  readonly actions?: ReadonlyArray<ExplorerAction>
  /** The examples of a resource and an action in the form; by default those of a forge. */
  readonly examples?: { readonly resource: string; readonly action: string }
  readonly world?: string
}

// The files are published next to the sources, from which the compiled program reads them too.
const fileNamed = (name: string): string =>
  readFileSync(new URL(`../../../../../src/server/forge/explanation/explorer/${name}`, import.meta.url), "utf8")

const headers = {
  "cache-control": "no-cache",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** Returns the actions of access tables in the form that the explorer suggests. */
export const explorerActions = (actions: Readonly<Record<string, Action>>): ReadonlyArray<ExplorerAction> =>
  Object.entries(actions).map(([name, { on, summary }]) => ({ name, on, summary }))

const builtInActions = explorerActions(libraryActions)

const forgeExamples = { resource: "repo:acme/site", action: "repository.read" }

/** Layer with the routes of the explorer: static files without secrets, which call the API as the viewer. */
export const explorerRoutes = ({
  actions = builtInActions,
  api,
  examples = forgeExamples,
  world = ""
}: ExplorerOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const serve = (path: `/${string}`, contentType: string, text: string) =>
        router.add("GET", path, Effect.succeed(HttpServerResponse.text(text, { contentType, headers })))
      const page = fileNamed("explorer.html")
        .replace("API", api)
        .replace("WORLD", world)
        .replace("RESOURCE", examples.resource)
        .replace("ACTION", examples.action)
      yield* serve(explorerPaths.page, "text/html; charset=utf-8", page)
      yield* serve(explorerPaths.script, "text/javascript; charset=utf-8", fileNamed("explorer.js"))
      yield* serve(explorerPaths.style, "text/css; charset=utf-8", fileNamed("explorer.css"))
      yield* serve(explorerPaths.actions, "application/json", JSON.stringify(actions))
    })
  )
