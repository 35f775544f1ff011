import { startPodman } from "@slipway/docker/testing"
import { Effect, Exit, Scope } from "effect"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { endServices, newDirectory, send, start, token } from "./support.ts"

const scope = Effect.runSync(Scope.make())
let socket = ""

beforeAll(async () => {
  const podman = await Effect.runPromise(Scope.provide(startPodman, scope))
  socket = podman.socket
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
afterEach(endServices)

const settings = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }

const validated = async (base: string): Promise<Record<string, unknown>> => {
  const [server] = (await (await send("GET", `${base}/api/v1/servers`)).json()) as ReadonlyArray<{ uuid: string }>
  const answer = await send("GET", `${base}/api/v1/servers/${server?.uuid}/validate`)
  return (await answer.json()) as Record<string, unknown>
}

test("the service connects to the engine of its machine through the socket in its settings", async () => {
  const service = start(newDirectory(), { ...settings, DEPLOY_ENGINE_SOCKET: socket })
  const answer = await validated(await service.listening())
  expect(answer).toMatchObject({ is_reachable: true, is_usable: true, engine: { product: "podman" } })
  expect(answer.message).toMatch(/^Podman \d.* answers/)
})

test("the service runs without an engine, and reports the missing socket", async () => {
  const missing = "/run/slipway-test/no-such.sock"
  const service = start(newDirectory(), { ...settings, DEPLOY_ENGINE_SOCKET: missing })
  const answer = await validated(await service.listening())
  expect(answer).toMatchObject({ is_reachable: false, is_usable: false, engine: null })
  expect(answer.message).toContain(missing)
})
