import { readFileSync } from "node:fs"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { cacheAnswer } from "../answerCache.ts"
import { openApi30, swagger20 } from "../olderDescriptions.ts"
import { type Html, html } from "../pages/html.ts"
import { digestOf, weakTagOf } from "../wire/tags.ts"
import { type Reference, readDocument, searchOperations } from "./document.ts"
import { groupBody, indexBody, longestSearch, referencePage, schemaBody, searchBody } from "./pages.ts"
import { descriptionPath, olderPaths, referencePath, referenceRoutePaths } from "./paths.ts"

const pageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer"
}

// The files are published next to the sources, from which the compiled program reads them too.
const fileNamed = (name: string): string =>
  readFileSync(new URL(`../../../src/server/reference/${name}`, import.meta.url), "utf8")

/** The cache header of script and style sheet: a year, because their URLs contain a digest of the content. */
const forever = { "cache-control": "public, max-age=31536000, immutable" }

/** The options of a service's API reference. */
export interface ReferenceOptions {
  /** Whether the API description is also served as OpenAPI 3.0 and Swagger 2.0. */
  readonly older?: boolean
  /** Whether the reference pages are served; the OpenAPI document is always served. */
  readonly page?: boolean
}

interface Page {
  readonly title?: string
  readonly body: Html
  readonly search?: string
  readonly status?: number
}

/**
 * Layer that serves the OpenAPI document at `/api/v1/openapi.json`, and an API reference at `/docs` with a page for
 * each group of operations and for each schema.
 *
 * The pages work without JavaScript and load nothing from other hosts; a script adds forms that send requests.
 * Descriptions, start page and files are built at the first request, compressed, and cached with an ETag.
 */
export const referenceRoutes = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { older = false, page: isOn = true }: ReferenceOptions = {}
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const serve = Effect.fnUntraced(function* (
        path: `/${string}`,
        build: Effect.Effect<HttpServerResponse.HttpServerResponse>,
        address: string = path
      ) {
        const cached = yield* Effect.cached(
          Effect.map(Effect.uninterruptible(build), (response) => {
            if (response.body._tag !== "Uint8Array") return response
            const tagged = HttpServerResponse.setHeader(response, "etag", weakTagOf(digestOf(response.body.body)))
            cacheAnswer(router, address, tagged)
            return tagged
          })
        )
        yield* router.add("GET", path, cached)
      })
      const describe = (path: `/${string}`, document: () => unknown) =>
        serve(
          path,
          Effect.sync(() => HttpServerResponse.text(JSON.stringify(document()), { contentType: "application/json" }))
        )
      yield* describe(descriptionPath, () => OpenApi.fromApi(api))
      if (older) {
        yield* describe(olderPaths.openApi30, () => openApi30(OpenApi.fromApi(api)))
        yield* describe(olderPaths.swagger20, () => swagger20(openApi30(OpenApi.fromApi(api))))
      }
      if (!isOn) return

      const serveFile = Effect.fnUntraced(function* (path: `/${string}`, name: string, contentType: string) {
        const text = fileNamed(name)
        const address = `${path}?v=${digestOf(text).replace(/\W/g, "").slice(0, 16)}`
        yield* serve(path, Effect.succeed(HttpServerResponse.text(text, { contentType, headers: forever })), address)
        return address
      })
      const assets = {
        script: yield* serveFile(referenceRoutePaths.script, "reference.js", "text/javascript; charset=utf-8"),
        style: yield* serveFile(referenceRoutePaths.style, "reference.css", "text/css; charset=utf-8")
      }
      const reference = yield* Effect.cached(Effect.sync(() => readDocument(OpenApi.fromApi(api))))
      const pageOf = (document: Reference, { body, search, status = 200, title }: Page) =>
        HttpServerResponse.text(referencePage(document, assets, title, body, search), {
          status,
          contentType: "text/html; charset=utf-8",
          headers: pageHeaders
        })
      const missing = (document: Reference, what: string, name: string) =>
        pageOf(document, {
          title: "Not found",
          body: html`<h1>Not found</h1><p>This API has no ${what} “${name}”. <a href="${referencePath}">See all groups</a>.</p>`,
          status: 404
        })
      yield* serve(
        referenceRoutePaths.index,
        Effect.map(reference, (document) => pageOf(document, { body: indexBody(document) }))
      )
      yield* router.add(
        "GET",
        referenceRoutePaths.search,
        Effect.gen(function* () {
          const document = yield* reference
          const { url } = yield* HttpServerRequest.HttpServerRequest
          const search = (new URLSearchParams(url.split("?")[1]).get("q") ?? "").trim().slice(0, longestSearch)
          const found = searchOperations(document, search)
          return pageOf(document, { title: "Search", body: searchBody(search, found), search })
        })
      )
      yield* router.add(
        "GET",
        referenceRoutePaths.group,
        Effect.gen(function* () {
          const document = yield* reference
          const { group = "" } = (yield* HttpRouter.RouteContext).params
          const found = document.groups.find(({ name }) => name === group)
          return found === undefined
            ? missing(document, "group", group)
            : pageOf(document, { title: found.title, body: groupBody(found, document) })
        })
      )
      yield* router.add(
        "GET",
        referenceRoutePaths.schema,
        Effect.gen(function* () {
          const document = yield* reference
          const { schema = "" } = (yield* HttpRouter.RouteContext).params
          const body = schemaBody(schema, document)
          return body === undefined ? missing(document, "schema", schema) : pageOf(document, { title: schema, body })
        })
      )
    })
  )
