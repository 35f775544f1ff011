// Keeps the forge busy at 70 % of its capacity for `--minutes N` (60), on a separate PostgreSQL server: nine reads to
// each issue opened. The capacity is measured again every ten minutes, since it varies on a shared machine. Exits with
// code 1 when its memory grows by more than a tenth from the second quarter of that time to the last, or an answer
// fails.
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { startPostgres } from "@slipway/sql/testing"
import { Effect } from "effect"
import { benchRequests, fillDatabase, startService } from "./http/sites.ts"
import { flagsOf, memoryOf, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"
import { print } from "./support/output.ts"

const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } })
const minutes = Number(values.minutes)
const share = 0.7
const most = 1.1
const connections = 16
const tuning = 10_000
const tunedEvery = 600_000
const sampledEvery = 5_000
/**
 * Maximum number of failures that are printed as they occur; the service's log contains the reasons under the same
 * request ids.
 */
const mostPrintedFailures = 50

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const token = yield* fillDatabase("forge", server)
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const site = await startService("forge", server, directory, flagsOf("server"), { FORGE_SSH_PORT: "off" })
      const paths = [
        ...Object.values(benchRequests.forge).map(({ path }) => path),
        "/api/v1/repos/user-2/soak/issues?limit=20"
      ]
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      let count = 0
      let printedFailures = 0
      const failures = new Map<string, number>()
      const fail = (why: string, more: string) => {
        failures.set(why, (failures.get(why) ?? 0) + 1)
        if (printedFailures++ < mostPrintedFailures) print(`${new Date().toISOString()} ${why}: ${more}`)
      }
      const failed = () => [...failures].map(([why, times]) => `${times} of ${why}`).join(", ") || "none"
      const send = async (path: string, body?: unknown) => {
        const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
        count += 1
        try {
          const response = await fetch(site.base + path, { headers, ...post })
          const text = await response.text()
          if (!response.ok) fail(String(response.status), `${path} ${response.headers.get("x-request-id")} ${text}`)
        } catch (error) {
          fail(String((error as Error & { readonly cause?: unknown }).cause ?? error), path)
        }
      }
      const next = (turn: number) =>
        turn % 10 === 0
          ? send("/api/v1/repos/user-2/soak/issues", { title: `Issue ${turn}` })
          : send(paths[turn % paths.length] as string)
      let turn = 0
      /** Sends requests until a point in time, at most `rate` requests per second if a rate is given. */
      const load = async (until: number, rate: number) => {
        const begin = performance.now()
        let sent = 0
        const worker = async () => {
          while (performance.now() < until) {
            const due = begin + (sent++ * 1_000) / rate
            const early = due - performance.now()
            if (early > 0) await pause(early)
            await next(turn++)
          }
        }
        await Promise.all(Array.from({ length: connections }, worker))
        return (sent * 1_000) / (performance.now() - begin)
      }
      const samples: Array<number> = []
      try {
        await send("/api/v1/user/repos", { name: "soak" })
        const [begin, time] = [performance.now(), minutes * 60_000]
        let before = count
        let minute = 0
        const sampling = setInterval(() => {
          samples.push(memoryOf(site).now)
          const passed = Math.floor((performance.now() - begin) / 60_000)
          if (passed === minute) return
          print(
            `minute ${passed}: ${((count - before) / 60).toFixed(0)} requests/s, ${samples.at(-1)?.toFixed(0)} MB, failed: ${failed()}`
          )
          before = count
          minute = passed
        }, sampledEvery)
        for (let now = begin; now < begin + time; now = performance.now()) {
          const highest = await load(now + tuning, Number.POSITIVE_INFINITY)
          print(`handles at most ${highest.toFixed(0)} requests/s`)
          await load(Math.min(now + tunedEvery, begin + time), highest * share)
        }
        clearInterval(sampling)
      } finally {
        await site.process.stop()
      }
      const quarter = (number: number) =>
        median(
          samples.slice(Math.floor((number * samples.length) / 4), Math.floor(((number + 1) * samples.length) / 4))
        )
      const [first, second, last] = [quarter(0), quarter(1), quarter(3)]
      print(
        `${count} requests, failed: ${failed()}; MB in the first, second and last quarter: ${[first, second, last].map((each) => each.toFixed(0)).join(", ")}`
      )
      if (failures.size > 0) process.stderr.write(site.process.stderr.slice(0, 4_000))
      process.exitCode = failures.size === 0 && last <= most * second ? 0 : 1
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
