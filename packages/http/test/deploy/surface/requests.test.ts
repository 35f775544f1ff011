import { expect, it as plainIt } from "@effect/vitest"
import { ApplicationStore } from "@slipway/domain/deploy/apps"
import type { Visible } from "@slipway/domain/deploy/identity"
import { layer as memory } from "@slipway/memory/deploy"
import { Effect, Layer } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { endpoints } from "../support/endpoints.ts"
import { start } from "../support/harness.ts"
import { makeWorld } from "../support/world.ts"

const linksOf = (header: string | null): Record<string, string> =>
  Object.fromEntries(
    (header ?? "").split(", ").map((link) => /^<(.*)>; rel="(\w+)"$/.exec(link)?.slice(1).reverse() ?? [])
  )

withApi()("a request", (it) => {
  it.effect("is read as JSON regardless of its content type, so that plain `curl -d` works everywhere", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      for (const [n, type] of [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/form-data; boundary=x",
        "nonsense"
      ].entries()) {
        for (const [path, body] of [
          ["/api/v1/projects", { name: `typed ${n}` }],
          ["/api/v1/applications/dockerimage", world.minimal.dockerimage]
        ] as const) {
          const raw = new TextEncoder().encode(JSON.stringify(body))
          const answer = yield* service.send("POST", path, { raw, headers: { "content-type": type } })
          expect(answer.status, `${path} as ${type}: ${answer.text}`).toBe(201)
        }
      }
      const untyped = yield* service.send("POST", "/api/v1/projects", { raw: new TextEncoder().encode('{"name":"x"}') })
      expect(untyped.status).toBe(201)
    })
  )

  it.effect("returns 400 for unknown query parameters, together with all other errors of the query", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const message = "Validation failed."
      const wrong = (...names: ReadonlyArray<string>) =>
        Object.fromEntries(names.map((name) => [name, ["This field is not allowed."]]))
      expect(yield* service.ask(400, "GET", "/projects?nothing=1&__proto__=2")).toEqual({
        message,
        errors: JSON.parse('{"nothing":["This field is not allowed."],"__proto__":["This field is not allowed."]}')
      })
      const application = yield* world.create("dockerimage")
      const { errors } = yield* service.ask(400, "GET", `/applications/${application}/logs?lines=0&tail=5`)
      expect(Object.keys(errors).sort()).toEqual(["lines", "tail"])
      expect(errors).toMatchObject(wrong("tail"))
      expect(yield* service.ask(400, "DELETE", `/applications/${application}?delete_volume=true`)).toEqual({
        message,
        errors: wrong("delete_volume")
      })
      yield* service.ask(200, "GET", `/applications/${application}`)
    })
  )

  it.effect("may omit a body that has no required fields, as OpenAPI states", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const { paths } = (yield* service.send("GET", "/api/v1/openapi.json")).json
      for (const [path, status] of [
        ["/api/v1/servers/{uuid}/docker-cleanup/run", 200],
        ["/api/v1/servers/{uuid}/validate", 201]
      ] as const) {
        expect((yield* service.send("POST", path.replace("{uuid}", world.server))).status, path).toBe(status)
        expect(paths[path].post.requestBody.required, path).toBe(false)
      }
      expect(paths["/api/v1/deploy"].post.requestBody.required).toBe(false)
      expect(paths["/api/v1/projects"].post.requestBody.required).toBe(true)
    })
  )

  it.effect("may begin with a byte order mark, and the last of duplicate fields is used", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/projects", undefined, {
        raw: '\uFEFF {"name":"one","name":"two"}\n'
      })
      expect((yield* service.ask(200, "GET", `/projects/${uuid}`)).name).toBe("two")
      const raw = `\uFEFF${JSON.stringify({ name: "one", ...world.minimal.dockerimage }).replace(/\}$/, ',"name":"two"}')}`
      const application = yield* service.ask(201, "POST", "/applications/dockerimage", undefined, { raw })
      expect((yield* service.ask(200, "GET", `/applications/${application.uuid}`)).name).toBe("two")
    })
  )

  it.effect("returns 404 for an unknown path, and 405 with the allowed methods for a wrong method", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      for (const path of [
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v2/applications",
        "/API/V1/applications",
        "/api/v1/applications/x/y/z"
      ]) {
        const answer = yield* service.send("GET", path)
        expect([answer.status, answer.json], path).toEqual([404, { message: "Not found." }])
      }
      const allowed = new Map<string, Set<string>>([
        ["/api/v1/openapi.json", new Set(["GET"])],
        ["/docs", new Set(["GET"])]
      ])
      for (const { method, path } of endpoints) allowed.set(path, (allowed.get(path) ?? new Set<string>()).add(method))
      for (const [path, methods] of allowed) {
        // A path that also matches a parameter of another endpoint allows that endpoint's methods too.
        const also = path.endsWith("/envs/bulk")
          ? ["DELETE"]
          : /^\/api\/v1\/(?:applications\/|databases\/|servers\/import$)/.test(path) && !path.includes("nowhere")
            ? ["GET", "PATCH", "DELETE"]
            : []
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          if (methods.has(method) || also.includes(method)) continue
          const answer = yield* service.send(method, path, { token: undefined })
          const said = `${method} ${path}`
          expect([answer.status, answer.json], said).toEqual([405, { message: "Method not allowed." }])
          const allow = (answer.headers.get("allow") ?? "").split(", ")
          for (const one of methods) expect(allow, said).toContain(one)
          expect(allow.includes("HEAD"), said).toBe(allow.includes("GET"))
          expect(allow, said).not.toContain(method)
        }
      }
    })
  )

  it.effect("returns the status and headers of GET for HEAD, and no body", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const uuid = yield* world.create("dockerimage")
      for (const path of [
        `/api/v1/applications/${uuid}`,
        "/api/v1/applications",
        "/api/v1/applications?per_page=1",
        "/api/v1/applications/nowhere",
        "/api/v1/openapi.json",
        "/docs"
      ]) {
        const got = yield* service.send("GET", path)
        const headed = yield* service.send("HEAD", path)
        expect([headed.status, headed.text], path).toEqual([got.status, ""])
        for (const name of ["content-type", "link", "x-total-count"])
          expect(headed.headers.get(name), path).toBe(got.headers.get(name))
      }
      expect((yield* service.send("HEAD", "/api/v1/applications", { token: undefined })).status).toBe(401)
      expect((yield* service.send("HEAD", "/nowhere")).status).toBe(404)
    })
  )

  it.effect("returns 404 for a resource that was just deleted", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const uuid = yield* world.create("dockerimage", { domains: "http://gone.example" })
      const path = `/api/v1/applications/${uuid}`
      const deletions = yield* Effect.all(
        Array.from({ length: 10 }, () => service.send("DELETE", path)),
        { concurrency: "unbounded" }
      )
      expect(deletions.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
      const gone = { message: "Application not found." }
      for (const [method, sent] of [
        ["GET", {}],
        ["PATCH", { body: { description: "x" } }],
        ["PATCH", { body: { description: 5 } }],
        ["PATCH", { raw: "{" }],
        ["DELETE", {}]
      ] as const) {
        const answer = yield* service.send(method, path, sent)
        expect([answer.status, answer.json], method).toEqual([404, gone])
      }
      const query = yield* service.send("DELETE", `${path}?delete_volumes=maybe`)
      expect([query.status, query.json]).toEqual([404, gone])
      expect(
        (yield* service.ask(200, "GET", "/deletions")).filter(
          (each: { application_uuid: string }) => each.application_uuid === uuid
        )
      ).toHaveLength(1)
    })
  )
})

for (const store of storeNames) {
  withApi(store)(`a list over ${store}`, (it) => {
    it.effect("is complete and ordered by creation without parameters, and is paginated with parameters", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const created: Array<string> = []
        for (let n = 0; n < 7; n++) created.push(yield* world.create("dockerimage", { name: `app ${n}` }))
        const uuids = (rows: ReadonlyArray<{ uuid: string }>) => rows.map(({ uuid }) => uuid)
        const whole = yield* service.send("GET", "/api/v1/applications")
        expect(uuids(whole.json)).toEqual(created)
        expect([whole.headers.get("link"), whole.headers.get("x-total-count")]).toEqual([null, null])
        expect(whole.headers.get("content-type")).toMatch(/^application\/json/)
        const pages: Record<string, readonly [rows: ReadonlyArray<string>, rels: Record<string, number>]> = {
          "per_page=3": [created.slice(0, 3), { first: 1, next: 2, last: 3 }],
          "page=2&per_page=3": [created.slice(3, 6), { first: 1, prev: 1, next: 3, last: 3 }],
          "per_page=3&page=3": [created.slice(6), { first: 1, prev: 2, last: 3 }],
          "page=9&per_page=3": [[], { first: 1, prev: 3, last: 3 }],
          "page=1000000000&per_page=100": [[], { first: 1, prev: 1, last: 1 }],
          "page=1": [created, { first: 1, last: 1 }],
          "per_page=7": [created, { first: 1, last: 1 }]
        }
        for (const [query, [rows, rels]] of Object.entries(pages)) {
          const answer = yield* service.send("GET", `/api/v1/applications?${query}`)
          expect(uuids(answer.json), query).toEqual(rows)
          expect(answer.headers.get("x-total-count"), query).toBe("7")
          const links = linksOf(answer.headers.get("link"))
          expect(Object.keys(links), query).toEqual(Object.keys(rels))
          for (const [rel, page] of Object.entries(rels)) {
            const target = new URL(links[rel] ?? "", "http://deploy.test")
            expect([target.pathname, target.searchParams.get("page")], query).toEqual([
              "/api/v1/applications",
              String(page)
            ])
          }
        }
      })
    )

    it.effect("rejects an invalid page or page size, on every list", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        // Shared variables are returned as a whole, as clients expect: an owner has at most 1,000. An account has at
        // most 100 sessions and 100 tokens, and lists of people are short.
        const whole: ReadonlyArray<string | undefined> = [
          "account.session.list",
          "account.token.list",
          "grant.list",
          "role.list",
          "sharedVariable.list",
          "team.member.list"
        ]
        const lists = endpoints.filter(
          ({ action, template }) => action?.endsWith(".list") && !whole.includes(action) && !template.includes("{")
        )
        expect(lists.length).toBeGreaterThan(8)
        for (const { path } of lists) {
          for (const value of ["0", "-1", "1.5", "x", "", "1e2", "0x10", "%20", "101", "99999999999999999999", "1,2"]) {
            const answer = yield* service.send("GET", `${path}?per_page=${value}`)
            const errors = { per_page: ["Must be a whole number from 1 to 100."] }
            expect([answer.status, answer.json], `${path} ${value}`).toEqual([
              400,
              { message: "Validation failed.", errors }
            ])
          }
          const both = yield* service.send("GET", `${path}?page=0&per_page=1&per_page=2`)
          expect(both.json.errors, path).toEqual({
            page: ["Must be a whole number from 1 to 1000000000."],
            per_page: ["Must be sent once."]
          })
          const page = yield* service.send("GET", `${path}?per_page=1`)
          expect(page.status).toBe(200)
          const whole = yield* service.ask(200, "GET", path.replace("/api/v1", ""))
          expect(page.json, path).toEqual(whole.slice(0, 1))
          expect(page.headers.get("x-total-count"), path).toBe(String(whole.length))
        }
      })
    )

    it.effect("is filtered by a tag for applications, ignoring case", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const tagged: Array<string> = []
        for (let n = 0; n < 3; n++) {
          const uuid = yield* world.create("dockerimage")
          yield* service.ask(201, "POST", `/applications/${uuid}/tags`, { tag_name: n === 1 ? "Größe XL" : "größe xl" })
          tagged.push(uuid)
        }
        const list = (query: string) =>
          Effect.map(service.ask(200, "GET", `/applications?${query}`), (rows) =>
            rows.map(({ uuid }: { uuid: string }) => uuid)
          )
        expect(yield* list("tag=GR%C3%96SSE%20XL")).toEqual(tagged)
        expect(yield* list("tag=GR%C3%96%C3%9FE+xl")).toEqual(tagged)
        expect(yield* list("tag=gr%C3%B6%C3%9Fe%20xl&page=2&per_page=2")).toEqual(tagged.slice(2))
        const page = yield* service.send("GET", "/api/v1/applications?tag=gr%C3%B6%C3%9Fe%20xl&per_page=2")
        expect(page.headers.get("x-total-count")).toBe("3")
        expect(new URL(linksOf(page.headers.get("link")).next ?? "", "http://x").searchParams.get("tag")).toBe(
          "größe xl"
        )
        expect(yield* list("tag=nothing")).toEqual([])
        expect(yield* list("tag=")).toEqual([])
        expect((yield* service.send("GET", "/api/v1/applications?tag=a&tag=b")).json.errors).toEqual({
          tag: ["Must be sent once."]
        })
      })
    )

    it.effect("is filtered by a repository for applications, by its name or address, ignoring case", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const built: Array<string> = []
        for (const git_repository of [
          "https://one.example/Filtered/Site.git",
          "https://one.example/filtered/site-two.git",
          "https://me:secret@two.example/filtered/site",
          "https://three.example/un-filtered/site.git"
        ]) {
          built.push(yield* world.create("public", { git_repository }))
        }
        const [one, , two] = built
        yield* service.ask(201, "POST", `/applications/${two}/tags`, { tag_name: "second" })
        const list = (query: string) =>
          Effect.map(service.ask(200, "GET", `/applications?${query}`), (rows) =>
            rows.map(({ uuid }: { uuid: string }) => uuid)
          )
        expect(yield* list("repository=filtered/site")).toEqual([one, two])
        expect(yield* list("repository=FILTERED%2FSITE.git&page=2&per_page=1")).toEqual([two])
        expect(yield* list("repository=https://ONE.example/filtered/site")).toEqual([one])
        expect(yield* list("repository=https://two.example/filtered/site.git")).toEqual([two])
        expect(yield* list("repository=filtered/site&tag=SECOND")).toEqual([two])
        expect(yield* list("repository=filtered/site-two&tag=second")).toEqual([])
        const page = yield* service.send("GET", "/api/v1/applications?repository=filtered/site&per_page=1")
        expect(page.headers.get("x-total-count")).toBe("2")
        expect(new URL(linksOf(page.headers.get("link")).next ?? "", "http://x").searchParams.get("repository")).toBe(
          "filtered/site"
        )
        for (const unknown of ["filtered/none", "site", "", "/filtered/site", "../site"]) {
          const none = yield* service.send("GET", `/api/v1/applications?repository=${unknown}&per_page=5`)
          expect([none.status, none.json, none.headers.get("x-total-count")], unknown).toEqual([200, [], "0"])
        }
        const long = yield* service.send("GET", `/api/v1/applications?repository=${"x".repeat(2049)}`)
        expect([long.status, long.json.errors]).toEqual([
          400,
          { repository: ["Must be at most 2048 characters long."] }
        ])
      })
    )
  })
}

plainIt.live("I25: a list without parameters is read in batches, and the reads stop when the client disconnects", () =>
  Effect.gen(function* () {
    let windows = 0
    const endless = Layer.effect(
      ApplicationStore,
      Effect.map(ApplicationStore, (store) => ({
        ...store,
        listVisible: (_: Visible, window: Parameters<typeof store.list>[0]) =>
          Effect.map(store.list({ limit: 1 }), ([row]) => {
            windows++
            const { after = 0, limit } = window
            return row === undefined ? [] : Array.from({ length: limit }, (_, n) => ({ ...row, id: after + n + 1 }))
          })
      }))
    ).pipe(Layer.provideMerge(memory))
    const service = yield* start(endless)
    const world = yield* makeWorld(service)
    yield* world.create("dockerimage")
    const response = yield* service.fetch("GET", "/api/v1/applications", { token: service.root })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let text = ""
    for (let n = 0; n < 20; n++) {
      const { value } = yield* Effect.promise(() => reader.read())
      text += new TextDecoder().decode(value)
    }
    yield* Effect.promise(() => reader.cancel())
    const rows = text.match(/"uuid":/g)?.length ?? 0
    expect(text.startsWith('[{"id":1,')).toBe(true)
    expect(rows).toBeGreaterThan(1_000)
    const read = windows
    expect(read * 200 - rows).toBeLessThanOrEqual(600)
    yield* Effect.sleep("50 millis")
    // One window may be in progress.
    expect(windows).toBeLessThanOrEqual(read + 1)
  })
)
