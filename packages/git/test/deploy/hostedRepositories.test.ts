import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { CheckoutFailed, ForgeAppTokens, HostedRepositories } from "@slipway/domain/deploy/apps"
import { layerHostedRepositories } from "@slipway/git/deploy"
import { Effect, Layer, Redacted } from "effect"
import { appAt } from "./support/forgeApps.ts"
import { layerInternet } from "./support/internet.ts"

/** The API of a git host. It answers each request line with a status and a body, and records the requests. */
const startApi = (answers: (line: string) => readonly [status: number, body: unknown]) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(({ headers, method, url }, sent) => {
          asked.push(`${method} ${url} ${headers.authorization}`)
          const [status, body] = answers(url ?? "")
          sent.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return { asked, url: `http://forge.dev:${(server.address() as AddressInfo).port}/api/v3/` }
  })

const tokens = Layer.succeed(ForgeAppTokens, {
  token: ({ appId }) =>
    appId === 7
      ? Effect.succeed(Redacted.make("t0ken"))
      : Effect.fail(new CheckoutFailed({ because: "the installation is suspended" }))
})
const hosts = Layer.provide(layerHostedRepositories, Layer.merge(tokens, layerInternet()))
const key = Redacted.make("unused")

const toldOf = (n: number) => ({
  id: n,
  name: `r${n}`,
  full_name: `team/r${n}`,
  private: n % 2 === 0,
  html_url: `https://forge.dev/team/r${n}`,
  clone_url: `https://forge.dev/team/r${n}.git`,
  default_branch: "main",
  owner: { login: "team", id: 5 },
  stars: 9
})

describe("repositories and branches of an app installation", () => {
  it.live("are read from the git host page by page, up to the display limit", () =>
    Effect.gen(function* () {
      const many = (page: number, least: number) => Array.from({ length: least }, (_, n) => toldOf(page * 100 + n))
      const { asked, url } = yield* startApi((line) => {
        const page = Number(/&page=(\d+)/.exec(line)?.[1])
        if (line.includes("/branches")) return [200, [{ name: "a/b", commit: { sha: "5d41" }, protected: true }]]
        return [200, { total_count: 103, repositories: many(page, page === 2 ? 3 : 100) }]
      })
      const hosted = yield* HostedRepositories
      const found = yield* hosted.list(appAt(url), key)
      assert.strictEqual(found.length, 103)
      assert.deepStrictEqual(found[102], {
        id: 202,
        owner: "team",
        name: "r202",
        fullName: "team/r202",
        isPrivate: true,
        htmlUrl: "https://forge.dev/team/r202",
        cloneUrl: "https://forge.dev/team/r202.git",
        defaultBranch: "main"
      })
      const branches = yield* hosted.branches(appAt(url), key, { owner: "te am", name: "../x" })
      assert.deepStrictEqual(branches, [{ name: "a/b", commit: "5d41", isProtected: true }])
      assert.deepStrictEqual(asked, [
        "GET /api/v3/installation/repositories?per_page=100&page=1 Bearer t0ken",
        "GET /api/v3/installation/repositories?per_page=100&page=2 Bearer t0ken",
        "GET /api/v3/repos/te%20am/..%2Fx/branches?per_page=100&page=1 Bearer t0ken"
      ])
      const endless = yield* startApi(() => [200, { repositories: many(1, 100) }])
      assert.strictEqual((yield* hosted.list(appAt(endless.url), key)).length, 1_000)
      assert.strictEqual(endless.asked.length, 10)
    }).pipe(Effect.provide(hosts))
  )

  it.live("are not listed if the host fails, and the error contains no secret (invariants I14, I15)", () =>
    Effect.gen(function* () {
      const hosted = yield* HostedRepositories
      const because = "the host of the app `shop` does not report it: "
      for (const [answer, reason] of [
        [[403, ""], "it answers 403"],
        [[404, ""], "it answers 404"],
        [[200, "<html>"], "it answers something else"]
      ] as const) {
        const { url } = yield* startApi(() => answer)
        const failed = yield* Effect.flip(hosted.list(appAt(url), key))
        assert.strictEqual(failed.because, `${because}${reason}`)
      }
      const { url } = yield* startApi(() => [404, ""])
      const missing = yield* Effect.flip(hosted.branches(appAt(url), key, { owner: "team", name: "shop" }))
      assert.strictEqual(missing._tag, "HostedRepositoryNotFound")
      const suspended = yield* Effect.flip(hosted.list(appAt(url, { appId: 8 }), key))
      assert.strictEqual(suspended.because, `${because}the installation is suspended`)
      const inward = yield* Effect.flip(hosted.list(appAt("http://169.254.169.254"), key))
      assert.include(inward.because, "is not an allowed target")
    }).pipe(Effect.provide(hosts))
  )
})
