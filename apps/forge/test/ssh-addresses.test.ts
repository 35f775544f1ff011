import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterEach, expect, test } from "vitest"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
afterEach(() => forge.end())

const password = "correct horse battery"

test("clone addresses have the public port of SSH, also in a process without an SSH server", async () => {
  const base = await forge
    .start(forge.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password,
      FORGE_ROOT_URL: "https://forge.example",
      FORGE_SSH_PORT: "off",
      FORGE_SSH_PUBLIC_PORT: "22"
    })
    .listening()
  const response = await fetch(`${base}/api/v1/user/repos`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`,
      "content-type": "application/json"
    },
    body: JSON.stringify({ name: "site" })
  })
  expect(((await response.json()) as { readonly ssh_url: string }).ssh_url).toBe("git@forge.example:ann/site.git")
}, 120_000)
