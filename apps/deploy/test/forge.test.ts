import { afterAll, expect, it } from "vitest"
import { create, deploy, endOf, logOf, onPodman, visit } from "./containers.ts"
import { endForges, startForge } from "./forges.ts"

const { pageOf, world } = onPodman()
afterAll(endForges)

it("the platform deploys the newest commit of a repository of the forge", async () => {
  const { ask } = await startForge()
  const content = (text: string) => Buffer.from(pageOf(text)).toString("base64")
  const dockerfile = "/repos/ann/site/contents/Dockerfile"
  const { clone_url } = await ask("POST", "/user/repos", { name: "site" })
  const first = await ask("POST", dockerfile, { content: content("one") })
  const { base: platform, port } = await world({ DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true" })
  const uuid = await create(platform, "public", {
    git_repository: clone_url,
    git_branch: "main",
    build_pack: "dockerfile",
    domains: "http://site.test"
  })
  await ask("PUT", dockerfile, { content: content("two"), sha: first.content.sha })
  const deployment = await deploy(platform, uuid)
  expect((await endOf(platform, deployment)).status, await logOf(platform, deployment)).toBe("finished")
  const { body, status } = await visit(port, "site.test")
  expect([status, body.trim()]).toEqual([200, "two"])
}, 180_000)
