import { describe, expect, it } from "@effect/vitest"
import { type Action, actions } from "@slipway/domain/forge"
import missing from "./routes-without-endpoint.json" with { type: "json" }

const catalogue = Object.values<Action>(actions).flatMap((action) => action.routes)

/** How many routes were without an endpoint when this was last lowered; it is never raised. */
const most = 497

describe("the routes without an endpoint", () => {
  it("are routes of the catalogue, each named once", () => {
    expect(missing.filter((route) => !(catalogue as ReadonlyArray<string>).includes(route))).toEqual([])
    expect(new Set(missing).size).toBe(missing.length)
  })

  it("only become fewer: the list is not written anew, and an endpoint that is gone can not be put back on it", () => {
    expect(missing.length).toBe(most)
  })
})
