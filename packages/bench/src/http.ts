// Measures requests to both services against the same statements and answers by a bare Node server and by Fastify with
// `pg`, on one PostgreSQL server, each in a separate process, in turns. Exits with code 1 when Slipway's processor time
// exceeds the allowed multiple of the bare server's. With `half` it sends requests to Slipway and the bare server at
// half of their maximum rates, and exits with code 1 when the 99th percentile of Slipway's response times is more than
// five times the median. For that, all processes here take priority over the rest of the machine where permitted,
// because other load alone exceeds that limit; it reports the remaining gaps. Linux only.
import { type ChildProcess, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startPostgres } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { type RequestRound, requestRepeatedly, warm } from "./http/client.ts"
import { gaps } from "./http/gaps.ts"
import { atHalfLoad } from "./http/halfLoad.ts"
import { raisePriority } from "./http/priority.ts"
import { benchRequests, fillDatabase, type Recorded, recordRequests, startService } from "./http/sites.ts"
import { flagsOf, type Service, services, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const turns = 5
const milliseconds = 1_000
/**
 * The maximum processor time per response, as a multiple of the processor time of the plain Node server. Anonymous
 * requests need no database.
 */
const most = { thing: 1.67, list: 2, anonymous: 2 }
/** The maximum 99th percentile of response times at half load, as a multiple of the median. */
const mostAtHalf = 5
const isHalf = process.argv[2] === "half"

interface Server {
  readonly name: string
  readonly base: string
  readonly pid: number
  readonly stop: () => Promise<unknown>
}

const other = (kind: string, file: string, url: string, schema: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const program = join(import.meta.dirname, "http", "other.ts")
    const args = ["--conditions=@slipway/source", ...flagsOf("server"), program, kind, file, url, schema]
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] })
    const ended = new Promise((end) => child.once("close", end))
    const stop = () => {
      child.kill()
      return ended
    }
    child.once("error", reject).once("close", () => reject(new Error(`${kind} ended`)))
    child.stdout?.once("data", (port) =>
      resolve({ name: kind, base: `http://127.0.0.1:${Number(port)}`, pid: child.pid ?? 0, stop })
    )
  })

const quantile = (rounds: ReadonlyArray<RequestRound>, share: number): number =>
  median(rounds.map(({ times }) => times[Math.floor(times.length * share)] ?? 0))

const halfTableOf = async (service: Service, servers: ReadonlyArray<Server>) => {
  const missed: Array<string> = []
  for (const [name, { anonymous, path }] of Object.entries(benchRequests[service])) {
    const token = anonymous ? undefined : tokens[service]
    const found = await atHalfLoad(servers.map((server) => ({ ...server, path, token })))
    const cells = found.map(
      ({ late, rate, slow, usual }) =>
        `${rate.toFixed(0)} | ${usual.toFixed(2)} | ${slow.toFixed(2)} | ${(slow / usual).toFixed(1)} | ${late.toFixed(2)}`
    )
    print(`| ${service}, ${name} | ${cells.join(" | ")} |`)
    const [own = 0, bare = 0] = found.map(({ slow, usual }) => slow / usual)
    if (own > mostAtHalf) {
      missed.push(
        `${service}, ${name}: ${own.toFixed(1)} times the median, at most ${mostAtHalf}; ${bare.toFixed(1)} of the bare server`
      )
    }
  }
  return missed
}

const tableOf = async (service: Service, requests: ReadonlyArray<Recorded>, servers: ReadonlyArray<Server>) => {
  const missed: Array<string> = []
  for (const [name, { anonymous, path }] of Object.entries(benchRequests[service])) {
    const rounds = new Map<string, Array<RequestRound>>(servers.map((server) => [server.name, []]))
    const targetOf = (server: Server) => ({ ...server, path, token: anonymous ? undefined : tokens[service] })
    for (const server of servers) await warm(targetOf(server))
    for (let turn = 0; turn < turns; turn++) {
      for (const server of servers)
        rounds.get(server.name)?.push(await requestRepeatedly(targetOf(server), milliseconds))
    }
    const cpu = (of: string) => median((rounds.get(of) ?? []).map((round) => round.cpu))
    const same = (each: Recorded) => each.path === path && each.anonymous === anonymous
    const statements = requests.find(same)?.statements.length ?? 0
    const limit = anonymous ? most.anonymous : name.startsWith("a list") ? most.list : most.thing
    const times = cpu("slipway") / cpu("bare")
    if (times > limit) missed.push(`${name}: ${times.toFixed(2)} times, at most ${limit}`)
    for (const [server, each] of rounds) {
      const rate = median(each.map((round) => round.rate)).toFixed(0)
      const ratio = server === "slipway" ? times.toFixed(2) : ""
      const [half, slow] = [quantile(each, 0.5), quantile(each, 0.99)]
      print(
        `| ${name}, ${statements} | ${server} | ${rate} | ${cpu(server).toFixed(0)} | ${ratio} | ${half.toFixed(1)} | ${slow.toFixed(1)} |`
      )
    }
  }
  return missed
}

/**
 * Prints how much processor time other programs use, and raises the priority of this process.
 *
 * If other programs use 1 % of the time, they determine the 99th percentile of every measured server.
 */
const goBeforeOthers = async () => {
  const { longest, often, share } = await gaps()
  print(
    `A busy loop loses ${(share * 100).toFixed(2)} % of its time on this machine, in ${often.toFixed(1)} pauses per second of up to ${longest.toFixed(1)} ms.`
  )
  print(
    raisePriority()
      ? "The servers, the database and the client have real-time priority (SCHED_RR).\n"
      : "The results below include these pauses: real-time priority is not available (`chrt --rr` needs root or CAP_SYS_NICE).\n"
  )
}

const tokens: Partial<Record<Service, string>> = {}

const program = Effect.gen(function* () {
  if (isHalf) yield* Effect.promise(goBeforeOthers)
  const postgres = yield* startPostgres()
  const url = Redacted.value(postgres.url)
  const missed: Array<string> = []
  print(
    isHalf
      ? "| | slipway: requests/s | median ms | p99 ms | times | client late, p99 ms | bare: requests/s | median ms | p99 ms | times | client late, p99 ms |"
      : "| what, statements | server | requests/s | CPU µs per request | times bare | median ms | p99 ms |"
  )
  print(isHalf ? "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|" : "|---|---|---:|---:|---:|---:|---:|")
  for (const service of Object.keys(services) as ReadonlyArray<Service>) {
    tokens[service] = yield* fillDatabase(service, postgres)
    yield* Effect.promise(() =>
      withDirectory(async (directory) => {
        printProgress(`recording the responses of ${service}`)
        const requests = await recordRequests(service, postgres, directory, tokens[service] ?? "")
        const start = async () => {
          const { base, process } = await startService(service, postgres, directory, flagsOf("server"))
          return { name: "slipway", base, pid: process.pid, stop: () => process.stop() }
        }
        const file = join(directory, `${service}.json`)
        writeFileSync(file, JSON.stringify(requests))
        const servers = [await start(), await other("bare", file, url, service)]
        if (!isHalf) servers.push(await other("fastify", file, url, service))
        missed.push(...(isHalf ? await halfTableOf(service, servers) : await tableOf(service, requests, servers)))
        for (const server of servers) await server.stop()
      })
    )
  }
  for (const miss of missed) printProgress(miss)
  if (missed.length > 0) process.exitCode = 1
})

await Effect.runPromise(Effect.scoped(program))
