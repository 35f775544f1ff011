import { assert, describe, it } from "@effect/vitest"
import { ConnectedForges } from "@slipway/domain/deploy/apps"
import { layerConnectedForges } from "@slipway/git/deploy"
import { Effect, Layer, Redacted } from "effect"
import { type Reply, startForge } from "./support/forge.ts"
import { layerInternet } from "./support/internet.ts"

const forges = Layer.provide(layerConnectedForges, layerInternet())
const name = { owner: "acme", name: "site" }
const hook = { url: "https://deploy.example/hook", secret: Redacted.make("a secret") }

describe("the API of a connected forge", () => {
  it.live("is called at its private address with the token of the connection", () =>
    Effect.gen(function* () {
      const { access, asked } = yield* startForge((line) => {
        if (line.endsWith("/user")) return [200, { login: "robot", id: 7 }]
        if (line.endsWith("/repos/acme/site")) {
          const owner = { login: "acme" }
          return [200, { name: "site", owner, default_branch: "main", empty: false, permissions: { admin: true } }]
        }
        if (line.includes("/contents")) {
          return [
            200,
            [
              { name: "Dockerfile", type: "file" },
              { name: "src", type: "dir" }
            ]
          ]
        }
        if (line.includes("/raw/")) return [200, "FROM nginx\n"]
        return [201, {}]
      })
      const { account, file, files, report, repository } = yield* ConnectedForges
      assert.strictEqual(yield* account(access), "robot")
      assert.deepStrictEqual(yield* repository(access, name), { ...name, defaultBranch: "main", isAdministered: true })
      assert.deepStrictEqual(yield* files(access, name, "a/b", "/"), ["Dockerfile"])
      assert.deepStrictEqual(yield* files(access, name, "main", "/web app"), ["Dockerfile"])
      assert.strictEqual(yield* file(access, name, "main", "/web app/Dockerfile"), "FROM nginx\n")
      const about = { context: "deploy/site", description: "Deployed in 2 s", link: "https://a.example" }
      yield* report(access, name, { ...about, commit: "5d41402abc", state: "success" })
      assert.deepStrictEqual(
        asked,
        [
          "GET /api/v1/user",
          "GET /api/v1/repos/acme/site",
          "GET /api/v1/repos/acme/site/contents?ref=a%2Fb",
          "GET /api/v1/repos/acme/site/contents/web%20app?ref=main",
          "GET /api/v1/repos/acme/site/raw/web%20app/Dockerfile?ref=main",
          "POST /api/v1/repos/acme/site/statuses/5d41402abc"
        ].map((line) => `${line} token t0ken`)
      )
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live("lists the repositories and branches of the account, in pages", () =>
    Effect.gen(function* () {
      const row = (id: number, empty: boolean) => ({
        id,
        name: `r${id}`,
        full_name: `acme/r${id}`,
        private: id === 1,
        html_url: `https://forge.example/acme/r${id}`,
        clone_url: `https://forge.example/acme/r${id}.git`,
        default_branch: "main",
        empty,
        owner: { login: "acme" }
      })
      const { access, asked } = yield* startForge((line) => {
        if (line.includes("/user/repos?limit=50&page=1")) {
          return [200, Array.from({ length: 50 }, (_, n) => row(n + 1, n === 1))]
        }
        if (line.includes("/user/repos")) return [200, [row(51, false)]]
        if (line.includes("/acme/site/branches")) {
          return [
            200,
            [
              { name: "main", commit: { id: "5d41402a" }, protected: true },
              { name: "next", commit: { id: "7d793037" } }
            ]
          ]
        }
        return [404, {}]
      })
      const { branches, repositories } = yield* ConnectedForges
      const found = yield* repositories(access)
      assert.strictEqual(found.length, 51)
      assert.deepStrictEqual(found[0], {
        id: 1,
        owner: "acme",
        name: "r1",
        fullName: "acme/r1",
        isPrivate: true,
        htmlUrl: "https://forge.example/acme/r1",
        cloneUrl: "https://forge.example/acme/r1.git",
        defaultBranch: "main"
      })
      assert.isNull(found[1]?.defaultBranch)
      assert.deepStrictEqual(asked, [
        "GET /api/v1/user/repos?limit=50&page=1 token t0ken",
        "GET /api/v1/user/repos?limit=50&page=2 token t0ken"
      ])
      assert.deepStrictEqual(yield* branches(access, name), [
        { name: "main", commit: "5d41402a", isProtected: true },
        { name: "next", commit: "7d793037", isProtected: false }
      ])
      const missing = yield* Effect.flip(branches(access, { owner: "acme", name: "none" }))
      assert.strictEqual(missing._tag, "HostedRepositoryNotFound")
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live("creates the successor of a confirmed token, unless the forge cannot rotate it", () =>
    Effect.gen(function* () {
      const { confirm, rotate } = yield* ConnectedForges
      const { access, asked } = yield* startForge((line) =>
        line.endsWith("/confirm") ? [204, ""] : [201, { id: 2, sha1: "successor" }]
      )
      const successor = yield* rotate(access)
      assert.strictEqual(successor && Redacted.value(successor), "successor")
      yield* confirm({ ...access, token: Redacted.make("successor") })
      assert.deepStrictEqual(asked, [
        "POST /api/v1/token/rotation/confirm token t0ken",
        "POST /api/v1/token/rotation token t0ken",
        "POST /api/v1/token/rotation/confirm token successor"
      ])
      for (const status of [404, 405]) {
        const foreign = yield* startForge(() => [status, {}])
        assert.isUndefined(yield* rotate(foreign.access))
        assert.strictEqual(foreign.asked.length, 1)
      }
      const other = yield* startForge((line) => (line.endsWith("/confirm") ? [204, ""] : [422, {}]))
      assert.isUndefined(yield* rotate(other.access))
      const revoked = yield* startForge(() => [401, {}])
      assert.strictEqual((yield* Effect.flip(rotate(revoked.access)))._tag, "ForgeTokenRejected")
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live("gets one webhook for each address, which is updated and removed", () =>
    Effect.gen(function* () {
      const other = Array.from({ length: 50 }, (_, n) => ({ id: n + 1, config: { url: `https://other.example/${n}` } }))
      let isThere = false
      const { access, asked } = yield* startForge((line) => {
        if (line.includes("page=1")) return [200, other]
        if (line.includes("page=2")) return [200, isThere ? [{ id: 99, config: { url: hook.url } }] : []]
        isThere = !line.startsWith("DELETE")
        return [line.startsWith("DELETE") ? 204 : 201, line.startsWith("DELETE") ? "" : {}]
      })
      const { addHook, removeHook } = yield* ConnectedForges
      yield* addHook(access, name, hook)
      yield* addHook(access, name, hook)
      assert.isTrue(yield* removeHook(access, name, hook.url))
      assert.isFalse(yield* removeHook(access, name, hook.url))
      assert.deepStrictEqual(
        asked.filter((line) => !line.startsWith("GET")),
        [
          "POST /api/v1/repos/acme/site/hooks token t0ken",
          "PATCH /api/v1/repos/acme/site/hooks/99 token t0ken",
          "DELETE /api/v1/repos/acme/site/hooks/99 token t0ken"
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live("gets one comment per marker: the oldest comment of the account is edited, and duplicates are deleted", () =>
    Effect.gen(function* () {
      const line = "<!-- slipway preview%2Fsite-pr-7 -->"
      const of = (id: number, login: string, body: string) => ({ id, body, user: { login } })
      const others = Array.from({ length: 49 }, (_, n) => of(n + 1, "ann", "looks good"))
      const first = [...others, of(50, "eve", `spoofed\n\n${line}`)]
      let own: ReadonlyArray<object> = []
      const { access, asked } = yield* startForge((request) => {
        if (request.includes("page=1")) return [200, first]
        // A forge that ignores the page repeats its first comments.
        if (request.includes("page=2")) return [200, [...first.slice(0, 3), ...own]]
        return [request.startsWith("DELETE") ? 204 : 201, request.startsWith("DELETE") ? "" : {}]
      })
      const { comment } = yield* ConnectedForges
      const about = { pullRequest: 7, author: "robot", marker: "preview/site-pr-7", text: "Deployed" }
      assert.isTrue(yield* comment(access, name, about))
      own = [of(61, "robot", `again\n\n${line}`), of(60, "robot", `old\n\n${line}\n`), of(62, "robot", "other")]
      assert.isTrue(yield* comment(access, name, about))
      assert.deepStrictEqual(
        asked.filter((request) => !request.startsWith("GET")),
        [
          "POST /api/v1/repos/acme/site/issues/7/comments token t0ken",
          "PATCH /api/v1/repos/acme/site/issues/comments/60 token t0ken",
          "DELETE /api/v1/repos/acme/site/issues/comments/61 token t0ken"
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live("gets one deployment per task with its statuses, unless the forge does not support deployments", () =>
    Effect.gen(function* () {
      let present: ReadonlyArray<object> = [{ id: 3, task: "other", sha: "5d41402abc", environment: "production" }]
      const { access, asked } = yield* startForge((request) =>
        request.startsWith("GET") ? [200, present] : [201, { id: 4 }]
      )
      const { deployment } = yield* ConnectedForges
      const sent = {
        commit: "5d41402abc",
        task: "deploy:d1",
        environment: "production",
        isTransient: false,
        state: "in_progress",
        description: "Deployment in progress",
        log: "https://deploy.example/d1",
        page: ""
      } as const
      assert.isTrue(yield* deployment(access, name, sent))
      present = [{ id: 4, task: "deploy:d1", sha: sent.commit, environment: sent.environment }]
      assert.isTrue(yield* deployment(access, name, { ...sent, state: "success" }))
      const posted = () => asked.filter((request) => request.startsWith("POST"))
      const all = [
        "POST /api/v1/repos/acme/site/deployments token t0ken",
        "POST /api/v1/repos/acme/site/deployments/4/statuses token t0ken",
        "POST /api/v1/repos/acme/site/deployments/4/statuses token t0ken"
      ]
      assert.deepStrictEqual(posted(), all)
      present = []
      assert.isTrue(yield* deployment(access, name, { ...sent, environment: null, state: "inactive" }))
      assert.deepStrictEqual(posted(), all)
      const without = yield* startForge(() => [404, {}])
      assert.isFalse(yield* deployment(without.access, name, sent))
      assert.deepStrictEqual(without.asked.length, 1)
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live("gets no comment if the token lacks the scope", () =>
    Effect.gen(function* () {
      const { access, asked } = yield* startForge((request) => (request.startsWith("GET") ? [200, []] : [403, {}]))
      const { comment } = yield* ConnectedForges
      const about = { pullRequest: 7, author: "robot", marker: "preview/site-pr-7", text: "Deployed" }
      assert.isFalse(yield* comment(access, name, about))
      assert.strictEqual(asked.length, 2)
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live(
    "fails with an error that contains no secret, and gets the token only at its own host (invariants I14, I15)",
    () =>
      Effect.gen(function* () {
        const { account, addHook, file, removeHook, repository } = yield* ConnectedForges
        const failing = Effect.fnUntraced(function* (reply: Reply) {
          const { access } = yield* startForge(() => reply)
          const { _tag, because } = yield* Effect.flip(account(access))
          assert.notInclude(because, "t0ken")
          return `${_tag}: ${because.replace(access.url, "URL")}`
        })
        const rejected = "ForgeTokenRejected: the forge rejects the token (401): it was revoked or has expired"
        assert.strictEqual(yield* failing([401, {}]), rejected)
        const failed = "GitHostFailed: the request to the forge URL failed: it answers"
        const denied = `${failed} 403, because the account lacks access or the token a scope`
        assert.strictEqual(yield* failing([403, {}]), denied)
        assert.strictEqual(yield* failing([500, {}]), `${failed} 500`)
        assert.strictEqual(
          yield* failing([200, "<html>"]),
          `${failed.replace("it answers", "its answer has an unexpected form")}`
        )
        assert.strictEqual(
          yield* failing([200, { login: "" }]),
          `${failed.replace("it answers", "its answer has an unexpected form")}`
        )

        const elsewhere = yield* startForge(() => [200, { login: "thief" }])
        const { access } = yield* startForge(() => [302, "", `${elsewhere.access.url}/api/v1/user`])
        assert.match((yield* Effect.flip(account(access))).because, /it answers 302$/)
        assert.deepStrictEqual(elsewhere.asked, [])

        const missing = yield* startForge(() => [404, {}])
        assert.strictEqual((yield* Effect.flip(repository(missing.access, name)))._tag, "HostedRepositoryNotFound")
        assert.strictEqual((yield* Effect.flip(addHook(missing.access, name, hook)))._tag, "HostedRepositoryNotFound")
        assert.isUndefined(yield* file(missing.access, name, "main", "Dockerfile"))
        assert.isFalse(yield* removeHook(missing.access, name, hook.url))
      }).pipe(Effect.scoped, Effect.provide(forges))
  )

  const request = {
    commit: "5d41402abc4b2a76b9719d911017c592aaaaaaaa",
    branch: "main",
    task: "deploy:d1",
    environment: "production",
    log: "https://deploy.example/d1"
  }
  const bob = { type: "User", reviewer: { id: 2, login: "bob" } }
  const opened = { state: "approved", waiting_until: null, reviewers: [], review: null }

  it.live("returns whether an environment allows a deployment, which is created once", () =>
    Effect.gen(function* () {
      let shown: object = { ...opened, state: "waiting", reviewers: [bob] }
      let isCreated = false
      // A writer of the repository can create deployments with this task, which their environment approves.
      const forged = [
        { id: 9, task: "deploy:d1", sha: request.commit, environment: "staging" },
        { id: 8, task: "deploy:d1", sha: "0".repeat(40), environment: "production" }
      ]
      const { access, asked } = yield* startForge((line) => {
        if (line.endsWith("/approval")) return [200, shown]
        if (line.startsWith("GET"))
          return [200, isCreated ? [...forged, { ...forged[0], id: 4, environment: "production" }] : forged]
        isCreated = true
        return [201, { id: 4 }]
      })
      const { approval } = yield* ConnectedForges
      const lines = () =>
        asked.splice(0).map((line) => line.replace(" token t0ken", "").replace("/api/v1/repos/acme/site", ""))
      assert.deepStrictEqual(yield* approval(access, name, request), {
        state: "waiting",
        because: "the approval of the environment production by bob"
      })
      assert.deepStrictEqual(lines(), [
        `GET /deployments?limit=1&task=deploy%3Ad1&sha=${request.commit}&environment=production`,
        "POST /deployments",
        "GET /deployments/4/approval",
        "POST /deployments/4/statuses"
      ])
      shown = { ...opened, state: "waiting", waiting_until: "2026-01-01T00:05:00Z" }
      assert.deepStrictEqual(yield* approval(access, name, request), {
        state: "waiting",
        because: "the wait timer of the environment production, until 2026-01-01T00:05:00Z"
      })
      assert.deepStrictEqual(lines(), [
        `GET /deployments?limit=1&task=deploy%3Ad1&sha=${request.commit}&environment=production`,
        "GET /deployments/4/approval"
      ])
      shown = { ...opened, state: "rejected", review: { comment: "not on Friday", user: { login: "bob" } } }
      assert.deepStrictEqual(yield* approval(access, name, request), {
        state: "rejected",
        because: "bob rejected it for the environment production: not on Friday"
      })
      lines()
      shown = opened
      assert.deepStrictEqual(yield* approval(access, name, request), { state: "approved", because: "" })
      assert.strictEqual(lines().at(-1), "POST /deployments/4/statuses")
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live(
    "approves a deployment if it has no deployments API, and rejects it if the environment or the token forbids it",
    () =>
      Effect.gen(function* () {
        const { approval } = yield* ConnectedForges
        const asked = (reply: (line: string) => Reply) =>
          Effect.flatMap(startForge(reply), ({ access }) => approval(access, name, request))
        const approved = { state: "approved", because: "" } as const
        assert.deepStrictEqual(yield* asked(() => [404, {}]), approved)
        const message = "[ref]: the environment `production` takes protected branches only"
        assert.deepStrictEqual(yield* asked((line) => (line.startsWith("GET") ? [200, []] : [422, { message }])), {
          state: "rejected",
          because: message
        })
        const refusing =
          (rules: ReadonlyArray<object>) =>
          (line: string): Reply => {
            if (line.includes("/environments/production")) return [200, { protection_rules: rules }]
            return line.startsWith("GET") ? [200, []] : [403, {}]
          }
        assert.deepStrictEqual(yield* asked(refusing([])), approved)
        assert.strictEqual((yield* asked(refusing([{ type: "wait_timer" }]))).state, "rejected")
        // An older forge has deployments without approvals.
        const older = yield* asked((line) => {
          if (line.endsWith("/approval")) return [404, {}]
          return line.startsWith("GET") ? [200, []] : [201, { id: 4 }]
        })
        assert.deepStrictEqual(older, approved)
      }).pipe(Effect.scoped, Effect.provide(forges))
  )
})
