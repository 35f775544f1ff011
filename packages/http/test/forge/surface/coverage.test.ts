import { describe, expect, it } from "@effect/vitest"
import { type Action, actions } from "@slipway/domain/forge/access"
import { catalogued } from "@slipway/http/api/forge"
import missing from "../routes-without-endpoint.json" with { type: "json" }
import { endpoints } from "../support/endpoints.ts"

// What git clients ask for lies outside of the API; the forge's own tests send git there.
const isOfGit = (route: string) => / \/\{username\}\/\{reponame\}(\.wiki)?\.git\//.test(route)
// Registries of packages lie outside of it too; `packages.test.ts` and `containers.test.ts` ask them.
const isOfRegistry = (route: string) => / \/(?:api\/packages|v2)\//.test(route)
// So do badges of workflows, which `workflow-badges.test.ts` asks for.
const isOfBadge = (route: string) => route.endsWith("/badge.svg")
const catalogue = Object.values<Action>(actions)
  .flatMap((action) => action.routes)
  .filter((route) => !isOfGit(route) && !isOfRegistry(route) && !isOfBadge(route))
const built = new Set(
  endpoints.flatMap(({ action, method, path }) => {
    const route = catalogued(action, { method, path: path.replace(/\{(\w+)\}/g, ":$1") })
    // Whatever answers GET answers HEAD.
    return [route, route.replace(/^GET /, "HEAD ")]
  })
)

/** How many routes were without an endpoint when this was last lowered; it is never raised. */
const most = 0

describe("the routes without an endpoint", () => {
  it("are all routes of the catalogue that no endpoint serves", () => {
    expect(new Set(missing)).toEqual(new Set(catalogue.filter((route) => !built.has(route))))
    expect(new Set(missing).size).toBe(missing.length)
  })

  it("only become fewer: the list is not written anew, and an endpoint that is gone can not be put back on it", () => {
    expect(missing.length).toBe(most)
  })
})
