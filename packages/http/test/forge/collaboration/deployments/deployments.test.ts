import { describe, expect, it } from "@effect/vitest"
import { type Mail, Mailer } from "@slipway/domain"
import { Jobs } from "@slipway/forge/background"
import { Mails } from "@slipway/forge/base"
import { Effect, Layer } from "effect"
import { basic, rootUrl, start } from "../../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../../support/repositories.ts"

const base = "/repos/ann/app"

const made = Effect.gen(function* () {
  const api = yield* withPeople(kindsOfGit[0][1])
  const id = yield* makeRepository(api, "app")
  const commit = yield* commitTo(api, id, { a: "a" })
  const create = (body: object) => api.ask(201, "POST", `${base}/deployments`, { ...ann, body })
  return { api, commit, create }
})

describe("deployments", () => {
  it.live("have GitHub's format and defaults, and are listed newest first, with filters", () =>
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
        environment_url: "",
        log_url: "",
        description: "",
        creator: expect.objectContaining({ login: "ann" }),
        transient_environment: false,
        production_environment: true,
        state: "pending",
        approval: { state: "approved", current_user_can_approve: false },
        connected: true,
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

  it.live("have statuses, and the newest status is listed first", () =>
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
      const [shown] = yield* api.ask(200, "GET", `${base}/deployments`, ann)
      expect([shown.state, shown.environment_url, shown.log_url]).toEqual(["success", "https://app.example", ""])
    })
  )

  it.live("create the environment that they name only once, ignoring case", () =>
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

describe("a failed production deployment", () => {
  /** Ann's repository on a site with mail, a robot that may write, and a commit that Bob pushed. */
  const failing = Effect.gen(function* () {
    const sent: Array<Mail> = []
    const mailer = Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void sent.push(mail)) })
    const api = yield* start({ outside: Layer.provide(Mails.layerDelivery, mailer), site: { rootUrl } })
    for (const name of ["ann", "bob", "robot"]) yield* api.user(name)
    yield* makeRepository(api, "app", { private: true })
    const robot = { headers: basic("robot") }
    for (const name of ["bob", "robot"]) {
      yield* api.ask(204, "PUT", `${base}/collaborators/${name}`, { ...ann, body: { permission: "write" } })
    }
    const content = { content: Buffer.from("a").toString("base64"), message: "add a" }
    const { commit } = yield* api.ask(201, "POST", `${base}/contents/a`, { ...bob, body: content })
    const deploy = (environment: string) =>
      Effect.map(
        api.ask(201, "POST", `${base}/deployments`, { ...robot, body: { ref: commit.sha, environment } }),
        ({ id }) => id as number
      )
    const give = (id: number, body: object) =>
      api.ask(201, "POST", `${base}/deployments/${id}/statuses`, { ...robot, body })
    const letters = Effect.map(api.within(Jobs.runDue), () => sent.splice(0))
    return { api, commit: commit.sha as string, deploy, give, letters }
  })
  const failure = { state: "failure", description: "Deployment failed after 3 s", log_url: "https://deploy.example/1" }

  it.live("sends one email to the user who pushed the commit", () =>
    Effect.gen(function* () {
      const { commit, deploy, give, letters } = yield* failing
      const id = yield* deploy("production")
      yield* give(id, { state: "in_progress" })
      expect(yield* letters).toEqual([])
      // Neither a repeated failure nor one after another state sends a second email.
      yield* give(id, failure)
      yield* give(id, failure)
      yield* give(id, { state: "in_progress" })
      yield* give(id, failure)
      const [letter, ...others] = yield* letters
      const short = commit.slice(0, 10)
      expect([letter?.to, letter?.subject]).toEqual([
        { name: "bob", address: "bob@example.com" },
        `[ann/app] The deployment of ${short} to production failed`
      ])
      expect(letter?.text).toBe(
        [
          `The deployment of ${short} to production failed.`,
          "Deployment failed after 3 s",
          "Log: https://deploy.example/1",
          `Show the commit: ${rootUrl}/ann/app/commit/${commit}`,
          "-- \nYou receive this email because you pushed this commit to ann/app.\n"
        ].join("\n\n")
      )
      expect(others).toEqual([])
    })
  )

  it.live("sends the email to the user who pushed the deployed ref, not to a user who tagged the commit later", () =>
    Effect.gen(function* () {
      const { api, commit, give, letters } = yield* failing
      yield* api.ask(201, "POST", `${base}/tags`, { ...ann, body: { tag_name: "v1", target: commit } })
      for (const ref of ["main", commit]) {
        const body = { ref, environment: "Production" }
        const { id } = yield* api.ask(201, "POST", `${base}/deployments`, { headers: basic("robot"), body })
        yield* give(id, failure)
        expect((yield* letters).map(({ to }) => to.name)).toEqual(["bob"])
      }
    })
  )

  it.live("sends no email about a preview, nor to a user who lost access, blocks the robot or disabled emails", () =>
    Effect.gen(function* () {
      const { api, deploy, give, letters } = yield* failing
      yield* give(yield* deploy("preview/pr-7"), failure)
      yield* api.ask(200, "PATCH", "/user/settings", { ...bob, body: { email_notifications_preference: "disabled" } })
      yield* give(yield* deploy("production"), failure)
      yield* api.ask(200, "PATCH", "/user/settings", { ...bob, body: { email_notifications_preference: "enabled" } })
      yield* api.ask(204, "PUT", "/user/blocks/robot", bob)
      yield* give(yield* deploy("production"), failure)
      yield* api.ask(204, "DELETE", "/user/blocks/robot", bob)
      yield* api.ask(204, "DELETE", `${base}/collaborators/bob`, ann)
      yield* give(yield* deploy("production"), failure)
      expect(yield* letters).toEqual([])
      yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "read" } })
      yield* give(yield* deploy("production"), failure)
      expect((yield* letters).map(({ to }) => to.name)).toEqual(["bob"])
    })
  )
})
