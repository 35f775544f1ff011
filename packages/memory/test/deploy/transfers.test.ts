import { bundleCipher, EngineSimulation, engineLayer } from "@slipway/memory/deploy"
import { register } from "@slipway/testkit"
import { Contracts, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Layer, Redacted } from "effect"

const server = uuidOf<never>("server", 1)

const world = Layer.effect(
  Contracts.ServerFileWorld,
  Effect.map(EngineSimulation, ({ files }) => ({
    access: {
      _tag: "Ssh" as const,
      server,
      connectionTimeout: 10,
      host: "192.0.2.1",
      port: 22,
      user: "root",
      privateKey: Redacted.make("key"),
      socket: null
    },
    read: (path: string) => Effect.map(files(server), (all) => ({ text: all.get(path) ?? "", mode: 0o600 }))
  }))
)

register("bundles in memory", bundleCipher, [Contracts.bundleCipher])
register("a simulated server", Layer.provideMerge(world, engineLayer), [Contracts.serverFiles])
