import { createHmac } from "node:crypto"
import { afterEach, expect, test } from "vitest"
import { endServices, newDirectory, placesAt, send, start, token } from "./support.ts"

afterEach(endServices)

const settings = { DEPLOY_DATABASE_URL: "file:data", DEPLOY_TOKEN: token }
const secret = "a long random text"

/** Posts a body like GitHub; a chunked body has no Content-Length. */
const push = (address: string, body: string, inParts = false): Promise<Response> => {
  const headers = {
    "content-type": "application/json",
    "x-github-event": "push",
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
  }
  const parts = new Blob([body]).stream()
  return fetch(address, { method: "POST", headers, ...(inParts ? { body: parts, duplex: "half" } : { body }) })
}

test("an acknowledged webhook is recorded despite kill -9, and one that is too large is not read", async () => {
  const directory = newDirectory()
  const service = start(directory, settings)
  const before = await service.listening()
  const created = await send("POST", `${before}/api/v1/applications/public`, {
    ...(await placesAt(before)),
    git_repository: "https://forge.example/harbour/shop.git",
    git_branch: "main",
    build_pack: "dockerfile",
    manual_webhook_secret_forgeA: secret
  })
  const { uuid } = (await created.json()) as { uuid: string }
  const path = `/api/v1/applications/${uuid}/webhooks/github`
  const body = JSON.stringify({ ref: "refs/heads/main", before: "0".repeat(40), after: "5d41402a".repeat(5) })
  const first = await push(`${before}${path}`, body)
  expect([first.status, await first.json()]).toMatchObject([200, { outcome: "queued" }])
  const large = " ".repeat(2 ** 20 + 1)
  for (const inParts of [false, true]) expect((await push(`${before}${path}`, large, inParts)).status).toBe(413)
  await service.stop("SIGKILL")

  const base = await start(directory, settings).listening()
  expect((await push(`${base}${path}`, body)).status).toBe(409)
  const deliveries = await (await send("GET", `${base}/api/v1/applications/${uuid}/webhook-deliveries`)).json()
  expect(deliveries).toMatchObject([{ outcome: "queued", replays: 1 }])
})
