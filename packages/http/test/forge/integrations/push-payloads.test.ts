import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, rootUrl } from "../support/harness.ts"
import { hook, at as hookAt, site as hookSite } from "../support/hooks.ts"
import { at, bob, type Observation, site } from "../support/observations.ts"

const pushes = (told: Observation) => told.filter(({ event }) => event === "push").map(({ payload }) => payload)
const compare = `${rootUrl}/bob/site/compare`

describe("push payloads", () => {
  it.live("name the head commit and the comparison of a new branch without new commits", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      const { commit } = yield* file("a.txt")
      yield* told
      const body = { new_branch_name: "door", old_branch_name: "main" }
      yield* api.ask(201, "POST", `${at}/branches`, { ...bob, body })
      expect(pushes(yield* told)).toMatchObject([
        {
          ref: "refs/heads/door",
          after: commit.sha,
          commits: [],
          total_commits: 0,
          head_commit: { id: commit.sha, message: "Add a.txt\n", added: ["a.txt"] },
          compare_url: `${compare}/main...${commit.sha}`
        }
      ])
    })
  )

  it.live("compare a new branch with the parent of its first commit", () =>
    Effect.gen(function* () {
      const { file, told } = yield* site
      const first = yield* file("a.txt")
      yield* told
      const { commit } = yield* file("b.txt", { new_branch: "door" })
      expect(pushes(yield* told)).toMatchObject([
        {
          ref: "refs/heads/door",
          commits: [{ id: commit.sha }],
          head_commit: { id: commit.sha },
          compare_url: `${compare}/${first.commit.sha}...${commit.sha}`
        }
      ])
    })
  )

  it.live("name the head commit of light and annotated tags, and none of a deleted branch", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      const { commit } = yield* file("a.txt", { new_branch: "door" })
      yield* told
      yield* api.ask(201, "POST", `${at}/tags`, { ...bob, body: { tag_name: "v1", target: "door" } })
      yield* api.ask(201, "POST", `${at}/tags`, { ...bob, body: { tag_name: "v2", target: "door", message: "Two" } })
      yield* api.ask(204, "DELETE", `${at}/branches/door`, bob)
      const [light, annotated, deleted] = pushes(yield* told)
      expect(light).toMatchObject({ head_commit: { id: commit.sha }, compare_url: `${compare}/main...${commit.sha}` })
      expect(annotated).toMatchObject({ head_commit: { id: commit.sha } })
      expect(annotated?.after).not.toBe(commit.sha)
      expect(annotated?.compare_url).toBe(`${compare}/main...${annotated?.after}`)
      expect(deleted).toMatchObject({ ref: "refs/heads/door", head_commit: null, compare_url: "" })
    })
  )

  it.live("name the user behind a known email address, and no user behind an unknown or hidden address", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      yield* api.user("eve")
      yield* api.ask(200, "PATCH", "/user/settings", { headers: basic("eve"), body: { hide_email: false } })
      yield* api.user("root", { admin: true })
      yield* api.ask(200, "PATCH", "/admin/users/eve", {
        headers: basic("root"),
        body: { source_id: 0, login_name: "eve", visibility: "private" }
      })
      const author = { name: "Somebody", email: "nobody@elsewhere.test" }
      const committer = { name: "Ann", email: "ann@example.com" }
      const hidden = { name: "Eve", email: "eve@example.com" }
      yield* file("a.txt", { author, committer })
      yield* file("b.txt", { author: hidden, committer: hidden })
      expect(pushes(yield* told)).toMatchObject([
        {
          head_commit: {
            author: { ...author, username: "" },
            committer: { ...committer, username: "ann" }
          }
        },
        { head_commit: { author: { ...hidden, username: "" }, committer: { ...hidden, username: "" } } }
      ])
    })
  )
})

describe("repository payloads", () => {
  it.live("contain the owner as `organization`, in the format of a user", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      yield* api.ask(201, "POST", "/orgs", { ...bob, body: { username: "acme", full_name: "The Acme" } })
      const body = { type: "gitea", active: true, config: { url: "https://acme.example/", content_type: "json" } }
      yield* api.ask(201, "POST", "/orgs/acme/hooks", { ...bob, body: { ...body, events: ["repository"] } })
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...bob, body: { name: "door" } })
      yield* api.ask(204, "DELETE", "/repos/acme/door", bob)
      expect((yield* told).map(({ payload }) => payload)).toMatchObject([
        { action: "created", organization: { login: "acme", username: "acme", full_name: "The Acme" } },
        { action: "deleted", organization: { login: "acme" } }
      ])
    })
  )
})

describe("delivery headers", () => {
  it.live("state whether a repository, a user or the site defines the webhook", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* hookSite()
      const root = { headers: basic("root") }
      const url = (of: string) => ({ config: { url: `https://${of}.example/`, content_type: "json" } })
      yield* deliver
      yield* hook(api, { ...url("repository"), events: ["issues"] })
      yield* hook(api, { ...url("user"), events: ["issues"] }, "/user/hooks")
      const system = { url: "https://system.example/", content_type: "json", is_system_webhook: "true" }
      yield* hook(api, { config: system, events: ["issues"] }, "/admin/hooks", root)
      yield* api.ask(201, "POST", `${hookAt}/issues`, { headers: basic("bob"), body: { title: "The door" } })
      yield* deliver
      expect(
        sent.map(({ headers, url: to }) => [
          new URL(to).host,
          headers["X-Gitea-Hook-Installation-Target-Type"],
          headers["X-GitHub-Hook-Installation-Target-Type"]
        ])
      ).toEqual([
        ["repository.example", "repository", "repository"],
        ["user.example", "user", "user"],
        ["system.example", "system", "system"]
      ])
    })
  )
})

describe("links of payloads", () => {
  const linksOf = (chosen: { readonly publicUrl: string; readonly listenerUrl: string }) =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* hookSite(undefined, chosen)
      yield* deliver
      yield* hook(api, { events: ["issues"] })
      yield* api.ask(201, "POST", `${hookAt}/issues`, { ...bob, body: { title: "The door" } })
      yield* deliver
      const { issue, repository, sender } = JSON.parse(sent[0]?.body ?? "")
      return [issue.html_url, repository.clone_url, sender.html_url]
    })

  it.live("start with the listener's address if no public address is set", () =>
    Effect.gen(function* () {
      const base = "http://127.0.0.1:3000"
      expect(yield* linksOf({ publicUrl: "", listenerUrl: base })).toEqual([
        `${base}/bob/site/issues/1`,
        `${base}/bob/site.git`,
        `${base}/bob`
      ])
    })
  )

  it.live("start with the public address if one is set", () =>
    Effect.gen(function* () {
      const base = "https://forge.example"
      expect(yield* linksOf({ publicUrl: base, listenerUrl: "http://127.0.0.1:3000" })).toEqual([
        `${base}/bob/site/issues/1`,
        `${base}/bob/site.git`,
        `${base}/bob`
      ])
    })
  )
})

describe("hook tests", () => {
  it.live("send the push of the branch, tag or commit that `ref` names, else of the default branch", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* hookSite()
      const body = { content: "aGk=", message: "Add a door", branch: "main", new_branch: "door" }
      const { commit } = yield* api.ask(201, "POST", `${hookAt}/contents/a.txt`, { ...bob, body })
      const main = (yield* api.ask(200, "GET", `${hookAt}/branches/main`, bob)).commit.id
      yield* api.ask(201, "POST", `${hookAt}/tags`, { ...bob, body: { tag_name: "v1", target: "door" } })
      yield* deliver
      const { id } = yield* hook(api, { events: ["push"] })
      for (const query of ["", "?ref=", "?ref=door", "?ref=refs/heads/door", "?ref=v1", `?ref=${commit.sha}`]) {
        yield* api.ask(204, "POST", `${hookAt}/hooks/${id}/tests${query}`, bob)
      }
      yield* api.ask(404, "POST", `${hookAt}/hooks/${id}/tests?ref=nowhere`, bob)
      yield* deliver
      expect(
        sent.map(({ body: text }) => {
          const { after, head_commit, ref } = JSON.parse(text)
          return [ref, after, head_commit.id]
        })
      ).toEqual([
        ["refs/heads/main", main, main],
        ["refs/heads/main", main, main],
        ["refs/heads/door", commit.sha, commit.sha],
        ["refs/heads/door", commit.sha, commit.sha],
        ["refs/tags/v1", commit.sha, commit.sha],
        [commit.sha, commit.sha, commit.sha]
      ])
    })
  )
})

describe("hook settings", () => {
  it.live("require a Slack channel with a valid name", () =>
    Effect.gen(function* () {
      const { api } = yield* hookSite()
      const slack = (config: object, status: number) =>
        api.ask(status, "POST", `${hookAt}/hooks`, {
          ...bob,
          body: { type: "slack", config: { url: "https://slack.example/", content_type: "json", ...config } }
        })
      const message =
        "[config.channel]: must be a Slack channel: at most 80 lower-case letters, digits, - and _, with an optional # in front"
      for (const config of [{}, { channel: "" }, { channel: "#Big Room" }, { channel: "a".repeat(81) }]) {
        expect((yield* slack(config, 422)).message).toBe(message)
      }
      const made = yield* slack({ channel: "#forge-1" }, 201)
      yield* slack({ channel: "general" }, 201)
      const edit = (config: object, status: number) =>
        api.ask(status, "PATCH", `${hookAt}/hooks/${made.id}`, { ...bob, body: { config } })
      yield* edit({ channel: "#" }, 422)
      expect((yield* edit({ username: "Forge" }, 200)).config).toMatchObject({ channel: "#forge-1", username: "Forge" })
    })
  )

  it.live("treat an empty content type as omitted, and reject unknown ones", () =>
    Effect.gen(function* () {
      const { api } = yield* hookSite()
      const config = (content_type: string) => ({ url: "https://ci.example/", content_type })
      const made = yield* hook(api, { config: config("") })
      expect(made.config.content_type).toBe("json")
      const edit = (content_type: string, status: number) =>
        api.ask(status, "PATCH", `${hookAt}/hooks/${made.id}`, { ...bob, body: { config: { content_type } } })
      expect((yield* edit("form", 200)).config.content_type).toBe("form")
      expect((yield* edit("", 200)).config.content_type).toBe("form")
      expect((yield* edit("xml", 422)).message).toBe("[config.content_type]: must be json or form")
    })
  )
})
