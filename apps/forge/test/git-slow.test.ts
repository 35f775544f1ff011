import { createHash, randomBytes } from "node:crypto"
import { readdirSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { workplace } from "./support/git.ts"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const password = "correct horse battery"
const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
const ann = workplace()
const directory = forge.directory()
let base = ""

beforeAll(async () => {
  const service = forge.start(directory, {
    FORGE_DATABASE_URL: "memory:",
    FORGE_BLOBS: "file:blobs",
    FORGE_SSH_PORT: "off",
    FORGE_ADMIN_USERNAME: "ann",
    FORGE_ADMIN_PASSWORD: password,
    // One slot, which a client loses after three silent seconds.
    FORGE_GIT_CLIENTS: "1",
    FORGE_GIT_IDLE: "3"
  })
  base = await service.listening()
  await fetch(`${base}/api/v1/user/repos`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ name: "large", auto_init: true })
  })
})

afterAll(async () => {
  ann.remove()
  await forge.end()
})

const packetLine = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`

describe("slow clients", () => {
  test("a client that reads one byte a second is disconnected, and the next client is served", async () => {
    const address = `${base.replace("://", `://ann:${encodeURIComponent(password)}@`)}/ann/large.git`
    await ann.git(["clone", "-q", address, "work"])
    // Larger than the system's buffers for an unread connection.
    writeFileSync(join(ann.home, "work", "large"), randomBytes(16_000_000))
    await ann.git(["-C", "work", "add", "-A"])
    await ann.git(["-C", "work", "commit", "-q", "-m", "large"])
    expect(await ann.git(["-C", "work", "push", "-q"])).toMatchObject({ code: 0, err: "" })
    const [tip = ""] = (await ann.git(["-C", "work", "rev-parse", "HEAD"])).out.split("\n")
    const body = `${packetLine(`want ${tip} no-progress\n`)}0000${packetLine("done\n")}`
    const { hostname, port } = new URL(base)
    const slow = connect(Number(port), hostname)
    slow.on("error", () => {})
    slow.write(
      `POST /ann/large.git/git-upload-pack HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-git-upload-pack-request\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`
    )
    await new Promise((resolve) => slow.once("readable", resolve))
    expect(slow.read(12).toString()).toBe("HTTP/1.1 200")
    const reading = setInterval(() => slow.read(1), 1_000)
    const answer = await fetch(`${base}/ann/large.git/git-upload-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-upload-pack-request" },
      body
    })
    expect([answer.status, (await answer.arrayBuffer()).byteLength > 16_000_000]).toEqual([200, true])
    expect(slow.destroyed).toBe(false)
    clearInterval(reading)
    slow.destroy()
  })

  test("an LFS upload may be slow, but not silent", async () => {
    const bytes = randomBytes(60_000)
    const oid = createHash("sha256").update(bytes).digest("hex")
    const sending = () => {
      const put = request(`${base}/ann/large.git/info/lfs/objects/${oid}`, {
        method: "PUT",
        headers: { authorization }
      })
      const status = new Promise<number | undefined>((resolve) => {
        put.once("response", (answer) => resolve(answer.statusCode))
        put.once("error", () => resolve(undefined))
      })
      return { put, status }
    }
    const blobs = () =>
      readdirSync(join(directory, "blobs"), { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [entry.name] : []
      )
    const silent = sending()
    silent.put.write(bytes.subarray(0, 30_000))
    expect(await silent.status).toBe(422)
    expect(blobs()).toEqual([])
    // The upload takes longer than the idle timeout, but each pause is shorter.
    const steady = sending()
    for (let at = 0; at < bytes.length; at += 10_000) {
      steady.put.write(bytes.subarray(at, at + 10_000))
      await sleep(700)
    }
    steady.put.end()
    expect(await steady.status).toBe(200)
    expect(blobs()).toHaveLength(1)
    silent.put.destroy()
  })
})
