import { SettingsStore } from "@slipway/domain/deploy/administration"
import { layerMountedPages, type PageReach } from "@slipway/http/server"
import { ProgramVersion, rootUrlOf } from "@slipway/http/server/deploy"
import { Effect } from "effect"

interface Reach extends PageReach {
  readonly rootUrl: string
}

const path = "/mcp"

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ message }, { status, headers: { "cache-control": "no-store", ...headers } })

/** Returns the bearer token of a request; undefined without one. */
const bearerOf = (request: Request): string | undefined =>
  /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1]

/**
 * Serves the endpoints of the API as tools of the Model Context Protocol at `/mcp`, while the settings enable it.
 *
 * Each call acts with the bearer token of the request, so a token has exactly its abilities and roles.
 */
export const layerMcp = layerMountedPages({
  site: Effect.gen(function* () {
    const { read } = yield* SettingsStore
    const version = yield* ProgramVersion
    const answer = async (request: Request, { rootUrl, send }: Reach): Promise<Response> => {
      const settings = await Effect.runPromise(read)
      if (settings?.isMcpEnabled !== true) return refusal(404, "The MCP server is disabled.")
      const token = bearerOf(request)
      if (token === undefined) {
        return refusal(401, "Send a token of the API as bearer token.", { "www-authenticate": "Bearer" })
      }
      // Before any tool: the endpoint of the version accepts every valid token.
      const authorization = `Bearer ${token}`
      const checked = await send(new Request(new URL("/api/v1/version", rootUrl), { headers: { authorization } }))
      if (!checked.ok) return checked
      // Loaded by the first request, because few instances enable it.
      const { answerRequest } = await import("@slipway/mcp")
      return answerRequest({ deploy: { url: rootUrl, token, send }, allowWrites: true, version }, request)
    }
    return {
      has: (_: string, asked: string) => asked === path,
      answer,
      fail: (_: Request, __: Reach, { status }: { readonly status: number }) =>
        Promise.resolve(refusal(status, "The MCP server failed."))
    }
  }),
  reachOf: (reach, request) => Effect.map(rootUrlOf(request), (rootUrl) => ({ ...reach, rootUrl }))
})
