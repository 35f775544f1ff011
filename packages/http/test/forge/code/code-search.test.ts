import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { CodeIndexStore } from "@slipway/domain/forge/code"
import { Jobs } from "@slipway/forge/background"
import { codeIndexUpdate, indexCode } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { basic, bearer, rootUrl, type Service, start } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository } from "../support/repositories.ts"

const withSearch = Effect.fnUntraced(function* (kind: (typeof kindsOfGit)[number][1] = () => ({}), switches = {}) {
  const api = yield* start({ ...kind(), switches: { codeSearch: true, ...switches } })
  yield* api.user("ann")
  yield* api.user("bob")
  return api
})

/** Creates, changes or deletes a file of a repository of Ann's by the API. */
const write = Effect.fnUntraced(function* (api: Service, repository: string, path: string, text: string | null) {
  const at = `/repos/ann/${repository}/contents/${path}`
  const present = yield* api.send("GET", at, ann)
  const sha = present.status === 200 ? { sha: present.json.sha as string } : {}
  if (text === null) return yield* api.ask(200, "DELETE", at, { ...ann, body: sha })
  const body = { content: Buffer.from(text).toString("base64"), ...sha }
  return yield* api.ask(present.status === 200 ? 200 : 201, present.status === 200 ? "PUT" : "POST", at, {
    ...ann,
    body
  })
})

const pathsOf = (json: ReadonlyArray<{ readonly path: string; readonly repository: { readonly name: string } }>) =>
  json.map(({ path, repository }) => `${repository.name}/${path}`)

/** Performs all jobs, and returns the paths that a search finds. */
const found = Effect.fnUntraced(function* (api: Service, query: string, who = bob) {
  yield* api.within(Jobs.runDue)
  return pathsOf(yield* api.ask(200, "GET", `/code/search?q=${query}`, who))
})

for (const [kind, git] of kindsOfGit) {
  describe(`code search, on ${kind}`, () => {
    it.live("finds files of all repositories by words, exact texts, languages and paths, with their lines", () =>
      Effect.gen(function* () {
        const api = yield* withSearch(git)
        yield* makeRepository(api, "app")
        yield* makeRepository(api, "tools")
        const text = "// Users\n\nexport const findUser = (id: string) =>\n  users.get(id)\n\nconst last = 1\n"
        yield* write(api, "app", "src/users.ts", text)
        yield* write(api, "app", "docs/users.md", "Find a user by its id.\r\nSecond line\r\n")
        yield* write(api, "tools", "a%20b.go", "func find_user(id) {\n  return nil\n")
        yield* write(api, "tools", "data.bin", "user find\0")
        expect(yield* found(api, "user")).toEqual(["app/docs/users.md", "app/src/users.ts", "tools/a b.go"])
        expect(yield* found(api, "FIND%20user%20get")).toEqual(["app/src/users.ts"])
        expect(yield* found(api, "find&language=go")).toEqual(["tools/a b.go"])
        expect(yield* found(api, "find&path=docs/")).toEqual(["app/docs/users.md"])
        expect(yield* found(api, "ser")).toEqual([])
        expect(yield* found(api, "%22users.get(id)%22")).toEqual(["app/src/users.ts"])
        expect(yield* found(api, "%22Users.get(id)%22")).toEqual([])
        const [file] = yield* api.ask(200, "GET", "/code/search?q=finduser", bob)
        expect(file).toMatchObject({
          repository: {
            owner: "ann",
            name: "app",
            full_name: "ann/app",
            html_url: `${rootUrl}/ann/app`,
            default_branch: "main"
          },
          path: "src/users.ts",
          size: text.length,
          language: "TypeScript",
          html_url: `${rootUrl}/ann/app/src/branch/main/src/users.ts#L3`,
          match_count: 1,
          lines: [
            { number: 2, text: "", match: false },
            { number: 3, text: "export const findUser = (id: string) =>", match: true },
            { number: 4, text: "  users.get(id)", match: false }
          ],
          incomplete: false
        })
        const page = yield* api.send("GET", "/code/search?q=user&limit=2", bob)
        expect([pathsOf(page.json), page.headers.get("x-total-count")]).toEqual([
          ["app/docs/users.md", "app/src/users.ts"],
          "3"
        ])
        expect(page.headers.get("link")).toContain('rel="next"')
        const phrase = yield* api.send("GET", "/code/search?q=%22user%22&limit=1&page=2", bob)
        expect([pathsOf(phrase.json), phrase.headers.get("x-total-count")]).toEqual([["app/src/users.ts"], "3"])
        const own = yield* api.ask(200, "GET", "/repos/ann/tools/code/search?q=user", bob)
        expect(pathsOf(own)).toEqual(["tools/a b.go"])
      })
    )

    it.live("follows every change of the default branch, and forgets deleted repositories", () =>
      Effect.gen(function* () {
        const api = yield* withSearch(git)
        const id = yield* makeRepository(api, "app")
        yield* write(api, "app", "a.ts", "const alpha = 1\n")
        yield* write(api, "app", "b.ts", "const alpha = 2\n")
        expect(yield* found(api, "alpha")).toEqual(["app/a.ts", "app/b.ts"])
        yield* write(api, "app", "a.ts", "const beta = 1\n")
        yield* write(api, "app", "b.ts", null)
        expect([yield* found(api, "alpha"), yield* found(api, "beta")]).toEqual([[], ["app/a.ts"]])
        yield* commitTo(api, id, { "c.ts": "const gamma = 1\n" }, { branch: "next", from: "main" })
        expect(yield* found(api, "gamma")).toEqual([])
        yield* api.ask(200, "PATCH", "/repos/ann/app", { ...ann, body: { default_branch: "next", name: "renamed" } })
        expect(yield* found(api, "gamma")).toEqual(["renamed/c.ts"])
        yield* api.ask(202, "POST", "/repos/ann/renamed/forks", { ...bob, body: { name: "fork" } })
        expect(yield* found(api, "gamma")).toEqual(["renamed/c.ts", "fork/c.ts"])
        yield* api.ask(200, "PATCH", "/repos/ann/renamed", { ...ann, body: { has_code: false } })
        expect(yield* found(api, "gamma")).toEqual(["fork/c.ts"])
        yield* api.ask(204, "DELETE", "/repos/ann/renamed", ann)
        yield* api.ask(204, "DELETE", "/repos/bob/fork", bob)
        expect(yield* found(api, "gamma")).toEqual([])
        expect(yield* api.within(Effect.flatMap(CodeIndexStore, (store) => store.files(id)))).toEqual(new Map())
      })
    )

    it.live(
      "an update that stops at any step is completed by the next one, also with another one at the same time",
      () =>
        Effect.gen(function* () {
          const api = yield* withSearch(git)
          const id = yield* makeRepository(api, "app")
          const files = (word: string, from: number, to: number) =>
            Object.fromEntries(
              Array.from({ length: to - from }, (_, at) => [`f${from + at}.ts`, `const ${word}${from + at} = 1\n`])
            )
          const store = yield* api.within(CodeIndexStore)
          const run = (lasts: number) => {
            let steps = 0
            const step =
              <A extends ReadonlyArray<unknown>, B>(call: (...input: A) => Effect.Effect<B>) =>
              (...input: A) =>
                Effect.suspend(() => {
                  steps += 1
                  return steps > lasts ? Effect.interrupt : call(...input)
                })
            const stopping = CodeIndexStore.of({
              ...store,
              begin: step(store.begin),
              files: step(store.files),
              change: step(store.change),
              finish: step(store.finish)
            })
            return Effect.exit(api.within(Effect.provideService(indexCode(id), CodeIndexStore, stopping)))
          }
          yield* commitTo(api, id, files("old", 0, 120))
          yield* run(Number.POSITIVE_INFINITY)
          yield* commitTo(api, id, { ...files("new", 0, 60), ...files("add", 120, 180), "f119.ts": null })
          const expected = [
            ...Object.keys(files("", 0, 119)),
            ...Object.keys(files("", 120, 180)),
            "README.md"
          ].toSorted()
          for (let lasts = 0; lasts < 8; lasts++) yield* run(lasts)
          yield* Effect.all([run(20), run(20), run(20)], { concurrency: "unbounded" })
          expect([...(yield* store.files(id)).keys()].toSorted()).toEqual(expected)
          const total = (query: string) =>
            Effect.map(api.send("GET", `/code/search?q=${query}&limit=1`, bob), ({ headers }) =>
              headers.get("x-total-count")
            )
          expect([yield* total("old"), yield* total("new"), yield* total("add")]).toEqual(["59", "60", "60"])
          // The commit that was indexed is only recorded by a complete update.
          const state = yield* store.begin(id, "2026-01-01T00:00:00.000Z")
          expect(state?.commit).toMatch(/^[0-9a-f]{40}$/)
        })
    )
  })
}

describe("code search", () => {
  it.live(
    "is rejected where it is off, without a word, and for anonymous callers of a site that requires sign-in",
    () =>
      Effect.gen(function* () {
        const off = yield* start()
        yield* off.user("ann")
        yield* makeRepository(off, "app")
        const message = "code search disabled by administrator"
        expect((yield* off.ask(404, "GET", "/code/search?q=user", ann)).message).toBe(message)
        expect((yield* off.ask(404, "GET", "/repos/ann/app/code/search?q=user", ann)).message).toBe(message)
        const api = yield* withSearch(undefined, { exploreNeedsSignIn: true })
        yield* makeRepository(api, "app")
        for (const query of ["", "?q=", "?q=%3D%3E", "?q=%22%22", "?q=a%20%C3%A9"]) {
          const { message } = yield* api.ask(422, "GET", `/code/search${query}`, ann)
          expect(message).toContain("[q]: must contain a word of at least 2 letters, digits or underscores")
        }
        const closed = yield* api.ask(401, "GET", "/code/search?q=user")
        expect(closed.message).toBe("you must be signed in to search code")
        expect(yield* api.ask(200, "GET", "/repos/ann/app/code/search?q=zz")).toEqual([])
      })
  )

  it.live("finds nothing in repositories with code that the caller cannot read, and does not count it", () =>
    Effect.gen(function* () {
      const api = yield* withSearch()
      yield* api.user("root", { admin: true })
      for (const name of ["open", "closed"]) {
        yield* makeRepository(api, name, { private: name === "closed" })
        yield* write(api, name, "a.ts", "const secret = 1\n")
      }
      yield* api.within(Jobs.runDue)
      const seen = (headers: Record<string, string>) =>
        Effect.map(api.send("GET", "/code/search?q=secret", { headers }), (answer) => [
          pathsOf(answer.json),
          answer.headers.get("x-total-count")
        ])
      expect(yield* seen({})).toEqual([["open/a.ts"], "1"])
      expect(yield* seen(basic("bob"))).toEqual([["open/a.ts"], "1"])
      expect(yield* seen(basic("ann"))).toEqual([["open/a.ts", "closed/a.ts"], "2"])
      expect(yield* seen(basic("root"))).toEqual([["open/a.ts", "closed/a.ts"], "2"])
      const limited = yield* api.mint("ann", ["read:repository", "public-only"])
      expect(yield* seen(bearer(limited))).toEqual([["open/a.ts"], "1"])
      yield* api.ask(404, "GET", "/repos/ann/closed/code/search?q=secret", bob)
      const other = yield* api.mint("ann", ["read:issue"])
      yield* api.ask(403, "GET", "/code/search?q=secret", { headers: bearer(other) })
    })
  )

  it.live("is filled by a scheduled task after it was switched on, and removed after it was switched off", () =>
    Effect.gen(function* () {
      const api = yield* withSearch()
      const id = yield* makeRepository(api, "app")
      yield* write(api, "app", "a.ts", "const late = 1\n")
      yield* api.within(Jobs.runDue)
      yield* api.within(Effect.flatMap(CodeIndexStore, (store) => store.clear(10)))
      expect(yield* found(api, "late")).toEqual([])
      yield* api.within(codeIndexUpdate.run)
      expect(yield* found(api, "late")).toEqual(["app/a.ts"])
      const off = yield* start()
      yield* off.user("ann")
      const other = (yield* makeRepository(off, "app")) satisfies RepositoryId
      const index = yield* off.within(CodeIndexStore)
      const run = yield* index.begin(other, "2026-01-01T00:00:00.000Z")
      expect(run?.repositoryId).toBe(id)
      yield* off.within(codeIndexUpdate.run)
      expect(run && (yield* index.finish(run, { commit: null, incomplete: false }))).toBe(false)
    })
  )
})
