import { describe, expect, it } from "@effect/vitest"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { Effect, Layer } from "effect"
import { isThorough, runs, seed } from "../../../../../scripts/vitest/runs.ts"
import { basic, bearer, type Service, start } from "../support/harness.ts"

// Unexpected requests, generated from the service's own description.

/** Random numbers below one, equal for equal seeds. */
const randomFrom = (from: number) => {
  let state = from >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** A part of a description in JSON Schema. */
interface Shape {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<Json>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly oneOf?: ReadonlyArray<Shape>
  readonly allOf?: ReadonlyArray<Shape>
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema?: Shape }>
  readonly body: Shape | undefined
}

const oddTexts = [
  "",
  " ",
  "..",
  "../..",
  "a/b",
  "-1",
  "0",
  "1e3",
  "NaN",
  "null",
  "2147483648",
  "9223372036854775808",
  "9".repeat(40),
  "a".repeat(300),
  "\0",
  "a\0b",
  "\u202e",
  "\ud83d\ude00",
  "\uffff",
  "é",
  "%",
  "_",
  "\\",
  "'; --",
  "(",
  "[a-",
  "*",
  "a\nb",
  "\r\n",
  "refs/heads/main",
  "HEAD",
  "@{-1}",
  "main..main",
  "main...nothing",
  ":/",
  "--all",
  "0".repeat(40),
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "2026-02-30T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "1970-01-01T00:00:00+14:00",
  "javascript:alert(1)",
  "https://x@[::1]:99999/",
  "ssh-ed25519 AAAA",
  "#fff",
  "constructor",
  "__proto__",
  "toString",
  "a,b,,c",
  "-",
  "true"
]
const oddNumbers = [-1, 0, 1, 2, 0.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53, 1e300, 9e18]
const odd: ReadonlyArray<Json> = [null, true, false, [], {}, [[]], [null], { a: 1 }, ...oddNumbers, ...oddTexts]

// The names of existing resources; all other parameters are numbers.
const named: Readonly<Record<string, ReadonlyArray<string>>> = {
  username: ["ann", "acme", "bob"],
  owner: ["ann", "acme"],
  user: ["ann", "bob"],
  target: ["bob", "ann"],
  collaborator: ["bob"],
  org: ["acme"],
  repo: ["two"],
  reponame: ["one", "two"],
  team: ["crew", "Owners"],
  branch: ["main", "work"],
  ref: ["main", "heads/main", "v1"],
  sha: ["main", "v1"],
  tag: ["v1"],
  name: ["main", "rule", "v1"],
  basehead: ["main...work", "work..main"],
  filepath: ["README.md"],
  archive: ["main.zip", "main.tar.gz"],
  "*": ["README.md", "main...work", "main"],
  topic: ["tools"],
  diffType: ["diff", "patch"]
}

/** Generates requests from a description. */
const makerOf = (
  document: { readonly components?: { readonly schemas?: Readonly<Record<string, Shape>> } },
  random: () => number
) => {
  const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)] as A
  const chance = (share: number) => random() < share
  const text = () =>
    chance(0.3) ? pick(["ann", "bob", "acme", "main", "work", "v1", "x", "README.md"]) : pick(oddTexts)

  const valueOf = (shape: Shape | undefined, depth = 0): Json => {
    if (shape === undefined || depth > 5 || chance(0.04)) return pick(odd)
    if (shape.$ref !== undefined)
      return valueOf(document.components?.schemas?.[shape.$ref.split("/").pop() ?? ""], depth + 1)
    const among = shape.anyOf ?? shape.oneOf ?? (shape.properties === undefined ? shape.allOf : undefined)
    if (among !== undefined) return valueOf(pick(among), depth + 1)
    if (shape.enum !== undefined) return pick(shape.enum)
    const type = typeof shape.type === "string" ? shape.type : pick(shape.type ?? ["object"])
    if (type === "boolean") return chance(0.5)
    if (type === "integer" || type === "number") return chance(0.5) ? 1 : pick(oddNumbers)
    if (type === "string") return text()
    if (type === "array") return Array.from({ length: Math.floor(random() * 3) }, () => valueOf(shape.items, depth + 1))
    if (type === "null") return null
    const fields = Object.entries(shape.properties ?? {}).filter(() => chance(0.6))
    return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field, depth + 1)]))
  }

  const wordOf = (name: string, shape: Shape | undefined): string => {
    if (chance(0.08)) return encodeURIComponent(pick(oddTexts).toWellFormed())
    if (chance(0.03)) return pick(["%ff", "%", "%00", "%2f", "%2e%2e"])
    const known = named[name]
    if (known !== undefined) return pick(known)
    const value = valueOf(shape)
    return encodeURIComponent(String(typeof value === "object" ? "" : value).toWellFormed())
  }

  return ({ body, method, parameters, path }: Operation) => {
    const there = chance(0.9)
    const filled = path.replace(/\{(\w+|\*)\}|\*/g, (_, name: string | undefined) => {
      if (there && path.startsWith("/api/v1/repos/{username}/{reponame}")) {
        if (name === "username") return "ann"
        if (name === "reponame") return "one"
      }
      const known = named[name ?? "*"]
      const word = known === undefined && !chance(0.15) ? pick(["1", "1", "2", "3"]) : wordOf(name ?? "*", undefined)
      return word === "" ? "x" : word
    })
    const query = parameters
      .filter((each) => each.in === "query" && chance(0.4))
      .map(({ name, schema }) => `${name}=${wordOf(name, schema)}`)
    return {
      method,
      path: `${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`,
      body: body === undefined ? undefined : valueOf(body)
    }
  }
}

const operationsOf = (paths: Readonly<Record<string, Readonly<Record<string, never>>>>): ReadonlyArray<Operation> =>
  Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, said]) => {
      const { parameters = [], requestBody } = said as {
        parameters?: Operation["parameters"]
        requestBody?: { content?: Readonly<Record<string, { schema?: Shape }>> }
      }
      const body = Object.values(requestBody?.content ?? {})[0]?.schema
      return { method: verb.toUpperCase(), path, parameters, body }
    })
  )

const ann = { headers: basic("ann") }

/** Creates one of most resource types. */
const fill = Effect.fnUntraced(function* (api: Service) {
  yield* api.user("ann", { admin: true })
  yield* api.user("bob")
  const add = (path: string, body: Record<string, unknown> = {}) => api.ask(201, "POST", path, { ...ann, body })
  yield* add("/orgs", { username: "acme" })
  yield* add("/orgs/acme/teams", { name: "crew", permission: "write", units: ["repo.code"] })
  yield* add("/orgs/acme/repos", { name: "two", auto_init: true })
  yield* add("/user/repos", { name: "one", auto_init: true })
  const one = "/repos/ann/one"
  yield* api.ask(204, "PUT", `${one}/collaborators/bob`, { ...ann, body: { permission: "write" } })
  yield* add(`${one}/branches`, { new_branch_name: "work" })
  yield* add(`${one}/contents/more.txt`, { branch: "work", content: "aGVsbG8=", message: "More" })
  yield* add(`${one}/labels`, { name: "bug", color: "fff" })
  yield* add(`${one}/milestones`, { title: "First" })
  yield* add(`${one}/issues`, { title: "An issue" })
  yield* add(`${one}/issues/1/comments`, { body: "A comment" })
  yield* add(`${one}/pulls`, { title: "A change", head: "work", base: "main" })
  yield* add(`${one}/releases`, { tag_name: "v1" })
  yield* add(`${one}/branch_protections`, { rule_name: "rule" })
  yield* add(`${one}/hooks`, { type: "gitea", config: { url: "https://hooks.example", content_type: "json" } })
})

/** Sends each operation once, deletions last, and returns the invalid responses. */
const sendAll = Effect.fnUntraced(function* (api: Service, random: () => number) {
  const document = (yield* api.fetch("GET", "/api/v1/openapi.json")).json
  const make = makerOf(document, random)
  const tokens = { ann: bearer(yield* api.mint("ann", ["all"])), bob: bearer(yield* api.mint("bob", ["all"])) }
  const order = operationsOf(document.paths)
    .map(
      (operation) => [operation.method === "DELETE" ? 2 - operation.path.length / 1e3 : random(), operation] as const
    )
    .sort(([one], [other]) => one - other)
  const found: Array<string> = []
  for (const [, operation] of order) {
    const { body, method, path } = make(operation)
    const headers = random() < 0.8 ? (random() < 0.9 ? tokens.ann : ann.headers) : tokens.bob
    const sent = { headers, ...(body === undefined ? {} : { body }) }
    const before = api.logged.length
    const { json, status, text } = yield* api.fetch(method, path, sent)
    // The specification requires this failure.
    if (status < 500 || status === 501 || json?.message === "units permission should not be empty") continue
    found.push(
      `${method} ${path} ${JSON.stringify(body)}: ${status} ${text} ${api.logged.slice(before).join(" ").slice(0, 1200)}`
    )
  }
  return { asked: order.length, found }
})

const sql = Layer.provide(layerStores, Layer.orDie(Database.layerInMemory({ schema: "forge", migrations })))

describe("random requests from the description of the API", () => {
  for (const [kind, store] of [["memory", undefined] as const, ...(isThorough ? [["sql", sql] as const] : [])]) {
    it.live(
      `are answered and never end in a defect (${kind})`,
      () =>
        Effect.gen(function* () {
          const found: Array<string> = []
          for (let round = 0; round < runs(1); round++) {
            const sent = yield* Effect.scoped(
              Effect.gen(function* () {
                const api = yield* start(store === undefined ? {} : { store })
                yield* fill(api)
                return yield* sendAll(api, randomFrom(seed + round))
              })
            )
            expect(sent.asked).toBeGreaterThan(380)
            found.push(...sent.found)
          }
          expect(found).toEqual([])
        }),
      300_000
    )
  }
})
