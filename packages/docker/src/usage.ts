import {
  type ContainerUse,
  type Engine,
  EngineRefused,
  label,
  readHostUse,
  usageFiles
} from "@slipway/domain/deploy/containers"
import { Effect, Schema } from "effect"
import { type Api, answerDecoder, orNone } from "./client.ts"
import { ownerOf } from "./details.ts"

const Amount = orNone(Schema.Number)

const readListed = answerDecoder(
  Schema.Array(
    Schema.Struct({
      Id: Schema.String,
      Names: orNone(Schema.Array(Schema.String)),
      Labels: orNone(Schema.Record(Schema.String, Schema.String))
    })
  )
)

const Cpu = orNone(
  Schema.Struct({
    cpu_usage: orNone(Schema.Struct({ total_usage: Amount })),
    system_cpu_usage: Amount,
    online_cpus: Amount
  })
)

const readStats = answerDecoder(
  Schema.Struct({
    cpu_stats: Cpu,
    precpu_stats: Cpu,
    memory_stats: orNone(
      Schema.Struct({ usage: Amount, limit: Amount, stats: orNone(Schema.Record(Schema.String, Schema.Unknown)) })
    ),
    networks: orNone(Schema.Record(Schema.String, Schema.Struct({ rx_bytes: Amount, tx_bytes: Amount })))
  })
)
type Stats = Effect.Success<ReturnType<typeof readStats>>

/**
 * Returns the CPU use between the two measurements in a response, in percent of one processor; null if it is unknown.
 */
const cpuPercentOf = ({ cpu_stats: after, precpu_stats: before }: Stats): number | null => {
  const used = (after?.cpu_usage?.total_usage ?? 0) - (before?.cpu_usage?.total_usage ?? 0)
  const passed = (after?.system_cpu_usage ?? 0) - (before?.system_cpu_usage ?? 0)
  if (before?.system_cpu_usage == null || passed <= 0 || used < 0) return null
  return (100 * used * (after?.online_cpus ?? 1)) / passed
}

/** Returns the memory use of a container without the page cache, like `docker stats`. */
const memoryOf = ({ memory_stats: memory }: Stats) => {
  const cache = memory?.stats?.inactive_file ?? memory?.stats?.total_inactive_file
  const used = (memory?.usage ?? 0) - (typeof cache === "number" ? cache : 0)
  return { used: Math.max(0, used), limit: memory?.limit ?? 0 }
}

const sum = (amounts: ReadonlyArray<number | null | undefined>): number =>
  amounts.reduce<number>((all, each) => all + (each ?? 0), 0)

/** The number of concurrent requests for the usage of a container; the engine takes about a second for each. */
const concurrency = 16

const containerUse = (api: Api) =>
  Effect.gen(function* () {
    const filters = JSON.stringify({ label: [`${label.managed}=true`], status: ["running"] })
    const answer = yield* api.ask({ method: "GET", path: "/containers/json", query: { filters } })
    const listed = yield* readListed(answer)
    const found = yield* Effect.forEach(
      listed,
      ({ Id, Labels, Names }) =>
        api.ask({ method: "GET", path: `/containers/${Id}/stats`, query: { stream: "false" } }).pipe(
          Effect.flatMap(readStats),
          Effect.map(
            (stats): ContainerUse => ({
              name: Names?.[0]?.replace(/^\//, "") ?? "",
              owner: ownerOf(Labels ?? {}),
              cpuPercent: cpuPercentOf(stats),
              memory: memoryOf(stats),
              network: {
                received: sum(Object.values(stats.networks ?? {}).map(({ rx_bytes }) => rx_bytes)),
                sent: sum(Object.values(stats.networks ?? {}).map(({ tx_bytes }) => tx_bytes))
              }
            })
          ),
          // The container exited meanwhile, or the engine cannot measure it.
          Effect.catchTag("EngineRefused", () => Effect.succeed(null))
        ),
      { concurrency }
    )
    return found.filter((use) => use !== null)
  })

const hostUse = ({ readText }: Api) =>
  Effect.gen(function* () {
    if (readText === null) return null
    const use = readHostUse(
      yield* Effect.all(
        {
          cpu: readText(usageFiles.cpu),
          memory: readText(usageFiles.memory),
          network: readText(usageFiles.network)
        },
        { concurrency: "unbounded" }
      )
    )
    return use ?? (yield* new EngineRefused({ because: "the machine does not report its use as Linux does" }))
  })

/** Returns the engine operations that measure the machine and its containers. */
export const usageOf = (api: Api): Pick<Engine, "containerUse" | "hostUse"> => ({
  containerUse: containerUse(api),
  hostUse: hostUse(api)
})
