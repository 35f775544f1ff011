// Keeps the forge busy at 70 % of what it can for `--minutes N` (60), on a PostgreSQL server of its own: nine reads to each issue opened.
// Ends with exit code 1 when its memory grows by more than a tenth from the second quarter of that time to the last, or an answer fails.
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { startPostgres } from "@slipway/sql/testing"
import { Effect } from "effect"
import { asked, seeded, started } from "./http/sites.ts"
import { flagsOf, memoryOf, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"

const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } })
const minutes = Number(values.minutes)
const share = 0.7
const most = 1.1
const connections = 16
const tuning = 10_000
const sampledEvery = 5_000

const print = (line: string) => process.stdout.write(`${line}\n`)

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const token = yield* seeded("forge", server)
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const site = await started("forge", server, directory, flagsOf("server"), { FORGE_SSH_PORT: "off" })
      const paths = [...Object.values(asked.forge), "/api/v1/repos/user-2/soak/issues?limit=20"]
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      let count = 0
      let failed = 0
      const send = async (path: string, body?: unknown) => {
        const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
        const response = await fetch(site.base + path, { headers, ...post })
        await response.arrayBuffer()
        count += 1
        if (!response.ok) failed += 1
      }
      const next = (turn: number) =>
        turn % 10 === 0
          ? send("/api/v1/repos/user-2/soak/issues", { title: `Issue ${turn}` })
          : send(paths[turn % paths.length] as string)
      let turn = 0
      /** Sends what there is to send until a time; with a rate, no more than that in a second. */
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
        const highest = await load(performance.now() + tuning, Number.POSITIVE_INFINITY)
        const [begin, time] = [performance.now(), minutes * 60_000]
        let before = count
        let minute = 0
        const sampling = setInterval(() => {
          samples.push(memoryOf(site).now)
          const passed = Math.floor((performance.now() - begin) / 60_000)
          if (passed === minute) return
          print(
            `minute ${passed}: ${((count - before) / 60).toFixed(0)} requests/s, ${samples.at(-1)?.toFixed(0)} MB, ${failed} failed`
          )
          before = count
          minute = passed
        }, sampledEvery)
        await load(begin + time, highest * share)
        clearInterval(sampling)
      } finally {
        await site.process.stop()
      }
      const quarter = Math.floor(samples.length / 4)
      const second = median(samples.slice(quarter, 2 * quarter))
      const last = median(samples.slice(-quarter))
      print(
        `${count} requests, ${failed} failed; ${second.toFixed(0)} MB in the second quarter, ${last.toFixed(0)} MB in the last`
      )
      process.exitCode = failed === 0 && last <= most * second ? 0 : 1
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
