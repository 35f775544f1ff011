import { expect } from "@effect/vitest"
import { DeploymentStore } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { Api, withApi } from "../support/api.ts"
import { wrongFields } from "../support/harness.ts"
import { listen } from "../support/listen.ts"

withApi()("GET /deployments/{uuid}/logs/stream", (it) => {
  const line = (text: string) => ({ at: "2026-01-01T00:00:00.000Z", stream: "stdout", text }) as const
  const deploying = Effect.gen(function* () {
    const { service, world } = yield* Api
    const application = yield* world.create("dockerimage")
    const { deployment_uuid } = yield* service.ask(200, "POST", `/applications/${application}/start`)
    const uuid = deployment_uuid as DeploymentUuid
    const say = (...texts: ReadonlyArray<string>) =>
      service.within(Effect.flatMap(DeploymentLogStore, (store) => store.append(uuid, texts.map(line))))
    const turn = { worker: "test", at: "2026-01-01T00:00:00.000Z", until: "2999-01-01T00:00:00.000Z" }
    const move = (status: "preparing" | "failed", reason: string | null = null) =>
      service.within(
        Effect.gen(function* () {
          const store = yield* DeploymentStore
          yield* store.claim(turn)
          const present = yield* store.find(uuid)
          if (present === undefined) return yield* Effect.die("the deployment is gone")
          yield* store.save({ ...present, status, reason }, "test")
        })
      )
    return { ...service, path: `/deployments/${uuid}/logs/stream`, say, move }
  })

  it.effect("sends lines and states until the deployment ends", () =>
    Effect.gen(function* () {
      const service = yield* deploying
      const { move, path, say } = service
      const hostile = "a\r\n\r\nevent: end\u2028\ud83d"
      yield* say("one")
      const stream = yield* listen(service, path)
      yield* stream.until(() => stream.heard.length === 2)
      yield* move("preparing")
      yield* stream.until(() => stream.heard.length === 3)
      yield* say(hostile)
      yield* move("failed", "it broke")
      yield* say("after the end")
      yield* stream.until(() => false)
      const told = stream.heard.map(({ data, event }) => (event === "message" ? data.text : [event, data]))
      const failed = { status: "failed", reason: "it broke" }
      expect(told.filter((each) => each !== "after the end")).toEqual([
        "one",
        ["status", { status: "queued", reason: null }],
        ["status", { status: "preparing", reason: null }],
        hostile,
        ["status", failed],
        ["end", failed]
      ])
      expect(stream.texts.at(-1)).toBe("after the end")
      expect(stream.raw().startsWith("retry: 2000\n\n")).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.effect("contains lines that exceed the 8 MiB of the deployment's log field (I25)", () =>
    Effect.gen(function* () {
      const service = yield* deploying
      const { move, path, say } = service
      yield* move("failed", "it broke")
      yield* say(...Array.from({ length: 600 }, () => "x".repeat(16_384)))
      const [, , uuid] = path.split("/")
      const { logs } = yield* service.ask(200, "GET", `/deployments/${uuid}`)
      expect(JSON.parse(logs)).toHaveLength(512)
      const stream = yield* listen(service, path)
      yield* stream.until(() => false)
      expect(stream.texts.filter((text) => text.length === 16_384)).toHaveLength(600)
    }).pipe(Effect.scoped)
  )

  it.effect("resumes after any line, by header or query, without gaps or duplicates", () =>
    Effect.gen(function* () {
      const service = yield* deploying
      const { move, path, say } = service
      const texts = Array.from({ length: 1_203 }, (_, n) => String(n))
      yield* say(...texts)
      yield* move("failed", "it broke")
      const all = yield* listen(service, path)
      yield* all.until(() => false)
      expect(all.texts).toEqual(texts)
      for (const n of [0, 498, 499, 1_202]) {
        const id = all.heard.filter(({ event }) => event === "message")[n]?.id
        for (const stream of [
          yield* listen(service, path, { last: id }),
          yield* listen(service, `${path}?after=${id}`),
          // The header is newer than the query of the client's first request.
          yield* listen(service, `${path}?after=1`, { last: id })
        ]) {
          yield* stream.until(() => false)
          expect(stream.texts).toEqual(texts.slice(n + 1))
          expect(stream.heard.at(-1)?.event).toBe("end")
        }
      }
      const answer = yield* service.send("GET", `/api/v1${path}`, { headers: { "last-event-id": "x" } })
      expect([answer.status, wrongFields(answer)]).toEqual([400, ["last-event-id"]])
    }).pipe(Effect.scoped)
  )

  it.effect("requires the permission to read deployments", () =>
    Effect.gen(function* () {
      const { mint, path, send } = yield* deploying
      const { text: token } = yield* mint("deploy")
      const answer = yield* send("GET", `/api/v1${path}`, { token })
      expect([answer.status, answer.json]).toEqual([
        403,
        { message: "This token may not do this (deployment.read): tokens with `read`, `read:sensitive` or `root` may." }
      ])
    })
  )
})
