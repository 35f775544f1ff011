import { type IncomingMessage, request } from "node:http"
import { afterEach, expect, test } from "vitest"
import { createAt, endServices, eventually, newDirectory, openStream, placesAt, send, start, token } from "./support.ts"

afterEach(endServices)

const settings = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }

// Larger than the buffers between two processes, so that an unread list is still being sent.
const dockerfile = `FROM scratch\n${`# ${"x".repeat(1000)}\n`.repeat(200)}`
const applications = 100

const openList = (base: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    request(`${base}/api/v1/applications`, { headers }, (response) => resolve(response.pause()))
      .on("error", reject)
      .end()
  })

const readAll = async (response: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of response) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}

test("after SIGTERM during a slow read of a long list, new connections fail, the list is complete and the exit code is 0", async () => {
  const service = start(newDirectory(), settings)
  const base = await service.listening()
  const places = await placesAt(base)
  for (let index = 0; index < applications; index++) {
    const created = await send("POST", `${base}/api/v1/applications/dockerfile`, { ...places, dockerfile })
    expect(created.status).toBe(201)
  }
  const list = await openList(base)
  service.signal("SIGTERM")
  await eventually(() =>
    fetch(`${base}/healthz`).then(
      () => false,
      () => true
    )
  )
  expect(await Promise.race([service.ended, Promise.resolve("still there")])).toBe("still there")
  expect((JSON.parse(await readAll(list)) as ReadonlyArray<unknown>).length).toBe(applications)
  expect(await service.ended).toBe(0)
})

test.for(["SIGTERM", "SIGINT"] as const)(
  "after %s without requests in progress, the exit code is 0",
  async (signal) => {
    const service = start(newDirectory(), settings)
    await fetch(`${await service.listening()}/healthz`)
    expect(await service.stop(signal)).toBe(0)
    expect(service.stderr).toBe("")
  }
)

test("after SIGTERM, log streams end immediately with all lines, and the exit code is 0", async () => {
  // No engine answers there, so that the deployment waits.
  const service = start(newDirectory(), { ...settings, DEPLOY_ENGINE_SOCKET: "/nowhere/engine.sock" })
  const base = await service.listening()
  const { uuid } = (await (await createAt(base)).json()) as { uuid: string }
  const started = await send("POST", `${base}/api/v1/applications/${uuid}/start`)
  const { deployment_uuid } = (await started.json()) as { deployment_uuid: string }
  const stream = await openStream(`${base}/api/v1/deployments/${deployment_uuid}/logs/stream`)
  expect(await stream.until((text) => text.includes('"status":"preparing"'))).toMatch(/^retry: 2000\n\n/)
  const at = performance.now()
  service.signal("SIGTERM")
  expect(await stream.until(() => false)).not.toContain("event: end")
  expect(await service.ended).toBe(0)
  expect(performance.now() - at).toBeLessThan(20_000)
  expect(service.stderr).not.toMatch(/level=(ERROR|FATAL)/i)
})
