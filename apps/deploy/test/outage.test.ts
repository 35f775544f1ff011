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

/** A proxy between a service and the PostgreSQL server, which simulates an outage without affecting other tests. */
class SocketProxy {
  readonly #socket: string
  readonly #open = new Set<Socket>()
  #closed = false
  #silent = false
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
    if (this.#silent) return
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

  /** From now on passes no data on and closes no connection, like a network that drops packets. */
  silence(): void {
    for (const each of this.#open) each.unpipe()
    this.#silent = true
  }

  shut(): void {
    this.#closed = true
    for (const each of this.#open) each.destroy()
  }

  reopen(): void {
    for (const each of this.#open) each.destroy()
    this.#closed = false
    this.#silent = false
  }

  end(): Promise<unknown> {
    this.shut()
    return new Promise((resolve) => this.#server.close(resolve))
  }
}

/** How much longer a busy machine may take than an idle one. */
const slack = 4

const within = async <A>(millis: number, work: () => Promise<A>): Promise<A> => {
  const began = performance.now()
  const answer = await work()
  expect(performance.now() - began).toBeLessThan(slack * millis)
  return answer
}

onServer("a PostgreSQL outage", () => {
  test("makes /readyz and requests return 503 within two seconds, until the server responds again", async () => {
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

      for (const trouble of ["shut", "silence"] as const) {
        socketProxy[trouble]()
        for (const _ of [1, 2]) {
          const unready = await within(2_000, () => fetch(`${base}/readyz`))
          expect([unready.status, await unready.json()]).toEqual([503, { status: "unavailable" }])
          const failed = await within(2_000, () => send("GET", `${base}/api/v1/applications`))
          expect([failed.status, failed.headers.get("retry-after"), await failed.json()]).toEqual([
            503,
            "2",
            { message: "Service unavailable. Try again later." }
          ])
          const write = () => send("POST", `${base}/api/v1/projects`, { name: "late" })
          expect((await within(2_000, write)).status).toBe(503)
        }
        expect((await fetch(`${base}/healthz`)).status).toBe(200)
        socketProxy.reopen()
        await eventually(async () => (await fetch(`${base}/readyz`)).status === 200)
        expect((await createAt(base)).status).toBe(201)
      }
      expect((await applicationsAt(base)).length).toBe(3)
      expect(service.stderr).toContain("GET /api/v1/applications")
      expect(service.stdout + service.stderr).not.toContain("hunter2")
      expect(await service.stop()).toBe(0)
    } finally {
      await socketProxy.end()
    }
  })
})
