import { describe, expect, it } from "@effect/vitest"
import { type HookRequest, HookSender, HookUnsent } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { HookWork } from "@slipway/forge/integrations"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { basic, rootUrl } from "../support/harness.ts"
import { at, bob, eve, file, hook, receiver, site } from "../support/hooks.ts"

describe("webhooks", () => {
  it.live("are created, listed, read, changed and deleted, and never return their secrets (I15)", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      const made = yield* hook(api, {
        config: { url: receiver, content_type: "form", secret: "hush" },
        authorization_header: "Bearer tell-nobody",
        events: ["issues_only", "push"],
        branch_filter: "release/*"
      })
      expect(made).toEqual({
        id: made.id,
        type: "gitea",
        config: { url: receiver, content_type: "form" },
        events: ["push", "issues"],
        branch_filter: "release/*",
        active: true,
        created_at: made.created_at,
        updated_at: made.updated_at
      })
      expect(yield* api.ask(200, "GET", `${at}/hooks`, bob)).toEqual([made])
      const changed = yield* api.ask(200, "PATCH", `${at}/hooks/${made.id}`, {
        ...bob,
        body: { active: false, events: ["create"] }
      })
      expect(changed).toMatchObject({ active: false, events: ["create"], config: { url: receiver } })
      expect(yield* api.ask(200, "GET", `${at}/hooks/${made.id}`, bob)).toEqual(changed)
      const everything = JSON.stringify([made, changed])
      expect([everything.includes("hush"), everything.includes("tell-nobody")]).toEqual([false, false])
      yield* api.ask(204, "DELETE", `${at}/hooks/${made.id}`, bob)
      yield* api.ask(404, "GET", `${at}/hooks/${made.id}`, bob)
    })
  )

  it.live("are found only in their own scope (I6), by its administrators", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      const { id } = yield* hook(api)
      yield* api.ask(201, "POST", "/user/repos", { ...eve, body: { name: "own" } })
      yield* api.ask(404, "GET", `/repos/eve/own/hooks/${id}`, eve)
      yield* api.ask(404, "PATCH", `/user/hooks/${id}`, { ...bob, body: { active: false } })
      yield* api.ask(404, "DELETE", `/admin/hooks/${id}`, { headers: basic("root") })
      yield* api.ask(403, "GET", `${at}/hooks`, eve)
      for (const [place, as] of [
        ["/user/hooks", bob],
        ["/admin/hooks", { headers: basic("root") }]
      ] as const) {
        const own = yield* hook(api, {}, place, as)
        expect(yield* api.ask(200, "GET", place, as)).toEqual([own])
        yield* api.ask(404, "GET", `${at}/hooks/${own.id}`, bob)
      }
    })
  )

  it.live("reject invalid addresses, fields and headers", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      const refused = (more: object) =>
        Effect.map(
          api.ask(422, "POST", `${at}/hooks`, {
            ...bob,
            body: { type: "gitea", config: { url: receiver, content_type: "json" }, ...more }
          }),
          ({ message }) => message
        )
      expect(yield* refused({ config: { url: "file:///etc/passwd" } })).toBe(
        "[config.url]: must be an address that begins with http:// or https://"
      )
      expect(yield* refused({ config: { url: `${receiver}\r\nX-Other: b`, content_type: "json" } })).toBe(
        "[config.url]: must be an address that begins with http:// or https://"
      )
      expect(yield* refused({ config: { content_type: "json" } })).toBe("[config.url]: is missing")
      expect(yield* refused({ config: { url: receiver, content_type: "xml" } })).toBe(
        "[config.content_type]: must be json or form"
      )
      expect(yield* refused({ authorization_header: "a\r\nX-Other: b" })).toBe(
        "[authorization_header]: must be a valid header value"
      )
      expect(yield* refused({ events: ["everything"] })).toContain("[events")
    })
  )

  it.live("accept the header and the filter in the configuration, and name ignored settings", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      yield* deliver
      const config = { url: receiver, content_type: "json", branch_filter: "main", authorization_header: "Bearer y" }
      const create = (more: object, headers = {}) =>
        api.send("POST", `${at}/hooks`, {
          headers: { ...bob.headers, ...headers },
          body: {
            type: "gitea",
            active: true,
            events: ["push"],
            branch_filter: "",
            authorization_header: "",
            config: { ...config, ...more }
          }
        })
      const { headers, json, status } = yield* create({ insecure: "1" })
      expect([status, json.branch_filter, json.config]).toEqual([201, "main", { url: receiver, content_type: "json" }])
      expect(headers.get("x-svc-warning")).toBe("ignored fields: config.insecure")
      expect((yield* create({ insecure: "1" }, { prefer: "handling=strict" })).status).toBe(422)
      yield* file(api, "a.txt")
      yield* deliver
      expect(sent.map((request) => new Headers(request.headers).get("authorization"))).toEqual(["Bearer y"])
    })
  )

  it.live("report pushes, with the files of each commit, signed under the header names that receivers expect", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      yield* deliver
      yield* hook(api, {
        events: ["push"],
        config: { url: receiver, content_type: "json", secret: "hush" },
        authorization_header: "Bearer x"
      })
      yield* file(api, "a.txt")
      yield* deliver
      expect(sent.length).toBe(1)
      const [{ body, headers, method, url } = { body: "", headers: {}, method: "", url: "" }] = sent
      const payload = JSON.parse(body)
      expect([method, url]).toEqual(["POST", receiver])
      expect(payload).toMatchObject({
        ref: "refs/heads/main",
        total_commits: 1,
        commits: [{ message: "Add a.txt\n", added: ["a.txt"], removed: [], modified: [] }],
        head_commit: { id: payload.after },
        repository: { full_name: "bob/site", html_url: `${rootUrl}/bob/site`, clone_url: `${rootUrl}/bob/site.git` },
        pusher: { login: "bob", email: "bob@noreply.forge.test" },
        sender: { login: "bob" }
      })
      const key = yield* Effect.promise(() =>
        crypto.subtle.importKey("raw", Buffer.from("hush"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
      )
      const tag = yield* Effect.promise(() => crypto.subtle.sign("HMAC", key, Buffer.from(body)))
      const hex = Buffer.from(tag).toString("hex")
      expect(headers).toMatchObject({
        "Content-Type": "application/json",
        "X-Gitea-Event": "push",
        "X-GitHub-Event": "push",
        "X-Gogs-Event": "push",
        "X-Forgejo-Event": "push",
        "X-Gitea-Signature": hex,
        "X-Gogs-Signature": hex,
        "X-Forgejo-Signature": hex,
        "X-Hub-Signature-256": `sha256=${hex}`,
        Authorization: "Bearer x"
      })
    })
  )

  it.live("are signed for GitLab's receivers with Standard Webhooks, and never send the secret itself", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      const encoded = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
      for (const secret of ["hush", encoded]) {
        yield* hook(api, { events: ["push"], config: { url: receiver, content_type: "json", secret } })
      }
      yield* file(api, "a.txt")
      yield* deliver
      const readers = [new Webhook("hush", { format: "raw" }), new Webhook(encoded)]
      const read = (reader: Webhook, text: string, { headers }: HookRequest) => {
        try {
          return (reader.verify(text, { ...headers }) as { readonly ref: string }).ref
        } catch (problem) {
          return (problem as Error).message
        }
      }
      const wrong = "No matching signature found"
      const by = sent.map((request) => readers.map((reader) => read(reader, request.body, request)))
      expect(by.toSorted()).toEqual([
        [wrong, "refs/heads/main"],
        ["refs/heads/main", wrong]
      ])
      const [first] = sent
      expect(first && readers.map((reader) => read(reader, `${first.body} `, first))).toEqual([wrong, wrong])
      expect(sent.map(({ headers }) => headers["X-Gitlab-Token"])).toEqual([undefined, undefined])
    })
  )

  it.live("send only events that the branch filter and the list of events select", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      yield* hook(api, { events: ["push", "create"], branch_filter: "release/*" })
      yield* hook(api, { events: ["release"] })
      yield* hook(api, { active: false })
      yield* api.ask(201, "POST", `${at}/branches`, { ...bob, body: { new_branch_name: "release/1" } })
      yield* api.ask(201, "POST", `${at}/branches`, { ...bob, body: { new_branch_name: "other" } })
      yield* deliver
      expect(sent.map(({ headers }) => headers["X-Gitea-Event"])).toEqual(["create", "push"])
      expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ ref: "release/1", ref_type: "branch" })
    })
  )

  it.live("are delivered one after the other, in the order of the events", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      yield* hook(api, { events: ["push"] })
      const names = ["c.txt", "a.txt", "b.txt"]
      for (const name of names) yield* file(api, name)
      yield* deliver
      expect(sent.map(({ body }) => JSON.parse(body).commits[0].added[0])).toEqual(names)
    })
  )

  it.live("record requests and responses, retry temporary failures, and redeliver on request", () =>
    Effect.gen(function* () {
      let status = 500
      const { api, deliver, sent } = yield* site(() => ({ status, body: "no" }))
      yield* deliver
      const { id } = yield* hook(api, { authorization_header: "Bearer tell-nobody" })
      yield* api.ask(204, "POST", `${at}/hooks/${id}/tests`, bob)
      yield* deliver
      const list = () => api.ask(200, "GET", `${at}/hooks/${id}/deliveries`, bob)
      const [newest] = (yield* list()) as ReadonlyArray<{ readonly id: number }>
      expect(newest).toMatchObject({
        event: "push",
        state: "waiting",
        attempts: 1,
        reason: "the receiver responded with 500",
        status: 500
      })
      status = 404
      const again = yield* api.ask(202, "POST", `${at}/hooks/${id}/deliveries/${newest?.id}`, bob)
      expect(again).toMatchObject({ state: "waiting", attempts: 0 })
      yield* deliver
      // A later delivery waits for the earlier one.
      expect(sent.length).toBe(1)
      const details = yield* api.ask(200, "GET", `${at}/hooks/${id}/deliveries/${newest?.id}`, bob)
      expect(details).toMatchObject({
        payload: sent[0]?.body,
        request: { method: "POST", url: receiver, headers: { "X-Gitea-Event": "push", Authorization: "…" } },
        answer: { status: 500, body: "no" }
      })
      yield* api.ask(404, "GET", `${at}/hooks/${id}/deliveries/${(newest?.id ?? 0) + 1_000}`, bob)
    })
  )

  it.live("stop when their creator can no longer read the events, and report it (I7, CVE-2026-58440)", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      yield* api.ask(204, "PUT", `${at}/collaborators/eve`, { ...bob, body: { permission: "admin" } })
      const { id } = yield* hook(api, { events: ["push"] }, `${at}/hooks`, eve)
      yield* deliver
      yield* api.ask(204, "DELETE", `${at}/collaborators/eve`, bob)
      yield* file(api, "secret.txt")
      yield* deliver
      expect(sent).toEqual([])
      const [withheld] = yield* api.ask(200, "GET", `${at}/hooks/${id}/deliveries`, bob)
      expect(withheld).toMatchObject({
        state: "withheld",
        reason: "eve, who set the webhook, can no longer read it",
        status: null
      })
      // The user who changes it becomes responsible for it.
      yield* api.ask(200, "PATCH", `${at}/hooks/${id}`, { ...bob, body: { active: true } })
      yield* file(api, "other.txt")
      yield* deliver
      expect(sent.length).toBe(1)
    })
  )

  it.live("don't block other webhooks when they fail, and are not retried if their address is forbidden (I14)", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site(({ url }) =>
        url.includes("10.0.0.1") ? new HookUnsent({ because: "the address is private", refused: true }) : {}
      )
      const inward = yield* hook(api, { events: ["push"], config: { url: "http://10.0.0.1/", content_type: "json" } })
      yield* hook(api, { events: ["push"] })
      yield* file(api, "a.txt")
      yield* deliver
      expect(sent.map(({ url }) => url).toSorted()).toEqual(["http://10.0.0.1/", receiver])
      const [refused] = yield* api.ask(200, "GET", `${at}/hooks/${inward.id}/deliveries`, bob)
      expect(refused).toMatchObject({ state: "failed", attempts: 1, reason: "the address is private" })
    })
  )

  it.live("report all repositories of an owner or the site, and default webhooks are added to new repositories", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      const root = { headers: basic("root") }
      yield* deliver
      const to = (name: string) => ({ url: `https://${name}.example/`, content_type: "json" })
      yield* hook(api, { events: ["repository"], config: to("own") }, "/user/hooks")
      yield* hook(
        api,
        { events: ["repository"], config: { ...to("site"), is_system_webhook: "true" } },
        "/admin/hooks",
        root
      )
      yield* hook(api, { events: ["*"], config: to("default") }, "/admin/hooks", root)
      yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "new" } })
      yield* deliver
      const told = sent.map(({ body, url }) => [url, JSON.parse(body).action, JSON.parse(body).repository.full_name])
      expect(told.toSorted()).toEqual([
        ["https://default.example/", "created", "bob/new"],
        ["https://own.example/", "created", "bob/new"],
        ["https://site.example/", "created", "bob/new"]
      ])
      const copied = yield* api.ask(200, "GET", "/repos/bob/new/hooks", bob)
      expect(copied).toMatchObject([{ config: to("default") }])
    })
  )

  it.live("report events on issues and comments", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      yield* deliver
      yield* hook(api, { events: ["issues"] })
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "The door", body: "It squeaks" } })
      yield* deliver
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...bob, body: { title: "The gate", state: "closed" } })
      const said = yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...bob, body: { body: "Oil it" } })
      yield* api.ask(204, "DELETE", `${at}/issues/comments/${said.id}`, bob)
      yield* deliver
      const told = sent.map(({ body, headers }) => {
        const { action, changes, comment, issue } = JSON.parse(body)
        return [headers["X-Gitea-Event"], action, issue.title, comment?.body ?? changes?.title?.from]
      })
      expect(told).toEqual([
        ["issues", "opened", "The door", undefined],
        ["issues", "edited", "The gate", "The door"],
        ["issues", "closed", "The gate", undefined],
        ["issue_comment", "created", "The gate", "Oil it"],
        ["issue_comment", "deleted", "The gate", "Oil it"]
      ])
      expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({
        number: 1,
        issue: {
          number: 1,
          body: "It squeaks",
          state: "open",
          user: { login: "bob" },
          html_url: `${rootUrl}/bob/site/issues/1`
        },
        repository: { full_name: "bob/site" },
        sender: { login: "bob" }
      })
    })
  )
})

describe("webhooks that the site has disabled", () => {
  it.live("send neither new events nor waiting deliveries", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      const disabled = api.within(
        Effect.flatMap(SiteSettings, (settings) =>
          Effect.provideService(HookWork.runDue, SiteSettings, {
            ...settings,
            switches: { ...settings.switches, webhooks: false }
          }).pipe(Effect.provideService(HookSender, { send: () => Effect.die("a webhook was sent") }))
        )
      )
      const { id } = yield* hook(api)
      const deliveries = () => api.ask(200, "GET", `${at}/hooks/${id}/deliveries`, bob)
      yield* deliver
      const before = [(yield* deliveries()).length, sent.length]
      yield* file(api, "a.txt")
      yield* disabled
      expect([(yield* deliveries()).length, sent.length]).toEqual(before)
      yield* api.ask(204, "POST", `${at}/hooks/${id}/tests`, bob)
      yield* disabled
      const [last] = yield* deliveries()
      expect([last.state, last.reason]).toEqual(["withheld", "webhooks are disabled on this site"])
    })
  )
})
