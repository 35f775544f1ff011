import { createHash } from "node:crypto"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { ServiceProcesses } from "@slipway/http/testing"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))

const password = "correct horse battery"
const headers = { authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}` }
const megabyte = new Uint8Array(1_048_576).fill(7)

/** A body of the given size in megabytes; with `hangs` the last one never arrives. */
const body = (megabytes: number, hangs = false) => {
  let sent = 0
  const reached = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent === megabytes) controller.close()
      else if (hangs && sent === megabytes - 1) {
        reached.resolve()
        return Promise.withResolvers<void>().promise
      } else controller.enqueue(megabyte)
      sent += 1
      return undefined
    }
  })
  return { stream, reached: reached.promise }
}

const get = (address: string, more: Readonly<Record<string, string>> = {}) =>
  fetch(address, { headers: { ...headers, ...more } })

const upload = (address: string, stream: ReadableStream<Uint8Array>) =>
  fetch(address, { method: "PUT", headers, body: stream, duplex: "half" } as RequestInit)

describe.skipIf(postgresMissing() !== undefined)("package uploads to a service", () => {
  it.live("are streamed and returned unchanged; a killed process leaves no partial upload", () =>
    Effect.flatMap(testDatabase, ({ url }) =>
      Effect.promise(async () => {
        try {
          const settings = {
            FORGE_DATABASE_URL: Redacted.value(url),
            FORGE_PACKAGE_MAX_FILE: "24",
            FORGE_ADMIN_USERNAME: "ann",
            FORGE_ADMIN_PASSWORD: password
          }
          const directory = forge.directory()
          const first = forge.start(directory, settings)
          const tool = `${await first.listening()}/api/packages/ann/generic/tool/1.0`
          expect((await upload(`${tool}/whole`, body(24).stream)).status).toBe(201)
          const tooMuch = await upload(`${tool}/more`, body(25).stream).catch(() => undefined)
          expect([413, undefined]).toContain(tooMuch?.status)
          const half = body(20, true)
          const broken = upload(`${tool}/half`, half.stream).catch(() => undefined)
          await half.reached
          expect(await first.stop("SIGKILL")).toBe("SIGKILL")
          await broken

          const second = forge.start(directory, settings)
          const base = await second.listening()
          const again = `${base}/api/packages/ann/generic/tool/1.0`
          const hash = createHash("sha256")
          const got = await get(`${again}/whole`)
          for await (const chunk of got.body ?? []) hash.update(chunk)
          const expected = createHash("sha256")
          for (let at = 0; at < 24; at++) expected.update(megabyte)
          expect(hash.digest("hex")).toBe(expected.digest("hex"))
          const part = await get(`${again}/whole`, { range: "bytes=25165820-" })
          expect([part.status, Buffer.from(await part.arrayBuffer()).toString("hex")]).toEqual([206, "07070707"])
          expect((await get(`${again}/half`)).status).toBe(404)
          expect((await get(`${again}/more`)).status).toBe(404)
          expect((await upload(`${again}/half`, body(1).stream)).status).toBe(201)
          const files = await get(`${base}/api/v1/packages/ann/generic/tool/1.0/files`)
          expect(
            ((await files.json()) as ReadonlyArray<{ name: string; size: number }>).map((f) => [f.name, f.size])
          ).toEqual([
            ["whole", 25_165_824],
            ["half", 1_048_576]
          ])
        } finally {
          await forge.end()
        }
      })
    )
  )
})
