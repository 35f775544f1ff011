// Asks the forge as one process and as two, on one PostgreSQL server, in turns. Ends with exit code 1 when two would answer less than
// 1.6 times as many reads as one: by what they use of processors, and on six of these and more by what they answer. Linux only.
import { availableParallelism } from "node:os"
import { startPostgres } from "@slipway/sql/testing"
import { Effect } from "effect"
import { ask, type Round } from "./http/client.ts"
import { asked, seeded, started } from "./http/sites.ts"
import { flagsOf, type Started, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"

const turns = 5
const milliseconds = 1_200
const warmUp = 2_500
const connections = 16
const least = 1.6
/** Two processes, a server and a client want at least so many processors before answers say more than turns at these. */
const enough = 6

const print = (line: string) => process.stdout.write(`${line}\n`)

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const token = yield* seeded("forge", server)
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const flags = flagsOf("server")
      const begin = () => started("forge", server, directory, flags, { FORGE_SSH_PORT: "off" })
      const first = await begin()
      const second = await begin()
      const missed: Array<string> = []
      /** Asks some processes at once, which share the connections; their rates add up, and each answer's use is their mean. */
      const round = async (
        path: string,
        of: ReadonlyArray<Started>,
        time: number
      ): Promise<Pick<Round, "cpu" | "rate">> => {
        const rounds = await Promise.all(
          of.map(({ base, process: { pid } }) => ask({ base, path, pid, token }, time, connections / of.length))
        )
        const rate = rounds.reduce((sum, each) => sum + each.rate, 0)
        return { rate, cpu: rounds.reduce((sum, each) => sum + (each.cpu * each.rate) / rate, 0) }
      }
      try {
        print(
          "| | one: requests/s | µs of processor each | two: requests/s | µs of processor each | times the requests | by processors |"
        )
        print("|---|---:|---:|---:|---:|---:|---:|")
        for (const [name, path] of Object.entries(asked.forge)) {
          await round(path, [first, second], warmUp)
          const rounds = {
            one: [] as Array<Pick<Round, "cpu" | "rate">>,
            two: [] as Array<Pick<Round, "cpu" | "rate">>
          }
          for (let turn = 0; turn < turns; turn++) {
            rounds.one.push(await round(path, [first], milliseconds))
            rounds.two.push(await round(path, [first, second], milliseconds))
          }
          const of = (which: "one" | "two", what: "cpu" | "rate") => median(rounds[which].map((each) => each[what]))
          const byRate = of("two", "rate") / of("one", "rate")
          const byUse = (2 * of("one", "cpu")) / of("two", "cpu")
          if (byUse < least || (availableParallelism() >= enough && byRate < least)) missed.push(name)
          const told = (["one", "two"] as const).map(
            (which) => `${of(which, "rate").toFixed(0)} | ${of(which, "cpu").toFixed(0)}`
          )
          print(`| ${name} | ${told.join(" | ")} | ${byRate.toFixed(2)} | ${byUse.toFixed(2)} |`)
        }
      } finally {
        await second.process.stop()
        await first.process.stop()
      }
      if (missed.length > 0) {
        process.stderr.write(`two processes come to less than ${least} times one: ${missed.join(", ")}\n`)
        process.exitCode = 1
      }
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
