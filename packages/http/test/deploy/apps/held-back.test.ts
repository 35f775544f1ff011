import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { delayedBody } from "../../delayedBody.ts"
import { endpoints } from "../support/endpoints.ts"
import { start } from "../support/harness.ts"

describe("a delayed body is authorized with the current permissions (I7)", () => {
  it.live("every endpoint rejects a token that is revoked before the body arrives, and creates nothing", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const answers: Record<string, number> = {}
      for (const { method, template } of endpoints.filter(({ hasBody }) => hasBody)) {
        const { text, uuid } = yield* api.mint("root")
        const { isRead, release, stream } = delayedBody('{"name":"late"}')
        const path = template.replace(/\{\w+\}/g, api.project)
        const sent = { token: text, raw: stream, headers: { "content-length": "15" } }
        const asked = yield* Effect.forkChild(api.send(method, path, sent))
        yield* isRead
        yield* api.ask(200, "DELETE", `/tokens/${uuid}`)
        release()
        answers[`${method} ${template}`] = (yield* Fiber.join(asked)).status
      }
      expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, 401])))
      const projects: ReadonlyArray<{ readonly name: string }> = yield* api.ask(200, "GET", "/projects")
      expect(projects.map(({ name }) => name)).not.toContain("late")
    })
  )
})
