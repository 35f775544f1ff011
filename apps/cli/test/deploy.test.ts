import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { fixture, runForOutput } from "./support/command.ts"
import { type Reply, startPlatform, withEnvironment } from "./support/platform.ts"

const application = {
  uuid: "a1",
  git_branch: "main",
  fqdn: "https://site.example",
  generated_domain: null
}

describe("slipway deploy", () => {
  it.live("creates the application of a checkout, prints the log and the address", () =>
    Effect.gen(function* () {
      const directory = mkdtempSync(join(tmpdir(), "slipway-deploy-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true })))
      const git = (...args: ReadonlyArray<string>) => execFileSync("git", ["-C", directory, ...args])
      git("init", "-q")
      git("remote", "add", "elsewhere", "https://other.example/acme/site.git")
      git("remote", "add", "origin", "ssh://git@forge.example:2222/acme/site.git")
      let isCreated = false
      const { asked, url } = yield* startPlatform((line) => {
        if (line === "GET /forge-connections") return [200, [{ url: "http://forge.example" }]]
        if (line === "GET /applications?repository=acme%2Fsite") return [200, isCreated ? [application] : []]
        if (line.startsWith("POST /applications")) {
          isCreated = true
          return [201, { uuid: "a1" }]
        }
        if (line.startsWith("POST /deploy")) return [200, { deployments: [{ deployment_uuid: "d1" }] }]
        if (line === "GET /deployments/d1") return [200, { status: "finished", reason: null }]
        if (line.includes("/logs")) return [200, [{ id: 4, text: "finished" }]]
        return [200, application]
      })
      const args = ["deploy", directory, "--platform", url, "--branch", "main", "--field", "build_pack=static"]
      expect(yield* runForOutput(...args)).toBe("finished\nhttps://site.example")
      expect(asked).toEqual([
        "GET /forge-connections",
        "GET /applications?repository=acme%2Fsite",
        'POST /applications/private-forge-app {"git_repository":"acme/site","git_branch":"main","build_pack":"static"}',
        "POST /deploy?uuid=a1",
        "GET /deployments/d1",
        "GET /deployments/d1/logs?after=0&limit=1000",
        "GET /applications?repository=acme%2Fsite"
      ])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("deploys an existing application again, and fails with the reason of the deployment", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* startPlatform((line) => {
        if (line === "GET /applications?repository=acme%2Fsite") return [200, [application]]
        if (line.startsWith("POST /deploy")) return [200, { deployments: [{ deployment_uuid: "d1" }] }]
        if (line.includes("/logs")) return [200, []]
        return [200, { status: "failed", reason: "there is no `Dockerfile` in the repository" }]
      })
      expect(yield* runForOutput("deploy", "acme/site", "--platform", url)).toBe(
        "failed: there is no `Dockerfile` in the repository"
      )
      expect(asked.filter((line) => line.startsWith("POST"))).toEqual(["POST /deploy?uuid=a1"])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("prints the possible resources, with the field that selects each", () =>
    Effect.gen(function* () {
      const choices = { project_uuid: [{ uuid: "p1", name: "default" }] }
      const { url } = yield* startPlatform((line) =>
        line === "GET /applications?repository=acme%2Fsite"
          ? [200, []]
          : [409, { message: "Several resources fit: send project_uuid.", choices }]
      )
      expect(yield* runForOutput("deploy", "acme/site", "--platform", url)).toBe(
        "Several resources fit: send project_uuid.\n  --field project_uuid=p1  (default)"
      )
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("prints the plan of slipway.yaml, its problems with their lines, and changes nothing", () =>
    Effect.gen(function* () {
      const change = {
        action: "update",
        type: "application",
        environment: "production",
        name: "web",
        fields: [{ field: "domains", before: "http://a.example", after: "http://b.example" }],
        variables: []
      }
      const set = { ...change, type: "variable", fields: [], variables: ["LOG"] }
      const problem = { line: 3, field: "applications.web.port", problem: "This field is not allowed." }
      const { asked, url } = yield* startPlatform((line) => {
        if (line === "GET /applications?repository=acme%2Fsite")
          return [200, [application, { ...application, uuid: "a2" }]]
        return line.includes("a2")
          ? [200, { changes: [], problems: [problem] }]
          : [200, { changes: [change, set], problems: [] }]
      })
      expect(yield* runForOutput("deploy", "acme/site", "--platform", url, "--plan", "--prune")).toBe(
        [
          "update application web in production",
          '  domains: "http://a.example" → "http://b.example"',
          "update variables of web in production",
          "  LOG",
          "slipway.yaml: line 3: applications.web.port: This field is not allowed."
        ].join("\n")
      )
      expect(asked).toEqual([
        "GET /applications?repository=acme%2Fsite",
        "GET /applications/a1/plan?prune=true",
        "GET /applications/a2/plan?prune=true"
      ])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("prunes through each application of the branch that still exists, and deploys these applications", () =>
    Effect.gen(function* () {
      const second = { ...application, uuid: "a2", fqdn: "https://worker.example" }
      const third = { ...application, uuid: "a3", fqdn: "https://old.example" }
      let present = [application, third, second]
      const { asked, url } = yield* startPlatform((line) => {
        if (line === "GET /applications?repository=acme%2Fsite") return [200, present]
        if (line.includes("/plan")) {
          present = [application, second]
          return [200, { changes: [], problems: [] }]
        }
        if (line.startsWith("POST /deploy")) return [200, { deployments: [] }]
        return [404, { message: "Not found." }]
      })
      expect(yield* runForOutput("deploy", "acme/site", "--platform", url, "--prune")).toBe(
        "https://site.example\nhttps://worker.example"
      )
      expect(asked.filter((line) => line.startsWith("POST"))).toEqual([
        'POST /applications/a1/plan {"prune":true}',
        'POST /applications/a2/plan {"prune":true}',
        "POST /deploy?uuid=a1,a2"
      ])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("sends the repository to the platform, and asks for a branch if its applications have several", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* startPlatform(() => [200, [application, { ...application, git_branch: "next" }]])
      expect(yield* runForOutput("deploy", "Acme/site.git", "--platform", url)).toBe(
        "applications of Acme/site.git are built from main, next: choose one branch with --branch"
      )
      expect(asked).toEqual(["GET /applications?repository=Acme%2Fsite.git"])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("fails without a token", () =>
    Effect.gen(function* () {
      expect(yield* runForOutput("deploy", "acme/site")).toBe(
        "set DEPLOY_TOKEN to a token of the platform: .slipway/deploy.json, which `npm start` writes, is missing"
      )
    }).pipe(withEnvironment({}), Effect.provide(fixture))
  )
})

describe("slipway rotate", () => {
  it.live("rotates the token of the connection with the address, and lists the connected forges otherwise", () =>
    Effect.gen(function* () {
      const platform = yield* startPlatform((line) =>
        line.startsWith("GET")
          ? [
              200,
              [
                { uuid: "c1", url: "https://git.example" },
                { uuid: "c2", url: "https://other.example" }
              ]
            ]
          : [200, { account: "robot" }]
      )
      const at = ["--platform", platform.url]
      expect(yield* runForOutput("rotate", "https://git.example/", ...at)).toBe(
        "rotated the token of robot at https://git.example: the old one is revoked in 10 minutes"
      )
      expect(platform.asked).toEqual(["GET /forge-connections", "POST /forge-connections/c1/rotate"])
      expect(yield* runForOutput("rotate", "https://third.example", ...at)).toBe(
        "https://third.example is no connected forge (connected: https://git.example, https://other.example)"
      )
      expect(platform.asked.length).toBe(3)
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )
})

describe("slipway rotate, if another rotation is under way", () => {
  it.live("says so, and does not report a rotation", () =>
    Effect.gen(function* () {
      const platform = yield* startPlatform((line) =>
        line.startsWith("GET")
          ? [200, [{ uuid: "c1", url: "https://git.example" }]]
          : [409, { message: "The token is being replaced." }]
      )
      expect(yield* runForOutput("rotate", "https://git.example", "--platform", platform.url)).toBe(
        "The token is being replaced."
      )
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )
})

describe("slipway connect", () => {
  /** Starts a forge that accepts a one-time token, which stands in the environment of the platform. */
  const startBoth = Effect.fnUntraced(function* (connected: Reply) {
    const forge = yield* startPlatform((line) =>
      line === "POST /token" ? [201, { sha1: "slp_lasting" }] : [204, undefined]
    )
    const platform = yield* startPlatform((line) => {
      if (line === "GET /forge-connections") return [200, []]
      return line.startsWith("POST") ? connected : [200, { account: "robot" }]
    })
    return { forge, platform }
  })

  it.live("exchanges the code for a token at the forge, and sends the token to the platform", () =>
    Effect.gen(function* () {
      const { forge, platform } = yield* startBoth([201, { uuid: "c1" }])
      const args = [forge.url, "--code", "slp_code", "--platform", platform.url, "--ssh-port", "2222"]
      expect(yield* runForOutput("connect", ...args)).toBe(`connected to ${forge.url} as robot`)
      expect(forge.asked).toEqual(["POST /token"])
      expect(platform.asked).toEqual([
        "GET /forge-connections",
        `POST /forge-connections {"url":"${forge.url}","token":"slp_lasting","platform_url":"${platform.url}","ssh_port":2222}`,
        "GET /forge-connections/c1"
      ])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("revokes the token if the platform does not store the connection", () =>
    Effect.gen(function* () {
      const { forge, platform } = yield* startBoth([403, { message: "This token may not do this." }])
      expect(yield* runForOutput("connect", forge.url, "--code", "slp_code", "--platform", platform.url)).toBe(
        "This token may not do this."
      )
      expect(forge.asked).toEqual(["POST /token", "DELETE /token"])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("revokes the token when it is interrupted before the platform stores the connection", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const forge = yield* startPlatform((line) =>
        line === "POST /token" ? [201, { sha1: "slp_lasting" }] : [204, undefined]
      )
      const platform = yield* startPlatform((line) => {
        if (line === "GET /forge-connections") return [200, []]
        Effect.runSync(Deferred.succeed(reached, undefined))
        return undefined
      })
      const connecting = yield* Effect.forkChild(
        runForOutput("connect", forge.url, "--code", "slp_code", "--platform", platform.url)
      )
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(connecting)
      expect(forge.asked).toEqual(["POST /token", "DELETE /token"])
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )

  it.live("keeps the code unused without access to the platform, and rejects a forge address with a path", () =>
    Effect.gen(function* () {
      const { forge } = yield* startBoth([201, {}])
      const closed = yield* startPlatform(() => [401, { message: "Unauthenticated." }])
      const run = (address: string) => runForOutput("connect", address, "--code", "slp_code", "--platform", closed.url)
      expect(yield* run(forge.url)).toBe("Unauthenticated.")
      expect(forge.asked).toEqual([])
      expect(yield* run(`${forge.url}/ann`)).toBe(
        `${forge.url}/ann is not the address of a forge, such as https://git.example`
      )
    }).pipe(withEnvironment({ DEPLOY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )
})
