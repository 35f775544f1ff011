import { SourceSimulation, sources } from "@slipway/memory/deploy"
import { register } from "@slipway/testkit"
import { Contracts, SourceWorld } from "@slipway/testkit/deploy"
import { Effect, Layer, Redacted } from "effect"

const world = Layer.effect(
  SourceWorld,
  Effect.map(SourceSimulation, (simulation) => {
    let repositories = 0
    const fresh = () => `https://forge.example/owner/${++repositories}.git`
    return {
      repository: (account) =>
        Effect.gen(function* () {
          const address = fresh()
          yield* simulation.repository(
            address,
            account === null
              ? { _tag: "Anyone" }
              : { _tag: "Token", username: account.username, token: Redacted.make(account.token) }
          )
          return { address, commit: (branch, commit) => simulation.commit(address, branch, commit) }
        }),
      nowhere: Effect.sync(fresh),
      list: simulation.list,
      marker: "/nowhere/marker",
      isMarked: Effect.succeed(false)
    }
  })
)

register("memory", Layer.provideMerge(world, sources), [Contracts.sources])
