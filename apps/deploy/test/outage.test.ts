import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import {
  applicationsAt,
  createAt,
  endServices,
  eventually,
  newDatabase,
  newDirectory,
  onServer,
  send,
  start,
  token
} from "./support.ts"

afterEach(endServices)

/** Stands between a service and the server, so that it can be gone for a while without the other tests' noticing. */
class SocketProxy {
  readonly #socket: string
  readonly #open = new Set<Socket>()
  #closed = false
  readonly #server = createServer((inside) => {
    if (this.#closed) {
      inside.destroy()
      return
    }
    const outside = connect(this.#socket)
    for (const each of [inside, outside]) {
      this.#open.add(each)
      each.on("error", () => {})
      each.on("close", () => {
        this.#open.delete(each)
        inside.destroy()
        outside.destroy()
      })
    }
    inside.pipe(outside)
    outside.pipe(inside)
  })

  constructor(socket: string) {
    this.#socket = socket
  }

  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => resolve((this.#server.address() as { port: number }).port))
    })
  }

  shut(): void {
    this.#closed = true
    for (const each of this.#open) each.destroy()
  }

  reopen(): void {
    this.#closed = false
  }

  end(): Promise<unknown> {
    this.shut()
    return new Promise((resolve) => this.#server.close(resolve))
  }
}

onServer("a PostgreSQL that goes away", () => {
  test("makes /readyz 503 and requests 500 without internals, and is found again when it comes back", async () => {
    const url = new URL(await newDatabase())
    const socketProxy = new SocketProxy(join(url.searchParams.get("host") as string, ".s.PGSQL.5432"))
    const port = await socketProxy.listen()
    try {
      const service = start(newDirectory(), {
        DEPLOY_DATABASE_URL: `postgres://slipway:hunter2@127.0.0.1:${port}${url.pathname}`,
        DEPLOY_TOKEN: token
      })
      const base = await service.listening()
      expect((await createAt(base)).status).toBe(201)

      socketProxy.shut()
      const unready = await fetch(`${base}/readyz`)
      expect([unready.status, await unready.json()]).toEqual([503, { status: "unavailable" }])
      expect((await fetch(`${base}/healthz`)).status).toBe(200)
      const failed = await send("GET", `${base}/api/v1/applications`)
      expect(failed.status).toBe(500)
      const body = (await failed.json()) as Record<string, string>
      expect(Object.keys(body).sort()).toEqual(["message", "request_id"])
      expect(body.message).toBe("Internal server error.")
      await eventually(async () => service.stderr.includes(body.request_id as string))
      expect(service.stdout + service.stderr).not.toContain("hunter2")

      socketProxy.reopen()
      await eventually(async () => (await fetch(`${base}/readyz`)).status === 200)
      expect((await createAt(base)).status).toBe(201)
      expect((await applicationsAt(base)).length).toBe(2)
      expect(await service.stop()).toBe(0)
    } finally {
      await socketProxy.end()
    }
  }, 60_000)
})
