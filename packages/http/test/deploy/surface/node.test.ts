import { connect } from "node:net"
import { expect, it } from "@effect/vitest"
import { FirstStart } from "@slipway/deploy"
import { layerPathMatcher } from "@slipway/git/deploy"
import { serve } from "@slipway/http/node"
import { layer as routes } from "@slipway/http/server/deploy"
import { adapters, layer as memory } from "@slipway/memory/deploy"
import { layerKeyReader } from "@slipway/ssh"
import { testLayer, testPasswords } from "@slipway/testkit"
import { Effect, Layer, Redacted } from "effect"

const token = "chosen"

/** Sends raw bytes, and returns the response until the server closes the connection. */
const exchange = (port: number, ...parts: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    let said = ""
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of parts) socket.write(part)
    })
    socket.on("data", (data) => {
      said += data.toString("latin1")
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(said)))
    return Effect.sync(() => socket.destroy())
  })

const head = (line: string, ...headers: ReadonlyArray<string>) =>
  `${[line, "host: deploy.test", `authorization: Bearer ${token}`, "connection: close", ...headers].join("\r\n")}\r\n\r\n`

it.live(
  "over Node's server: lists are chunked, HEAD has no body, bodies are limited, and paths are read verbatim",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        let port = 0
        const platform = Layer.mergeAll(
          memory,
          adapters,
          Layer.provideMerge(testPasswords, testLayer),
          layerKeyReader,
          layerPathMatcher
        )
        const prepared = Layer.effectDiscard(FirstStart.prepare(Redacted.make(token)))
        yield* Layer.build(
          serve(routes, {
            host: "127.0.0.1",
            port: 0,
            portSetting: "DEPLOY_PORT",
            largestBody: 1,
            onListening: (base) =>
              Effect.sync(() => {
                port = Number(new URL(base).port)
              })
          }).pipe(Layer.provideMerge(prepared), Layer.provide(platform))
        )
        const said = (...parts: ReadonlyArray<string>) => exchange(port, ...parts)

        const list = yield* said(head("GET /api/v1/projects HTTP/1.1"))
        expect(list).toMatch(/^HTTP\/1.1 200 /)
        expect(list.toLowerCase()).toContain("transfer-encoding: chunked")
        const headed = yield* said(head("HEAD /api/v1/version HTTP/1.1"))
        expect(headed).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\n\r\n$/)

        for (const path of ["/docs", "/docs", "/api/v1/openapi.json"]) {
          expect((yield* said(head(`GET ${path} HTTP/1.1`))).slice(0, 12), path).toBe("HTTP/1.1 200")
        }

        const created = '{"name":"curl -d"}'
        const form = ["content-type: application/x-www-form-urlencoded", `content-length: ${created.length}`]
        expect(yield* said(head("POST /api/v1/projects HTTP/1.1", ...form), created)).toMatch(/^HTTP\/1.1 201 /)

        const tooLarge = /^HTTP\/1.1 413 [\s\S]*\{"message":"The body is too large."\}/
        const announced = ["content-type: application/json", "content-length: 2000000"]
        expect(yield* said(head("POST /api/v1/projects HTTP/1.1", ...announced), "x".repeat(2_000_000))).toMatch(
          tooLarge
        )
        const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`
        const chunked = ["content-type: application/json", "transfer-encoding: chunked"]
        expect(
          yield* said(
            head("POST /api/v1/projects HTTP/1.1", ...chunked),
            ...Array.from({ length: 40 }, () => chunk),
            "0\r\n\r\n"
          )
        ).toMatch(tooLarge)

        for (const [path, status] of [
          ["/api/v1/applications/%00", 404],
          ["/api/v1/applications/%ff", 404],
          ["/api/v1/../v1/version", 404],
          ["/api/v1/%61pplications", 200],
          ["//api/v1/version", 200],
          ["http://deploy.test/api/v1/version", 200],
          ["*", 404]
        ] as const) {
          const answer = yield* said(head(`GET ${path} HTTP/1.1`))
          expect(answer.slice(0, 12), path).toBe(`HTTP/1.1 ${status}`)
          if (status === 404) expect(answer, path).toMatch(/\{"message":"[A-Z][a-z ]+\."\}/)
        }
      })
    )
)
