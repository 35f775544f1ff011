import { describe, expect, it } from "@effect/vitest"
import { type Action, actions } from "@slipway/domain/forge/access"
import { catalogueRoute } from "@slipway/http/api/forge"
import missing from "../routes-without-endpoint.json" with { type: "json" }
import { endpoints } from "../support/endpoints.ts"

// Requests of git clients are outside the API; the forge app's tests send them.
const isOfGit = (route: string) => / \/\{username\}\/\{reponame\}(\.wiki)?\.git\//.test(route)
// Package registries are outside it too; `packages.test.ts` and `containers.test.ts` test them.
const isOfRegistry = (route: string) => / \/(?:api\/packages|v2)\//.test(route)
// So are workflow badges, which `workflow-badges.test.ts` tests.
const isOfBadge = (route: string) => route.endsWith("/badge.svg")
const catalogue = Object.values<Action>(actions)
  .flatMap((action) => action.routes)
  .filter((route) => !isOfGit(route) && !isOfRegistry(route) && !isOfBadge(route))
const built = new Set(
  endpoints.flatMap(({ action, method, path }) => {
    const route = catalogueRoute(action, { method, path: path.replace(/\{(\w+)\}/g, ":$1") })
    // Every route with GET also answers HEAD.
    return [route, route.replace(/^GET /, "HEAD ")]
  })
)

/** The number of routes without an endpoint when this was last lowered; it never rises. */
const most = 0

describe("the routes without an endpoint", () => {
  it("equal all routes of the catalog that no endpoint serves", () => {
    expect(
      new Set(missing),
      "routes of actions without an endpoint: declare them in packages/http/src/api/forge (packages/http/test/forge/routes-without-endpoint.json lists the rest)"
    ).toEqual(new Set(catalogue.filter((route) => !built.has(route))))
    expect(new Set(missing).size).toBe(missing.length)
  })

  it("are as many as recorded, and the recorded number only decreases", () => {
    expect(missing.length, "set `most` in packages/http/test/forge/surface/coverage.test.ts to the lower count").toBe(
      most
    )
  })
})
