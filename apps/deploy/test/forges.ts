import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { expect } from "vitest"

const processes = new ServiceProcesses(join(import.meta.dirname, "..", "..", "forge", "src", "main.ts"))
const password = "correct horse battery"

/** A forge that the tests of the platform start, with the administrator `ann`. */
export interface TestForge {
  readonly url: string
  /** Sends a request as `ann`, expects that it succeeds, and returns the response. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  readonly ask: (method: string, path: string, body: unknown) => Promise<any>
}

/** Starts a forge with its data in memory. */
export const startForge = async (): Promise<TestForge> => {
  const url = await processes
    .start(processes.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_SSH_PORT: "off",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password
    })
    .listening()
  const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
  const headers = { authorization, "content-type": "application/json" }
  const ask: TestForge["ask"] = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    return answer.json()
  }
  return { url, ask }
}

/** Ends the forges that a test file started; the file passes it to `afterAll`. */
export const endForges = (): Promise<void> => processes.end()
