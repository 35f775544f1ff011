import { existsSync } from "node:fs"
import { join } from "node:path"
import { layerSources } from "@slipway/git/deploy"
import { folder, putCommit, startForge } from "@slipway/git/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { register } from "@slipway/testkit"
import { Contracts, SourceWorld } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"
import { listFiles } from "./support/files.ts"
import { layerInternet } from "./support/internet.ts"

const world = Layer.effect(
  SourceWorld,
  Effect.gen(function* () {
    const forge = yield* startForge
    const marker = join(yield* folder("marker"), "marker")
    let repositories = 0
    const addressOf = (name: string) => `http://forge.dev:${forge.port}/${name}`
    const fresh = () => `${++repositories}.git`
    return {
      repository: (account) =>
        Effect.sync(() => {
          const name = fresh()
          const path = forge.repository(name, account === null ? undefined : `${account.username}:${account.token}`)
          return {
            address: addressOf(name),
            commit: (branch, commit) => Effect.sync(() => putCommit(path, branch, commit))
          }
        }),
      nowhere: Effect.sync(() => addressOf(fresh())),
      list: (directory) => Effect.sync(() => listFiles(directory)),
      marker,
      isMarked: Effect.sync(() => existsSync(marker))
    }
  })
)

const layer = layerSources().pipe(Layer.provide(layerInternet()), Layer.provide(memory))

register("git", Layer.merge(world, layer), [Contracts.sources])
