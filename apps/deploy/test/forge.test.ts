import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, expect, it } from "vitest"
import { create, deploy, endOf, logOf, onPodman, visit } from "./containers.ts"

const { pageOf, world } = onPodman()
const forge = new ServiceProcesses(join(import.meta.dirname, "..", "..", "forge", "src", "main.ts"))
afterAll(() => forge.end())

const password = "correct horse battery"
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`

it("the platform deploys the newest commit of a repository of the forge", async () => {
  const base = await forge
    .start(forge.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_SSH_PORT: "off",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password
    })
    .listening()
  const send = async (method: string, path: string, body: unknown): Promise<Json> => {
    const headers = { authorization, "content-type": "application/json" }
    const answer = await fetch(`${base}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    return answer.json()
  }
  const content = (text: string) => Buffer.from(pageOf(text)).toString("base64")
  const dockerfile = "/repos/ann/site/contents/Dockerfile"
  const { clone_url } = await send("POST", "/user/repos", { name: "site" })
  const first = await send("POST", dockerfile, { content: content("one") })
  const { base: platform, port } = await world({ DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true" })
  const uuid = await create(platform, "public", {
    git_repository: clone_url,
    git_branch: "main",
    build_pack: "dockerfile",
    domains: "http://site.test"
  })
  await send("PUT", dockerfile, { content: content("two"), sha: first.content.sha })
  const deployment = await deploy(platform, uuid)
  expect((await endOf(platform, deployment)).status, await logOf(platform, deployment)).toBe("finished")
  const { body, status } = await visit(port, "site.test")
  expect([status, body.trim()]).toEqual([200, "two"])
}, 180_000)
