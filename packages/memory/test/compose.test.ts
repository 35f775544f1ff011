import { ComposeRefused } from "@slipway/domain/deploy/containers"
import { ComposeSimulation, compose } from "@slipway/memory/deploy"
import { register } from "@slipway/testkit"
import { ComposeWorld, Contracts } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"

let directories = 0

const world = Layer.effect(
  ComposeWorld,
  Effect.map(ComposeSimulation, (simulation) => ({
    directory: (files) =>
      Effect.gen(function* () {
        const directory = `/repository-${directories++}`
        for (const [path, text] of Object.entries(files)) yield* simulation.write(`${directory}/${path}`, text)
        return directory
      }),
    says: (text, services) =>
      simulation.answer(text, (_, variables) => {
        const said = services(variables)
        return said instanceof ComposeRefused ? said : { services: said }
      })
  }))
)

register("memory", Layer.provideMerge(world, compose), [Contracts.compose])
