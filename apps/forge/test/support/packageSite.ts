import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect } from "@effect/vitest"
import { ServiceProcesses } from "@slipway/http/testing"

/** The services of a registry test; they end with it. */
export const forge = new ServiceProcesses(join(import.meta.dirname, "..", "..", "src", "main.ts"))

/** Runs a program of the machine. */
export const run = promisify(execFile)

const password = "correct horse battery"

/** The headers of the owner of the packages. */
export const basic = { authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}` }

const post = (address: string, body: unknown) =>
  fetch(address, {
    method: "POST",
    headers: { ...basic, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** Starts a forge with a hidden organization and a package token of its owner. */
export const packageSite = async () => {
  const directory = forge.directory()
  const settings = {
    FORGE_DATABASE_URL: "memory:",
    FORGE_ADMIN_USERNAME: "ann",
    FORGE_ADMIN_PASSWORD: password
  }
  const base = await forge.start(directory, settings).listening()
  const made = await post(`${base}/api/v1/users/ann/tokens`, { name: "packages", scopes: ["write:package"] })
  const { sha1: token } = (await made.json()) as { sha1: string }
  expect((await post(`${base}/api/v1/orgs`, { username: "acme", visibility: "private" })).status).toBe(201)
  return { base, directory, token }
}
