import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"

const made = Effect.gen(function* () {
  const api = yield* withPeople(kindsOfGit[0][1])
  const id = yield* makeRepository(api, "app")
  const commit = yield* commitTo(api, id, { a: "a" })
  const create = (body: object) => api.ask(201, "POST", `${base}/deployments`, { ...ann, body })
  return { api, commit, create }
})

describe("deployments", () => {
  it.live("have GitHub's shape and defaults, and are listed newest first by their filters", () =>
    Effect.gen(function* () {
      const { api, commit, create } = yield* made
      const first = yield* create({ ref: "main" })
      const url = `${first.repository_url}/deployments/${first.id}`
      expect(first.repository_url).toMatch(/\/api\/v1\/repos\/ann\/app$/)
      expect(first).toEqual({
        id: first.id,
        url,
        sha: commit,
        ref: "main",
        task: "deploy",
        environment: "production",
        original_environment: "production",
        description: "",
        creator: expect.objectContaining({ login: "ann" }),
        transient_environment: false,
        production_environment: true,
        statuses_url: `${url}/statuses`,
        repository_url: first.repository_url,
        created_at: expect.any(String),
        updated_at: expect.any(String)
      })
      expect(yield* api.ask(200, "GET", `${base}/deployments/${first.id}`, ann)).toEqual(first)
      const second = yield* create({
        ref: commit,
        task: "migrate",
        environment: "preview-7",
        description: "of a pull request",
        transient_environment: true
      })
      expect([second.transient_environment, second.production_environment]).toEqual([true, false])
      const listed = (query: string) =>
        Effect.map(api.ask(200, "GET", `${base}/deployments?${query}`, bob), (rows) =>
          rows.map(({ id }: { id: number }) => id)
        )
      expect(yield* listed("")).toEqual([second.id, first.id])
      expect(yield* listed("limit=1&page=2")).toEqual([first.id])
      expect(yield* listed("environment=PRODUCTION")).toEqual([first.id])
      expect(yield* listed(`ref=${commit}`)).toEqual([second.id])
      expect(yield* listed("task=migrate")).toEqual([second.id])
      expect(yield* listed(`sha=${commit}`)).toEqual([second.id, first.id])
      expect(yield* listed("sha=main")).toEqual([])
    })
  )

  it.live("have statuses, the newest first", () =>
    Effect.gen(function* () {
      const { api, create } = yield* made
      const { id, url } = yield* create({ ref: "main" })
      const statuses = `${base}/deployments/${id}/statuses`
      const give = (body: object) => api.ask(201, "POST", statuses, { ...ann, body })
      const started = yield* give({ state: "in_progress", log_url: "https://deploy.example/1" })
      const body = { state: "success", description: "Deployed in 2 s", environment_url: "https://app.example" }
      const done = yield* give(body)
      expect(done).toEqual({
        id: done.id,
        url: `${url}/statuses/${done.id}`,
        state: "success",
        description: "Deployed in 2 s",
        environment: "production",
        environment_url: "https://app.example",
        log_url: "",
        target_url: "",
        creator: expect.objectContaining({ login: "ann" }),
        deployment_url: url,
        repository_url: url.replace(/\/deployments\/\d+$/, ""),
        created_at: expect.any(String),
        updated_at: expect.any(String)
      })
      expect(started.target_url).toBe("https://deploy.example/1")
      expect(yield* api.ask(200, "GET", statuses, ann)).toEqual([done, started])
    })
  )

  it.live("create the environment that they name, once and ignoring case", () =>
    Effect.gen(function* () {
      const { api, create } = yield* made
      expect(yield* api.ask(200, "GET", `${base}/environments`, bob)).toEqual({ environments: [], total_count: 0 })
      for (const environment of ["production", "preview 7", "Production"]) yield* create({ ref: "main", environment })
      const { environments, total_count } = yield* api.ask(200, "GET", `${base}/environments`, bob)
      expect(total_count).toBe(2)
      expect(environments.map(({ name, url }: { name: string; url: string }) => [name, url])).toEqual([
        ["production", expect.stringMatching(/\/repos\/ann\/app\/environments\/production$/)],
        ["preview 7", expect.stringMatching(/\/environments\/preview%207$/)]
      ])
    })
  )

  it.live("need write access to the code, an existing revision, and a deployment of the same repository", () =>
    Effect.gen(function* () {
      const { api, create } = yield* made
      const { id } = yield* create({ ref: "main" })
      const body = { ref: "main" }
      yield* api.ask(403, "POST", `${base}/deployments`, { ...bob, body })
      yield* api.ask(403, "POST", `${base}/deployments/${id}/statuses`, { ...bob, body: { state: "success" } })
      yield* api.ask(404, "POST", `${base}/deployments`, { ...ann, body: { ref: "missing" } })
      yield* api.ask(422, "POST", `${base}/deployments`, { ...ann, body: { ref: "main", environment: " " } })
      const script = { state: "success", environment_url: "javascript:alert(1)" }
      yield* api.ask(422, "POST", `${base}/deployments/${id}/statuses`, { ...ann, body: script })
      yield* api.ask(422, "POST", `${base}/deployments/${id}/statuses`, { ...ann, body: { state: "deployed" } })
      yield* makeRepository(api, "other")
      yield* api.ask(404, "GET", `/repos/ann/other/deployments/${id}`, ann)
      yield* api.ask(404, "GET", `/repos/ann/other/deployments/${id}/statuses`, ann)
      const elsewhere = `/repos/ann/other/deployments/${id}/statuses`
      yield* api.ask(404, "POST", elsewhere, { ...ann, body: { state: "success" } })
      yield* api.ask(404, "GET", `${base}/deployments/${id + 1}`, ann)
      expect(yield* api.ask(200, "GET", `${base}/deployments/${id}/statuses`, ann)).toEqual([])
      yield* makeRepository(api, "hidden", { private: true })
      yield* api.ask(404, "GET", "/repos/ann/hidden/deployments", bob)
      yield* api.ask(404, "GET", "/repos/ann/hidden/environments", bob)
    })
  )
})
