import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type PasswordRegistry, startRegistry } from "@slipway/docker/testing"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { create, deploy, endOf, logOf, onPodman, visit } from "./containers.ts"
import { newDirectory, send } from "./support.ts"

const { podman, world } = onPodman("file")
const scope = Scope.makeUnsafe()
let registry: PasswordRegistry

const page = {
  files: { "bin/busybox": readFileSync("/bin/busybox"), "www/index.html": "from a closed registry" },
  command: ["/bin/busybox", "httpd", "-f", "-p", "8080", "-h", "/www"],
  port: 8080
}

beforeAll(async () => {
  registry = await Effect.runPromise(Scope.provide(startRegistry(page), scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const fileOf = (password: string): string => {
  const auth = Buffer.from(`${registry.username}:${password}`).toString("base64")
  return JSON.stringify({ auths: { "other.example": { auth: "eDp5" }, [registry.address]: { auth } } })
}

describe.concurrent("a registry with a password", () => {
  it("receives the operator's credentials, for deployed images and for base images", async () => {
    const file = join(newDirectory(), "config.json")
    writeFileSync(file, fileOf(registry.password))
    const { base, port, service } = await world({ DEPLOY_REGISTRY_AUTH_FILE: file })
    const seen: Array<string> = []
    const serve = async (variant: string, fields: Readonly<Record<string, string>>, host: string) => {
      const uuid = await create(base, variant, { ...fields, domains: `http://${host}` })
      const deployment = await deploy(base, uuid)
      const ended = await endOf(base, deployment)
      const log = await logOf(base, deployment)
      expect([ended.status, ended.reason], log).toEqual(["finished", null])
      expect(await visit(port, host)).toEqual({ status: 200, body: "from a closed registry" })
      seen.push(log, await (await send("GET", `${base}/api/v1/applications/${uuid}`)).text())
      return uuid
    }
    const named = { docker_registry_image_name: `${registry.address}/team/app`, docker_registry_image_tag: "1" }
    const fetched = await serve("dockerimage", named, "fetched.test")
    await serve("dockerfile", { dockerfile: `FROM ${registry.address}/team/base:1\n` }, "built.test")

    // The file may be missing later: the image is on the server.
    writeFileSync(file, "{")
    const deployment = await deploy(base, fetched)
    expect((await endOf(base, deployment)).status).toBe("finished")
    const log = await logOf(base, deployment)
    expect(log).toContain("continuing without registry credentials: the file with them does not have the format")
    for (const text of [...seen, log, service.stdout, service.stderr]) {
      for (const secret of [registry.password, Buffer.from(`user:${registry.password}`).toString("base64")]) {
        expect(text).not.toContain(secret)
      }
    }
  }, 240_000)

  it("rejects a platform without credentials, which reports the remedy", async () => {
    const { base } = await world()
    const closed = await Effect.runPromise(Scope.provide(startRegistry(page), scope))
    const named = { docker_registry_image_name: `${closed.address}/team/app`, docker_registry_image_tag: "1" }
    const fetching = await endOf(base, await deploy(base, await create(base, "dockerimage", named)))
    const advice = "DEPLOY_REGISTRY_AUTH_FILE sets the file with its credentials"
    expect([fetching.status, fetching.reason]).toEqual([
      "failed",
      expect.stringContaining(`(the platform has no password for ${closed.address}: ${advice})`)
    ])
    const dockerfile = `FROM ${closed.address}/team/base:1\n`
    const building = await endOf(base, await deploy(base, await create(base, "dockerfile", { dockerfile })))
    expect([building.status, building.reason]).toEqual([
      "failed",
      expect.stringContaining(`(the platform has no password for any registry: ${advice})`)
    ])
    expect(await Effect.runPromise(podman().podman("images", "--format", "{{.Repository}}"))).not.toContain(
      closed.address
    )
  }, 120_000)
})
