import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { eventOf, proofOf, pushBody, secretOf, secretsOf } from "../support/webhooks.ts"

const full = (server: string) => ({
  message: `The deployment queue of \`${server}\` is full: 2 deployments wait (deployment_queue_limit); nothing was queued.`
})

let servers = 0

/** Creates applications on a new server with a queue limit of 2. */
const crowd = Effect.fnUntraced(function* (count: number) {
  const { service, world } = yield* Api
  const name = `small ${++servers}`
  const { uuid: server } = yield* service.ask(201, "POST", "/servers", { name, ip: "local", deployment_queue_limit: 2 })
  const uuids = yield* Effect.forEach(Array.from({ length: count }), (_, n) =>
    world.create("public", { name: `${name}-${n}`, server_uuid: server, ...secretsOf(`${name}-${n}`) })
  )
  const waiting = Effect.map(
    Effect.forEach(uuids, (uuid) => service.ask(200, "GET", `/deployments/applications/${uuid}`)),
    (answers) => answers.map((answer) => answer.count as number)
  )
  return { name, server, uuids, waiting }
})

for (const store of storeNames) {
  withApi(store)(`deployments that wait for a server over ${store}`, (it) => {
    it.effect("are limited: a request above the limit gets 429, except for an application that is already queued", () =>
      Effect.gen(function* () {
        const { ask, send } = (yield* Api).service
        const { name, server, uuids, waiting } = yield* crowd(3)
        const [first, second, third] = uuids
        yield* ask(200, "POST", `/applications/${first}/start`)
        const { deployment_uuid } = yield* ask(200, "POST", `/applications/${second}/start`)
        const refused = yield* send("POST", `/api/v1/applications/${third}/start`)
        expect([refused.status, refused.json]).toEqual([429, full(name)])
        expect(refused.headers.get("retry-after")).toBe("60")
        expect(yield* ask(429, "POST", `/applications/${third}/restart`)).toEqual(full(name))
        expect(yield* ask(429, "GET", `/deploy?uuid=${third}`)).toEqual(full(name))
        expect(yield* ask(429, "PATCH", `/applications/${third}`, { name: "Other", instant_deploy: true })).toEqual(
          full(name)
        )
        expect((yield* ask(200, "GET", `/applications/${third}`)).name).not.toBe("Other")
        expect(yield* waiting).toEqual([1, 1, 0])
        yield* ask(200, "POST", `/applications/${first}/start`)
        yield* ask(200, "POST", `/applications/${third}/stop`)
        yield* ask(200, "POST", `/deployments/${deployment_uuid}/cancel`)
        yield* ask(429, "POST", `/applications/${second}/start`)
        yield* ask(201, "PATCH", `/servers/${server}`, { deployment_queue_limit: 3 })
        yield* ask(200, "POST", `/applications/${second}/start`)
      })
    )

    it.effect("are listed newest first until they have ended", () =>
      Effect.gen(function* () {
        const { ask } = (yield* Api).service
        const { uuids } = yield* crowd(2)
        const [first, second] = uuids
        const { deployment_uuid: one } = yield* ask(200, "POST", `/applications/${first}/start`)
        const { deployment_uuid: two } = yield* ask(200, "POST", `/applications/${second}/start`)
        const open = Effect.map(ask(200, "GET", "/deployments?selection=open&per_page=100"), (rows) =>
          rows
            .map((row: { deployment_uuid: string }) => row.deployment_uuid)
            .filter((uuid: string) => [one, two].includes(uuid))
        )
        expect(yield* open).toEqual([two, one])
        yield* ask(200, "POST", `/deployments/${two}/cancel`)
        expect(yield* open).toEqual([one])
        expect(yield* ask(200, "GET", "/deployments?selection=failed")).toEqual([])
        yield* ask(400, "GET", "/deployments?selection=closed")
      })
    )

    it.effect("are queued completely or not at all if one request names several applications", () =>
      Effect.gen(function* () {
        const { ask } = (yield* Api).service
        const { name, uuids, waiting } = yield* crowd(3)
        expect(yield* ask(429, "POST", `/deploy?uuid=${uuids.join(",")}`)).toEqual(full(name))
        expect(yield* waiting).toEqual([0, 0, 0])
        expect((yield* ask(200, "POST", `/deploy?uuid=${uuids.slice(1).join(",")}`)).deployments).toHaveLength(2)
      })
    )

    it.effect("stay within the limit under concurrent requests", () =>
      Effect.gen(function* () {
        const { send } = (yield* Api).service
        const { uuids, waiting } = yield* crowd(8)
        const answers = yield* Effect.forEach(uuids, (uuid) => send("POST", `/api/v1/applications/${uuid}/start`), {
          concurrency: "unbounded"
        })
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429, 429, 429, 429])
        expect((yield* waiting).filter((count) => count > 0)).toHaveLength(2)
      })
    )

    it.effect("are not created for a push when the queue is full, and the delivery records the rejection", () =>
      Effect.gen(function* () {
        const { ask, send } = (yield* Api).service
        const { name, uuids } = yield* crowd(3)
        yield* ask(200, "POST", `/deploy?uuid=${uuids.slice(1).join(",")}`)
        const body = pushBody("github")
        const answer = yield* send("POST", `/api/v1/applications/${uuids[0]}/webhooks/github`, {
          token: undefined,
          raw: body,
          headers: {
            "content-type": "application/json",
            ...eventOf("github", "push"),
            ...proofOf("github", secretOf(`${name}-0`, "github"), body)
          }
        })
        const outcome = { outcome: "ignored", reason: "queue_full", deployment_uuid: null }
        expect([answer.status, answer.json]).toEqual([
          200,
          {
            ...outcome,
            message: "Ignored: it arrives while the deployment queue of the server is full (`deployment_queue_limit`).",
            delivery_uuid: expect.any(String)
          }
        ])
        expect(yield* ask(200, "GET", `/webhook-deliveries/${answer.json.delivery_uuid}`)).toMatchObject(outcome)
      })
    )
  })
}
