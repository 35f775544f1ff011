import { WorkShares } from "@slipway/domain"
import { WorkflowReader, type YamlRead } from "@slipway/domain/forge/automation"
import { makeThreads, threadModule } from "@slipway/threads"
import { Duration, Effect, Layer } from "effect"

const because = { memory: "reading it needs too much memory", time: "it takes too long to read" } as const

/**
 * Parses the YAML of workflows in worker threads, so that untrusted input that is slow to parse does not delay other
 * callers.
 */
export const layerWorkflowReader: Layer.Layer<WorkflowReader> = Layer.effect(
  WorkflowReader,
  Effect.map(
    makeThreads<string, YamlRead>(threadModule(import.meta.url, "workflowThread"), {
      threads: 2,
      timeout: Duration.seconds(3),
      memory: 256,
      shares: Effect.service(WorkShares)
    }),
    (ask) => ({
      read: (text) =>
        Effect.catch(ask(text), ({ of }) => Effect.succeed<YamlRead>({ because: because[of], exhausting: true }))
    })
  )
)
