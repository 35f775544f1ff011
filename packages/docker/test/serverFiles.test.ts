import { mkdtempSync, readFileSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerServerFiles } from "@slipway/docker"
import { sshAccessTo, startSshdWithCommands } from "@slipway/docker/testing"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { register } from "@slipway/testkit"
import { Contracts, newServer } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"

const world = Layer.effect(
  Contracts.ServerFileWorld,
  Effect.gen(function* () {
    const sshd = yield* startSshdWithCommands
    const server = yield* Effect.orDie((yield* ServerStore).insert(newServer(1)))
    return {
      access: sshAccessTo(sshd, server.uuid),
      read: (path: string) =>
        Effect.sync(() => ({ text: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 }))
    }
  })
)

const folder = join(mkdtempSync(join(tmpdir(), "server-files-")), "slipway")

register(
  "a server by SSH",
  Layer.provideMerge(
    world,
    layerServerFiles(folder).pipe(Layer.provide(layerSshConnections), Layer.provideMerge(memory))
  ),
  [Contracts.serverFiles]
)
