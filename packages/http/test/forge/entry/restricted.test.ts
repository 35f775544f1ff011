import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { endpoints, pathOf } from "../support/endpoints.ts"
import { basic, start } from "../support/harness.ts"

const rex = { headers: basic("rex") }
const lim = { headers: basic("lim") }

/** Routes below the name of an account, and questions about it by its name. */
const below = ["", "/repos", "/followers", "/following", "/orgs", "/heatmap", "/starred", "/activities/feeds"]

/** Administrators of a team or a repository add any user by exact name, which is not secret. */
const addsByName: ReadonlySet<string> = new Set(["team.member.add", "repository.collaborator.add"])

describe("a limited account that a restricted user requests", () => {
  it.live("is reported as missing by name, except while both users share a resource (I7, I9)", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("rex", { restricted: true })
      yield* api.user("lim", { visibility: "limited" })
      yield* api.user("pub")
      const answers = (name: string) =>
        Effect.forEach(below, (path) =>
          Effect.map(api.send("GET", `/users/${name}${path}`, rex), ({ headers, status, text }) =>
            status === 404 ? { status, text, headers: [...headers] } : status
          )
        )
      const found = below.map(() => 200)
      const missing = yield* answers("nobody")
      expect(yield* answers("lim")).toEqual(missing)
      // Public resources contain the name, though no list shows it to rex.
      expect(yield* answers("pub")).toEqual(found)
      expect(yield* api.ask(200, "GET", "/users/search?q=pub", rex)).toEqual({ ok: true, data: [] })
      yield* api.ask(404, "PUT", "/user/following/lim", rex)
      yield* api.ask(201, "POST", "/user/repos", { ...lim, body: { name: "one", private: true } })
      yield* api.ask(204, "PUT", "/repos/lim/one/collaborators/rex", { ...lim, body: { permission: "read" } })
      expect(yield* answers("lim")).toEqual(found)
      expect((yield* api.ask(200, "GET", "/users/lim", rex)).visibility).toBe("limited")
      yield* api.ask(204, "DELETE", "/repos/lim/one/collaborators/rex", lim)
      expect(yield* answers("lim")).toEqual(missing)
    })
  )

  it.live("is reported as missing on all other routes, unless a route adds users by exact name (I9)", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("root", { admin: true })
      yield* api.user("rex", { restricted: true })
      yield* api.user("lim", { visibility: "limited" })
      yield* api.ask(201, "POST", "/orgs", { headers: basic("root"), body: { username: "acme" } })
      const [owners] = yield* api.ask(200, "GET", "/orgs/acme/teams", { headers: basic("root") })
      yield* api.ask(204, "PUT", `/teams/${owners.id}/members/rex`, { headers: basic("root") })
      yield* api.ask(201, "POST", "/user/repos", { ...rex, body: { name: "one", auto_init: true } })
      yield* api.ask(201, "POST", "/repos/rex/one/issues", { ...rex, body: { title: "An issue" } })
      const parts = { org: "acme", reponame: "one", id: String(owners.id), index: "1" }
      const naming = endpoints.flatMap(({ action, method, path }) => {
        const name = path
          .match(/\{(username|target|user|collaborator|assignee)\}/g)
          ?.at(-1)
          ?.slice(1, -1)
        const isOwner = name === undefined || (name === "username" && path.includes("{username}/{reponame}"))
        return isOwner || path.startsWith("/admin/") || addsByName.has(action) ? [] : [{ action, method, name, path }]
      })
      const asked = [
        ...naming.map(({ action, method, name, path }) => {
          const id = path.startsWith("/teams/") ? parts.id : "1"
          return {
            what: `${method} ${path} (${action})`,
            ask: (who: string) => {
              const at = pathOf({ path }, { username: "rex", ...parts, id, [name]: who })
              return api.send(method, at, { ...rex, ...(method === "GET" || method === "DELETE" ? {} : { body: {} }) })
            }
          }
        }),
        ...["/repos/rex/one/access/explain?action=repository.read&user=", "/repos/rex/one/times?user="].map((path) => ({
          what: path,
          ask: (who: string) => api.send("GET", `${path}${who}`, rex)
        }))
      ]
      const told: Array<string> = []
      for (const { ask, what } of asked) {
        const said = (text: string, name: string) => text.replaceAll(name, "…")
        const [limited, missing] = [yield* ask("lim"), yield* ask("nobody")]
        if (limited.status !== missing.status || said(limited.text, "lim") !== said(missing.text, "nobody"))
          told.push(what)
      }
      expect(asked.length).toBeGreaterThan(40)
      expect(told).toEqual([])
    })
  )
})
