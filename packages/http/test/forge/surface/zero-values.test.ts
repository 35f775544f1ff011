import { describe, expect, it } from "@effect/vitest"
import { EndpointShape, ForgeApi } from "@slipway/http/api/forge"
import { Context, Effect, Result } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { type AnyShape, queryFieldsOf } from "../../../src/api/forge/base/endpoints.ts"
import { ignoredWarning, prefersStrict } from "../../../src/server/forge/base/bodyFields.ts"
import { bodyDecoder, queryDecoder } from "../../../src/server/forge/base/decode.ts"
import { basic, start } from "../support/harness.ts"

/** A part of a description in JSON Schema. */
interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: ReadonlyArray<Shape>
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Shape
}

interface Described {
  readonly name: string
  readonly shape: AnyShape
  readonly body: Shape | undefined
}

const document = OpenApi.fromApi(ForgeApi) as unknown as {
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { requestBody?: { content: Record<string, { schema: Shape }> } }>>>
  >
}

const resolved = (shape: Shape): Shape => {
  const whole = shape.$ref === undefined ? shape : document.components.schemas[shape.$ref.split("/").pop() ?? ""]
  const [only] = whole?.anyOf?.filter(({ type }) => type !== "null") ?? []
  return only === undefined ? (whole ?? {}) : resolved(only)
}

const described: Array<Described> = []
HttpApi.reflect(ForgeApi, {
  onGroup() {},
  onEndpoint({ endpoint }) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
    const body = document.paths[path]?.[endpoint.method.toLowerCase()]?.requestBody?.content["application/json"]
    described.push({
      name: `${endpoint.method} ${path}`,
      shape: Context.getUnsafe(endpoint.annotations, EndpointShape),
      body: body && resolved(body.schema)
    })
  }
})

const isTime = /date|due_on|_at$|created$/

/** Returns the zero values of a Go client for a field of a type. */
const zeroValues = (name: string, shape: Shape): ReadonlyArray<unknown> => {
  const { items, type } = resolved(shape)
  if (type === "string") return ["", null, ...(isTime.test(name) ? ["0001-01-01T00:00:00Z"] : [])]
  if (type === "integer" || type === "number") return [0, null]
  if (type === "boolean") return [false, null]
  if (type === "array") return [null, [], ...(resolved(items ?? {}).type === "string" ? [[""]] : [])]
  return [null, {}]
}

const reading = { params: {}, strict: false }

/** Returns the problems with one field of a body. */
const problemsOf = (shape: AnyShape, body: unknown, name: string, strict = false) => {
  const decoded = Effect.runSync(Effect.result(bodyDecoder(shape.body as never)(body, { ...reading, strict })))
  return Result.isSuccess(decoded)
    ? []
    : Object.entries(decoded.failure.problems).filter(([at]) => at === name || at.startsWith(`${name}.`))
}

describe("the check of every body and query", () => {
  const bodies = described.filter(({ body, shape }) => body?.properties !== undefined && shape.body !== undefined)

  it("treats zero values as omitted for every optional field of the body", () => {
    const refused = bodies.flatMap(({ body, name, shape }) =>
      Object.entries(body?.properties ?? {})
        .filter(([field]) => !body?.required?.includes(field))
        .flatMap(([field, type]) =>
          zeroValues(field, type).flatMap((zero) =>
            problemsOf(shape, { [field]: zero }, field).map((problem) => `${name} ${field} ${JSON.stringify(problem)}`)
          )
        )
    )
    expect(described.filter(({ shape }) => shape.body !== undefined).length).toBe(bodies.length)
    expect(refused).toEqual([])
  })

  it("treats zero values as omitted for every optional field of objects in the body", () => {
    const refused = bodies.flatMap(({ body, name, shape }) =>
      Object.entries(body?.properties ?? {}).flatMap(([field, type]) => {
        const { properties = {}, required = [] } = resolved(type)
        return Object.entries(properties)
          .filter(([inner]) => !required.includes(inner))
          .flatMap(([inner, innerType]) =>
            zeroValues(inner, innerType).flatMap((zero) =>
              problemsOf(shape, { [field]: { [inner]: zero } }, `${field}.${inner}`).map(
                (problem) => `${name} ${JSON.stringify(problem)}`
              )
            )
          )
      })
    )
    expect(refused).toEqual([])
  })

  it("ignores and names an unknown field of the body, and rejects the field with strict handling", () => {
    const field = "field_of_a_newer_version"
    const kept = bodies.flatMap(({ name, shape }) => {
      const loose = problemsOf(shape, { [field]: "x" }, field)
      const strict = problemsOf(shape, { [field]: "x" }, field, true)
      const nothing = problemsOf(shape, { [field]: 0 }, field, true)
      return loose.length === 0 && strict.length === 1 && nothing.length === 0 ? [] : [name]
    })
    expect(kept).toEqual([])
  })

  it("treats zero values as omitted for every parameter of the query", () => {
    const refused = described.flatMap(({ name, shape }) => {
      const decode = queryDecoder(queryFieldsOf(shape))
      const without = Effect.runSync(Effect.result(decode(new URLSearchParams())))
      return Object.keys(queryFieldsOf(shape))
        .filter((field) => {
          const empty = Effect.runSync(Effect.result(decode(new URLSearchParams(`${field}=&newer=1`))))
          return JSON.stringify(empty) !== JSON.stringify(without)
        })
        .map((field) => `${name} ${field}`)
    })
    expect(refused).toEqual([])
  })
})

describe("the check for unknown fields of a body", () => {
  const read = (body: unknown, schema: string, params = {}) => {
    const found = described.find(({ name }) => name === schema)
    return Effect.runSync(bodyDecoder(found?.shape.body as never)(body, { ...reading, params }))
  }

  it("accepts the spellings of Gitea 1.25 and of Gitea 1.26", () => {
    const merge = "POST /api/v1/repos/{username}/{reponame}/pulls/{index}/merge"
    const old = { Do: "squash", MergeTitleField: "One", MergeMessageField: "Two", MergeCommitID: "abc" }
    const renamed = { do: "squash", merge_title_field: "One", merge_message_field: "Two", merge_commit_id: "abc" }
    expect(read(renamed, merge)).toEqual({ body: old, ignored: [] })
    expect(read(old, merge)).toEqual({ body: old, ignored: [] })
    expect(read({ Do: "merge", do: "rebase" }, merge)).toEqual({ body: { Do: "merge" }, ignored: ["do"] })
  })

  it("reports fields of nested objects, but no repeated path parameters and no zero values", () => {
    const files = "POST /api/v1/repos/{username}/{reponame}/contents"
    const file = { operation: "create", path: "a", content: "", mode: "100755" }
    expect(read({ files: [file], author: { name: "", login: "ann" } }, files).ignored).toEqual([
      "files.mode",
      "author.login"
    ])
    const secret = "PUT /api/v1/repos/{username}/{reponame}/actions/secrets/{secretname}"
    expect(read({ data: "x", name: "KEY", zero: 0, none: {}, no: [false] }, secret, { secretname: "KEY" })).toEqual({
      body: { data: "x" },
      ignored: []
    })
  })

  it("keeps the header within bounds and free of control characters", () => {
    expect(ignoredWarning(["a", "b\r\nset-cookie: x=1", "\ud800"])).toBe(
      "ignored fields: a, b%0D%0Aset-cookie%3A%20x%3D1, %EF%BF%BD"
    )
    const many = Array.from({ length: 25 }, (_, at) => `f${at}`)
    expect(ignoredWarning(many)).toMatch(/^ignored fields: f0, .*, f19, and 5 more$/)
  })

  it("reads the preference for strict handling in the syntax of RFC 7240", () => {
    expect(["handling=strict", "return=minimal, Handling=Strict", 'handling = "strict"'].map(prefersStrict)).toEqual([
      true,
      true,
      true
    ])
    expect([undefined, "handling=lenient", "xhandling=strict", "handling=stricter"].map(prefersStrict)).toEqual([
      false,
      false,
      false,
      false
    ])
  })

  it.live("adds a warning to the response of a merge, an issue, a hook, a protection, a repository and a secret", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      const ann = { headers: basic("ann") }
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "one", auto_init: true } })
      const one = "/repos/ann/one"
      const sent = [
        ["PATCH", one, { allow_merge_update: true }, 200, "allow_merge_update"],
        ["POST", `${one}/issues`, { title: "One", projects: [3], assignees: [""], due_date: null }, 201, "projects"],
        [
          "POST",
          `${one}/hooks`,
          { type: "gitea", name: "Hook", config: { url: "https://hooks.example", content_type: "json" } },
          201,
          "name"
        ],
        [
          "POST",
          `${one}/branch_protections`,
          { rule_name: "main", enable_bypass_allowlist: true },
          201,
          "enable_bypass_allowlist"
        ]
      ] as const
      for (const [method, path, body, status, field] of sent) {
        const answer = yield* api.send(method, path, { ...ann, body })
        expect([path, answer.status, answer.headers.get("x-svc-warning")]).toEqual([
          path,
          status,
          `ignored fields: ${field}`
        ])
        const strict = { headers: { ...ann.headers, prefer: "handling=strict" }, body }
        const { message } = yield* api.ask(422, method, path, strict)
        expect(message).toBe(`[${field}]: this field is not allowed`)
      }
      const secret = { ...ann, body: { data: "x", name: "KEY" } }
      const made = yield* api.send("PUT", `${one}/actions/secrets/KEY`, secret)
      expect([made.status, made.headers.has("x-svc-warning")]).toEqual([201, false])
    })
  )

  it.live("treats zero values of a Go client as omitted, independently of the handler", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      const ann = { headers: basic("ann") }
      const none = "0001-01-01T00:00:00Z"
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "one", auto_init: true } })
      const one = "/repos/ann/one"
      const milestone = yield* api.ask(201, "POST", `${one}/milestones`, {
        ...ann,
        body: { title: "First", description: "", due_on: none, state: "" }
      })
      expect([milestone.due_on, milestone.state]).toEqual([null, "open"])
      const issue = yield* api.ask(201, "POST", `${one}/issues`, {
        ...ann,
        body: {
          title: "One",
          assignee: "",
          assignees: [""],
          due_date: none,
          labels: null,
          milestone: 0,
          ref: "",
          closed: false
        }
      })
      expect([issue.due_date, issue.assignees, issue.milestone, issue.labels]).toEqual([null, null, null, []])
      for (const query of ["type=all&state=&labels=&milestones=&since=&before=", "type="])
        expect(yield* api.ask(200, "GET", `${one}/issues?${query}`, ann)).toHaveLength(1)
      yield* api.ask(200, "GET", "/notifications?subject-type=&status-types=&since=", ann)
      yield* api.ask(200, "GET", `${one}/actions/runs?status=&event=`, ann)
      yield* api.ask(200, "PATCH", one, {
        ...ann,
        body: { external_tracker: { external_tracker_url: "https://t.example/i", external_tracker_style: "" } }
      })
    })
  )
})
