// Sends requests to the forge as one process and as two, on one PostgreSQL server, in turns. Exits with code 1 when two
// would answer fewer than 1.6 times as many reads as one. With six processors and more it compares the answers,
// otherwise the processor time, and prints the client's as well, because the client then takes processors from the
// servers. Linux only.
import { availableParallelism } from "node:os"
import { startPostgres } from "@slipway/sql/testing"
import { Effect } from "effect"
import { type RequestRound, requestRepeatedly, warm } from "./http/client.ts"
import { benchRequests, fillDatabase, startService } from "./http/sites.ts"
import { flagsOf, type Started, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const turns = 5
const milliseconds = 1_200
const least = 1.6
/**
 * Minimum number of processors for a comparison of request rates: two service processes, a database server and a client
 * need them. With fewer processors, the processor time per response is compared.
 */
const enough = 6

/**
 * The totals of several processes: responses per second, and the processor time per response in microseconds, of the
 * processes and of the client.
 */
interface Both extends Pick<RequestRound, "cpu" | "rate"> {
  readonly client: number
}

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const token = yield* fillDatabase("forge", server)
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const flags = flagsOf("server")
      const begin = () => startService("forge", server, directory, flags, { FORGE_SSH_PORT: "off" })
      const first = await begin()
      const second = await begin()
      const missed: Array<string> = []
      const judgesRate = availableParallelism() >= enough
      const targetOf = (path: string, { base, process: { pid } }: Started) => ({ base, path, pid, token })
      /**
       * Sends requests to several processes concurrently, each with the load of a single process. The rates are summed,
       * and the processor time per response is averaged.
       */
      const round = async (path: string, of: ReadonlyArray<Started>): Promise<Both> => {
        const before = process.cpuUsage()
        const rounds = await Promise.all(of.map((each) => requestRepeatedly(targetOf(path, each), milliseconds)))
        const rate = rounds.reduce((sum, each) => sum + each.rate, 0)
        const { system, user } = process.cpuUsage(before)
        return {
          rate,
          cpu: rounds.reduce((sum, each) => sum + (each.cpu * each.rate) / rate, 0),
          client: (system + user) / rounds.reduce((sum, each) => sum + each.times.length, 0)
        }
      }
      try {
        print(
          "| | one: requests/s | CPU µs per request | client µs | two: requests/s | CPU µs per request | client µs | times the requests | by CPU time | |"
        )
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
        for (const [name, { anonymous, path }] of Object.entries(benchRequests.forge)) {
          if (anonymous) continue
          for (const each of [first, second]) await warm(targetOf(path, each))
          const rounds = {
            one: [] as Array<Both>,
            two: [] as Array<Both>
          }
          for (let turn = 0; turn < turns; turn++) {
            rounds.one.push(await round(path, [first]))
            rounds.two.push(await round(path, [first, second]))
          }
          const of = (which: "one" | "two", what: keyof Both) => median(rounds[which].map((each) => each[what]))
          const byRate = of("two", "rate") / of("one", "rate")
          const byUse = (2 * of("one", "cpu")) / of("two", "cpu")
          const isMissed = byUse < least || (judgesRate && byRate < least)
          if (isMissed) missed.push(name)
          const cells = (["one", "two"] as const).map((which) =>
            (["rate", "cpu", "client"] as const).map((what) => of(which, what).toFixed(0)).join(" | ")
          )
          print(
            `| ${name} | ${cells.join(" | ")} | ${byRate.toFixed(2)} | ${byUse.toFixed(2)} | ${isMissed ? "missed" : "holds"} |`
          )
        }
        const judged = judgesRate
          ? "by requests and by CPU time"
          : `only by CPU time: ${availableParallelism()} of ${enough} CPUs are available, so requests do not measure the processes`
        print(`at least ${least} times, judged ${judged}`)
      } finally {
        await second.process.stop()
        await first.process.stop()
      }
      if (missed.length > 0) {
        printProgress(`two processes reach less than ${least} times one: ${missed.join(", ")}`)
        process.exitCode = 1
      }
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
