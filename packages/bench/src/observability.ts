// Measures the cost of metrics and traces for the forge: the CPU time of requests without them, with metrics, and with
// both. The traces go to a server here that accepts all input. Linux only.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { startPostgres } from "@slipway/sql/testing"
import { Effect } from "effect"
import { medianProcessorTime } from "./http/processorTime.ts"
import { benchRequests, fillDatabase, startService } from "./http/sites.ts"
import { flagsOf, withDirectory } from "./start/service.ts"
import { print } from "./support/output.ts"

let received = 0
const taking = createServer((request, response) => {
  request.on("data", (bytes) => {
    received += bytes.length
  })
  request.on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end())
})
await new Promise<void>((resolve) => taking.listen(0, "127.0.0.1", resolve))
const endpoint = `http://127.0.0.1:${(taking.address() as AddressInfo).port}`

const program = Effect.gen(function* () {
  const postgres = yield* startPostgres()
  const token = yield* fillDatabase("forge", postgres)
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const begin = (more: Record<string, string>) =>
        startService("forge", postgres, directory, flagsOf("server"), { FORGE_SSH_PORT: "off", ...more })
      const all = [
        await begin({}),
        await begin({ FORGE_METRICS_PORT: "0" }),
        await begin({ FORGE_METRICS_PORT: "0", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
      ]
      try {
        print("| CPU µs per request | neither | metrics | times | metrics and traces | times |")
        print("|---|---:|---:|---:|---:|---:|")
        for (const [name, each] of Object.entries(benchRequests.forge)) {
          const [neither = 0, ...others] = await medianProcessorTime(all, each, token)
          const cells = others.map((cpu) => `${cpu.toFixed(0)} | ${(cpu / neither).toFixed(2)}`)
          print(`| ${name} | ${neither.toFixed(0)} | ${cells.join(" | ")} |`)
        }
      } finally {
        for (const each of all) await each.process.stop()
      }
      print(`${(received / 1e6).toFixed(1)} MB of traces came`)
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
taking.closeAllConnections()
taking.close()
