import { randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import type { Policy } from "@slipway/access"
import { actions, policyOf, type ScopeWord, scopeWords } from "@slipway/domain/forge/access"
import { GitTransport, PushLimits } from "@slipway/domain/forge/code"
import { type Asker, type Facts, factsOf, gitActions, gitWorld as world } from "@slipway/testkit/forge"
import { Effect, Fiber, Latch, Layer, Stream } from "effect"
import { delayedBody } from "../../delayedBody.ts"
import { basic, bearer, enrol, start } from "../support/harness.ts"
import { pushedObjects } from "../support/repositories.ts"
import { plant } from "../support/world.ts"

const tokens: ReadonlyArray<ReadonlyArray<ScopeWord>> = [["all"], ["all", "public-only"], ["write:repository"]]
const others = scopeWords.filter((word) => word !== "all" && word !== "public-only").map((word) => [word])

// The rules treat the scopes of all users alike, so that one user tests each scope.
const askers: ReadonlyArray<Asker> = [
  { name: undefined, token: undefined },
  ...[...world.users.keys()].flatMap(
    (name): ReadonlyArray<Asker> => [
      { name, token: undefined },
      ...[...tokens, ...(name === "olga" ? others : [])].map((token) => ({ name, token }))
    ]
  )
]

const repositories = world.repositories.map(({ name, owner }) => `${owner}/${name}`)

/** A git service that serves every request: authorization happens before it. */
const serves = Layer.succeed(GitTransport, {
  serve: () =>
    Effect.succeed({ output: Stream.make(Buffer.from("served")), said: Stream.empty, exitCode: Effect.succeed(0) })
})

type GitAction = (typeof gitActions)[number]

/** The routes of the tables, with their bodies, and the ref advertisement that precedes a push. */
const requestsOf = (action: GitAction) => [
  ...actions[action].routes.map((route) => {
    const [method = "", path = ""] = route.split(" ")
    const service = /git-(?:upload|receive)-pack$/.exec(path)?.[0]
    return {
      method,
      path: path
        .replace("{oid}", "a".repeat(64))
        .replace("{id}", "1")
        .replace(/info\/refs$/, "info/refs?service=git-upload-pack"),
      type: service === undefined ? "application/vnd.git-lfs+json" : `application/x-${service}-request`,
      // A batch is authorized by its operation; all other requests stop at their bodies.
      body: path.endsWith("/batch") ? { operation: "download", objects: [] } : {}
    }
  }),
  ...(action === "git.push" || action === "git.wiki.push"
    ? [
        {
          method: "GET",
          path:
            actions[action].routes[0]?.replace(/^POST (.*)git-receive-pack$/, "$1info/refs?service=git-receive-pack") ??
            "",
          type: "",
          body: {}
        }
      ]
    : []),
  ...(action === "git.lfs.write"
    ? [
        {
          method: "POST",
          path: "/{username}/{reponame}.git/info/lfs/objects/batch",
          type: "application/vnd.git-lfs+json",
          body: { operation: "upload", objects: [] }
        }
      ]
    : [])
]

const signIn = "sign in with your name and a token, or check the address\n"
const nothing = "the repository does not exist, or you have no access to it\n"

describe("B1, I2, I3, I4, I9: git requests get the response of the rules, for every caller, credential and repository", () => {
  for (const action of gitActions) {
    it.live(action, () =>
      Effect.gen(function* () {
        const api = yield* start({ clients: serves })
        yield* plant(api, world)
        const policy = policyOf(action) as unknown as Policy<string, Facts>
        const reading = policyOf("git.lfs.read") as unknown as Policy<string, Facts>
        const proposing = policyOf("pull.create") as unknown as Policy<string, Facts>
        let turn = 0
        const seen = new Set<number>()
        for (const asker of askers) {
          const { name = "", token } = asker
          const secret = token === undefined ? "" : yield* api.mint(name, token)
          // One credential, in each place where clients send it.
          const ways =
            token === undefined
              ? [name === "" ? {} : basic(name)]
              : [bearer(secret), { authorization: `token ${secret}` }, basic(name, secret), basic(secret, "x")]
          for (const repository of repositories) {
            const facts = factsOf(world, asker, "repository", [repository])
            const [username = "", reponame = ""] = repository.split("/")
            const all = requestsOf(action)
            for (const [index, { body, method, path, type }] of all.entries()) {
              turn += 1
              // A caller without read access gets no information about other permissions.
              const first = path.endsWith("/batch") ? reading.decide(facts) : undefined
              const own = first?.allowed === false ? first : policy.decide(facts)
              // A caller who may open pull requests may push to refs/for/; other refs are refused when git names them.
              const proposal = action === "git.push" ? proposing.decide(facts) : own
              const decision = own.allowed || !proposal.allowed ? own : proposal
              const headers = { ...ways[turn % ways.length], "content-type": type }
              const sent = { headers, ...(method === "GET" ? {} : { body }) }
              const ask = (name: string) =>
                api.fetch(method, path.replace("{username}", username).replace("{reponame}", name), sent)
              const answer = yield* ask(reponame)
              const what = `${asker.name} with ${asker.token}: ${method} ${path} of ${repository}`
              seen.add(answer.status)
              if (decision.allowed) {
                expect([200, 404, 422], `${what}: ${answer.text}`).toContain(answer.status)
                expect([what, answer.text]).not.toEqual([what, nothing])
                continue
              }
              const { message, status } = decision.answer
              const expected =
                status === 403 ? [403, `${message}\n`] : name === "" || status === 401 ? [401, signIn] : [404, nothing]
              expect([what, answer.status, answer.text]).toEqual([what, ...expected])
              expect(answer.headers.has("www-authenticate"), what).toBe(answer.status === 401)
              // A hidden repository gets the same response as a missing one, including all headers.
              if (status === 403 || index > 0) continue
              const missing = yield* ask("nothing")
              expect([what, missing.status, missing.text, ...missing.headers]).toEqual([
                what,
                answer.status,
                answer.text,
                ...answer.headers
              ])
            }
          }
        }
        expect([...seen].filter((status) => status === 401 || status === 403 || status === 404).length).toBe(3)
      })
    )
  }
})

const announcing = (name: string, service = "git-upload-pack") => `/ann/${name}.git/info/refs?service=${service}`

it.live("git rejects a password without the second factor with a hint to use a token, and accepts a token", () =>
  Effect.gen(function* () {
    const api = yield* start({ clients: serves })
    yield* api.user("ann")
    yield* api.ask(201, "POST", "/user/repos", { headers: basic("ann"), body: { name: "app", private: true } })
    yield* enrol(api, "ann")
    const refused = yield* api.fetch("GET", announcing("app"), { headers: basic("ann") })
    expect([refused.status, refused.text, refused.headers.get("www-authenticate")]).toEqual([
      401,
      "this account has a second factor: use a token instead of the password\n",
      `Basic realm="Slipway", charset="UTF-8"`
    ])
    const token = yield* api.mint("ann", ["read:repository"])
    expect((yield* api.fetch("GET", announcing("app"), { headers: basic("ann", token) })).text).toContain("served")
  })
)

/** A git service that returns its input. */
const echoes = Layer.succeed(GitTransport, {
  serve: ({ input }) => Effect.succeed({ output: input, said: Stream.empty, exitCode: Effect.succeed(0) })
})

it.live("I7: a fetch with a delayed body returns nothing after the caller lost access", () =>
  Effect.gen(function* () {
    const api = yield* start({ clients: echoes })
    for (const name of ["ann", "bob"]) yield* api.user(name)
    yield* api.ask(201, "POST", "/user/repos", { headers: basic("ann"), body: { name: "app", private: true } })
    const collaborator = (status: number, method: "DELETE" | "PUT") =>
      api.ask(status, method, "/repos/ann/app/collaborators/bob", { headers: basic("ann") })
    const token = yield* api.mint("bob", ["read:repository"])
    for (const headers of [bearer(token), basic("bob", token), basic("bob")]) {
      yield* collaborator(204, "PUT")
      const ask = (raw: ReadableStream<Uint8Array>) =>
        api.fetch("POST", "/ann/app.git/git-upload-pack", {
          headers: { ...headers, "content-type": "application/x-git-upload-pack-request" },
          raw
        })
      const [prompt, held] = [delayedBody("0014want something"), delayedBody("0014want something")]
      prompt.release()
      expect((yield* ask(prompt.stream)).text).toBe("0014want something")
      const asked = yield* Effect.forkChild(ask(held.stream))
      yield* held.isRead
      yield* collaborator(204, "DELETE")
      held.release()
      expect((yield* Fiber.join(asked)).text).toBe("002aERR you lost access to this repository")
    }
  })
)

it.live("a chunked body, compressed or not, arrives as git sent it", () =>
  Effect.gen(function* () {
    const got: Array<Buffer> = []
    const clients = Layer.succeed(GitTransport, {
      serve: ({ input }) =>
        Effect.sync(() => ({
          output: Stream.drain(Stream.tap(input, (bytes) => Effect.sync(() => got.push(Buffer.from(bytes))))),
          said: Stream.empty,
          exitCode: Effect.succeed(0)
        }))
    })
    const api = yield* start({ clients })
    yield* api.user("ann")
    yield* api.ask(201, "POST", "/user/repos", { headers: basic("ann"), body: { name: "app" } })
    const sent = randomBytes(200_000)
    const ask = (bytes: Buffer, encoding: Readonly<Record<string, string>>) =>
      api.fetch("POST", "/ann/app.git/git-upload-pack", {
        headers: { "content-type": "application/x-git-upload-pack-request", ...encoding },
        raw: new ReadableStream({
          start: (to) => {
            for (let at = 0; at < bytes.length; at += 7_000) to.enqueue(bytes.subarray(at, at + 7_000))
            to.close()
          }
        })
      })
    for (const [bytes, encoding] of [
      [sent, {}],
      [gzipSync(sent), { "content-encoding": "gzip" }]
    ] as const) {
      expect((yield* ask(bytes, encoding as Record<string, string>)).status).toBe(200)
      expect(Buffer.concat(got.splice(0)).equals(sent)).toBe(true)
    }
  })
)

it.live("two concurrent pushes don't exceed the size limit of the repository together", () =>
  Effect.gen(function* () {
    const mebibyte = 1024 ** 2
    const objects = pushedObjects(6 * mebibyte)
    const change = { ref: "refs/heads/main", before: undefined, after: "1".repeat(40) }
    let decided = 0
    const all = yield* Latch.make()
    const clients = Layer.succeed(GitTransport, {
      serve: ({ decide }) =>
        Effect.succeed({
          output: Stream.fromEffect(
            Effect.gen(function* () {
              if (decide === undefined) return yield* Effect.die("a push that nobody decides")
              const { refused, messages } = yield* decide({ changes: [change], options: [], objects })
              decided += 1
              // Neither finishes before the other was checked.
              if (decided === 2) yield* all.open
              yield* all.await
              return Buffer.from(refused.size === 0 ? "taken" : messages.join())
            }).pipe(Effect.provideService(PushLimits, { object: undefined, repository: 10 * mebibyte }))
          ),
          said: Stream.empty,
          exitCode: Effect.succeed(0)
        })
    })
    const api = yield* start({ clients })
    yield* api.user("ann")
    yield* api.ask(201, "POST", "/user/repos", { headers: basic("ann"), body: { name: "app" } })
    const push = Effect.map(
      api.fetch("POST", "/ann/app.git/git-receive-pack", {
        headers: { ...basic("ann"), "content-type": "application/x-git-receive-pack-request" },
        raw: ""
      }),
      ({ text }) => text
    )
    const answers = yield* Effect.all([push, push], { concurrency: "unbounded" })
    expect(answers.toSorted()).toEqual(["taken", "the repository would have 12 MiB; the limit is 10 MiB"])
    // The space of the rejected push is available again.
    expect(yield* push).toBe("taken")
  })
)
