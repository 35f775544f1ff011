// Delivers events to many webhooks of the real service, by two processes on one PostgreSQL server, one of which is
// killed repeatedly. Some receivers fail at times, one hangs, one stops, one answers without end. The first argument is
// the number of events, each for 40 webhooks. Exits with code 1 when a delivery is lost, an order isn't kept, or good
// receivers wait for bad ones.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { startPostgres } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { start, withDirectory } from "./start/service.ts"
import { print, printProgress } from "./support/output.ts"

const [events = 250] = process.argv.slice(2).map(Number)
const good = 36
const flaky = 4
const password = "correct horse battery"
/** The interval between process kills in milliseconds; the next constant is the timeout of the whole run. */
const killedEvery = 5_000
const longest = 900_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += chunk
  return text
}

const listen = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/**
 * The webhook deliveries that a receiver got: the issue numbers in the order of their first delivery, and the number of
 * repeated deliveries.
 */
interface Taken {
  readonly order: Array<number>
  readonly seen: Set<number>
  again: number
  asked: number
  lastAt: number
}

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const url = Redacted.value(server.url)
      const settings = {
        FORGE_ADMIN_USERNAME: "ann",
        FORGE_ADMIN_PASSWORD: password,
        FORGE_ALLOW_PRIVATE_ADDRESSES: "true",
        FORGE_SSH_PORT: "off"
      }
      const begin = () => start("forge", directory, url, [], settings)
      const first = await begin()
      let second = await begin()
      const servers: Array<Server> = []
      try {
        let authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
        // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
        const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
          const response = await fetch(`${first.base}/api/v1${path}`, {
            method,
            headers: { authorization, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
          return {
            total: Number(response.headers.get("x-total-count")),
            json: text === "" ? undefined : JSON.parse(text)
          }
        }
        const { json: token } = await ask("POST", "/users/ann/tokens", { name: "bench", scopes: ["all"] })
        authorization = `token ${token.sha1}`
        await ask("POST", "/user/repos", { name: "app" })

        const taken = new Map<string, Taken>()
        const take = async (request: IncomingMessage, response: ServerResponse) => {
          const path = request.url ?? ""
          const { number } = JSON.parse(await bodyOf(request)) as { number: number }
          const mine = taken.get(path)
          if (mine === undefined) return response.writeHead(404).end()
          mine.asked += 1
          if (path.startsWith("/flaky") && mine.asked % 100 === 50) return response.writeHead(503).end()
          if (mine.seen.has(number)) mine.again += 1
          else mine.order.push(number)
          mine.seen.add(number)
          mine.lastAt = performance.now()
          return response.writeHead(200).end("taken")
        }
        const places: Array<string> = []
        for (let at = 0; at < good + flaky; at++) {
          const path = `/${at < good ? "good" : "flaky"}/${at}`
          taken.set(path, { order: [], seen: new Set(), again: 0, asked: 0, lastAt: 0 })
          // Ten per host: more than the four that a host gets concurrently.
          if (at % 10 === 0) {
            const { base, server } = await listen((request, response) => void take(request, response))
            servers.push(server)
            places.push(base)
          }
        }
        const bad = {
          hangs: () => {},
          dies: (request: IncomingMessage) => request.socket.destroy(),
          drips: (_: IncomingMessage, response: ServerResponse) => {
            const drip = setInterval(() => response.write("."), 500)
            response.writeHead(200)
            response.on("close", () => clearInterval(drip))
          }
        }
        const hook = async (address: string) =>
          (
            await ask("POST", "/repos/ann/app/hooks", {
              type: "gitea",
              active: true,
              events: ["issues_only"],
              config: { url: address, content_type: "json" }
            })
          ).json.id as number
        const badHooks: Array<number> = []
        for (const answer of Object.values(bad)) {
          const { base, server } = await listen(answer)
          servers.push(server)
          badHooks.push(await hook(`${base}/`))
        }
        const paths = [...taken.keys()]
        for (const [at, path] of paths.entries()) await hook(`${places[Math.floor(at / 10)]}${path}`)

        printProgress(
          `${events} events for ${paths.length} webhooks, and for ${badHooks.length} with receivers that hang, exit or respond slowly`
        )
        let kills = 0
        let isOver = false
        const killing = (async () => {
          while (!isOver) {
            await pause(killedEvery)
            if (isOver) break
            await second.process.stop("SIGKILL")
            kills += 1
            second = await begin()
          }
        })()
        const from = performance.now()
        for (let at = 0; at < events; at++) await ask("POST", "/repos/ann/app/issues", { title: `Issue ${at}` })
        const opened = performance.now()
        const missing = () => paths.filter((path) => (taken.get(path)?.seen.size ?? 0) < events)
        while (missing().length > 0 && performance.now() - from < longest) await pause(250)
        isOver = true
        await killing
        const all = [...taken.values()]
        const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`
        const unordered = all.filter(({ order }) => order.some((number, at) => at > 0 && number < (order[at - 1] ?? 0)))
        const deliveryCounts: Array<number> = []
        for (const id of badHooks)
          deliveryCounts.push((await ask("GET", `/repos/ann/app/hooks/${id}/deliveries?limit=1`)).total)
        const last = (kind: string) =>
          Math.max(...paths.flatMap((path) => (path.startsWith(kind) ? [taken.get(path)?.lastAt ?? 0] : []))) - from
        print(
          `deliveries received     ${all.reduce((sum, { seen }) => sum + seen.size, 0)} of ${events * paths.length}`
        )
        print(`received more than once ${all.reduce((sum, { again }) => sum + again, 0)}`)
        print(`events opened within    ${seconds(opened - from)}`)
        print(`good receivers complete ${seconds(last("/good"))}`)
        print(`flaky receivers complete ${seconds(last("/flaky"))}`)
        print(`processes killed        ${kills}`)
        print(`out of order            ${unordered.length} webhooks`)
        print(`queued for bad receivers ${deliveryCounts.join(", ")}`)
        const isWell =
          missing().length === 0 && unordered.length === 0 && deliveryCounts.every((total) => total === events)
        process.exitCode = isWell ? 0 : 1
      } finally {
        await second.process.stop("SIGKILL")
        await first.process.stop("SIGKILL")
        for (const each of servers) {
          each.closeAllConnections()
          each.close()
        }
      }
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
