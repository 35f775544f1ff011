import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterEach, describe, expect, test } from "vitest"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const mounted: Array<string> = []
afterEach(async () => {
  // Lazily: what the service has open there goes when it ends, and its directory after that.
  for (const folder of mounted.splice(0)) execFileSync("umount", ["--lazy", folder])
  await forge.end()
})

const password = "correct horse battery"
const headers = {
  authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`,
  "content-type": "application/json"
}

/** A disk of its own, as small as asked for. */
const disk = (folder: string, size: string): string => {
  mkdirSync(folder)
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder])
  mounted.push(folder)
  return folder
}

const fill = (folder: string): (() => void) => {
  const file = join(folder, "ballast")
  const { bavail, bsize } = statfsSync(folder)
  try {
    writeFileSync(file, new Uint8Array(bavail * bsize))
  } catch (cause) {
    // The service took some of the room meanwhile: what is left is full too.
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause
  }
  return () => rmSync(file)
}

/** How much longer a busy machine may take than a quiet one. */
const slack = 4

const within = async <A>(millis: number, work: () => Promise<A>): Promise<A> => {
  const began = performance.now()
  const answer = await work()
  expect(performance.now() - began).toBeLessThan(slack * millis)
  return answer
}

const eventually = async (millis: number, check: () => Promise<boolean>): Promise<void> => {
  const began = performance.now()
  while (!(await check())) {
    expect(performance.now() - began).toBeLessThan(slack * millis)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe("issue 11, number 24: a disk that is full", () => {
  test.for([
    ["the git repositories", "8m"],
    ["the embedded database", "80m"]
  ] as const)(
    "that holds %s is told with 503 within two seconds, and is no trouble once there is room",
    {
      timeout: 60_000
    },
    async ([what, size]) => {
      const directory = forge.directory()
      const full = disk(join(directory, "disk"), size)
      const service = forge.start(directory, {
        FORGE_ADMIN_USERNAME: "ann",
        FORGE_ADMIN_PASSWORD: password,
        ...(what === "the git repositories"
          ? { FORGE_REPOSITORIES: join(full, "git") }
          : { FORGE_DATABASE_URL: `file:${join(full, "data")}` })
      })
      const base = await service.listening()
      const make = (name: string) =>
        fetch(`${base}/api/v1/user/repos`, {
          method: "POST",
          headers,
          body: JSON.stringify({ name, auto_init: true, description: "x".repeat(200) })
        })
      const ready = async () => (await fetch(`${base}/readyz`)).status
      expect([(await make("before")).status, await ready()]).toEqual([201, 200])

      const free = fill(full)
      expect(await within(2_000, ready)).toBe(503)
      // A database writes into what it has for a while; then it is at its end as well.
      let refused: Response | undefined
      for (let n = 0; n < 400 && refused === undefined; n++) {
        const answer = await within(2_000, () => make(`during-${n}`))
        if (answer.status !== 201) refused = answer
      }
      expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([503, "2"])
      expect((await fetch(`${base}/healthz`)).status).toBe(200)

      free()
      await eventually(8_000, async () => (await ready()) === 200)
      await eventually(8_000, async () => (await make("after")).status === 201)
      expect(await service.stop()).toBe(0)
    }
  )
})
