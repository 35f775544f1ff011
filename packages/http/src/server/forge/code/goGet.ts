import { Context, Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PublicUrl } from "../base/PublicUrl.ts"

const asks = /^\/(?!api\/)([A-Za-z0-9][\w.-]{0,99})\/([A-Za-z0-9_.-]{1,100})(?:\/[^?]*)?\?(?:[^#]*&)?go-get=1(?:[&#]|$)/
const host = /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?$/

/**
 * Returns the content of the `go-import` meta tag for a request of the go command; undefined for other requests.
 *
 * The result depends only on the path, so that a hidden repository looks like a missing one (CVE-2026-58507).
 *
 * @example
 * goImport("https://forge.example", "/ann/app/sub?go-get=1") // => "forge.example/ann/app git https://forge.example/ann/app.git"
 * goImport("https://forge.example", "/ann/app") // => undefined
 * goImport("https://forge.example", "/ann/<app>?go-get=1") // => undefined
 */
export const goImport = (root: string, url: string): string | undefined => {
  const [, owner, name = ""] = asks.exec(url) ?? []
  if (owner === undefined) return undefined
  const path = `${owner}/${name.replace(/\.git$/, "")}`
  return `${root.replace(/^https?:\/\//, "")}/${path} git ${root}/${path}.git`
}

/** Layer that responds to the go command (`go get`), which looks up the git repository of an import path. */
export const layerGoGet: Layer.Layer<never, never, HttpRouter.HttpRouter | PublicUrl> = HttpRouter.middleware(
  Effect.map(
    PublicUrl,
    ({ rootUrl }) =>
      (app) =>
        Effect.contextWith((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
          const request = Context.get(services, HttpServerRequest.HttpServerRequest)
          const named = request.headers.host ?? ""
          const root = rootUrl !== "" ? rootUrl : host.test(named) ? `http://${named}` : undefined
          const found = request.method === "GET" && root !== undefined ? goImport(root, request.url) : undefined
          return found === undefined
            ? app
            : Effect.succeed(
                HttpServerResponse.text(`<!doctype html>\n<meta name="go-import" content="${found}">\n`, {
                  contentType: "text/html; charset=utf-8",
                  headers: { "x-content-type-options": "nosniff" }
                })
              )
        })
  ),
  { global: true }
)
