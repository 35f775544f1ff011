// Measures what the profiles `small` and `server` make of the services: the processor time of requests to each, and how much memory
// is resident after them. Linux only.
import { startPostgres } from "@slipway/sql/testing"
import { Effect } from "effect"
import { asked, seeded, started } from "./http/sites.ts"
import { cpuInTurns } from "./http/turns.ts"
import { flagsOf, memoryOf, type Service, services, withDirectory } from "./start/service.ts"
import { print } from "./support/output.ts"

const program = Effect.gen(function* () {
  const postgres = yield* startPostgres()
  print("| µs of processor each | `small` | `server` |")
  print("|---|---:|---:|")
  for (const service of Object.keys(services) as ReadonlyArray<Service>) {
    const token = yield* seeded(service, postgres)
    yield* Effect.promise(() =>
      withDirectory(async (directory) => {
        const both = [
          await started(service, postgres, directory, flagsOf("small")),
          await started(service, postgres, directory, flagsOf("server"))
        ]
        try {
          for (const [name, each] of Object.entries(asked[service])) {
            const [small = 0, server = 0] = await cpuInTurns(both, each, token)
            print(`| ${service}, ${name} | ${small.toFixed(0)} | ${server.toFixed(0)} |`)
          }
          const [small = 0, server = 0] = both.map((each) => memoryOf(each).now)
          print(`| ${service}, resident memory afterwards | ${small.toFixed(0)} MB | ${server.toFixed(0)} MB |`)
        } finally {
          for (const { process } of both) await process.stop()
        }
      })
    )
  }
})

await Effect.runPromise(Effect.scoped(program))
