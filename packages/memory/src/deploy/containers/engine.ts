import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  type ContainerDetails,
  ContainerEngine,
  type ContainerSpec,
  type DiskSpace,
  type Engine,
  EngineInstaller,
  type EngineRefused,
  EngineUnreachable,
  type HostUse,
  type Image,
  InstallationFailed,
  type LogLine,
  type Network,
  type StageImage,
  type Volume
} from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { ServerFiles, serverFolder } from "@slipway/domain/deploy/runtime"
import { Context, Effect, Layer, Stream } from "effect"
import type { BuildScripts, ImageBehaviour } from "./engine/behaviour.ts"
import { end, startOver, write } from "./engine/containers.ts"
import { engineOf, type World } from "./engine/engine.ts"
import { change, SimulatedServer } from "./engine/state.ts"

export type { BuildScript, BuildScripts, ImageBehaviour, Program } from "./engine/behaviour.ts"
export { ends, runs } from "./engine/behaviour.ts"

/** The containers, images, networks and volumes of a simulated server. */
export interface Inventory {
  readonly containers: ReadonlyArray<ContainerDetails & { readonly spec: ContainerSpec }>
  readonly images: ReadonlyArray<Image>
  readonly networks: ReadonlyArray<Network>
  readonly volumes: ReadonlyArray<Volume>
  readonly stages: ReadonlyArray<StageImage>
  /** The number of running builds on the server. */
  readonly building: number
  /** The number of open terminals on the server. */
  readonly terminals: number
}

/** Controls the behaviour of simulated servers and their containers, and shows their state. */
export class EngineSimulation extends Context.Service<
  EngineSimulation,
  {
    /** Adds an image to every registry from now on. */
    readonly publish: (reference: string, behaviour?: ImageBehaviour) => Effect.Effect<void>
    /** Sets the behaviour of later builds; until then each gives an image with a running program. */
    readonly onBuild: (scripts: BuildScripts) => Effect.Effect<void>
    /** Runs an effect before every operation of an engine: it may fail, wait or count. */
    readonly onCall: (
      before: (server: ServerUuid, operation: keyof Engine) => Effect.Effect<void, EngineUnreachable | EngineRefused>
    ) => Effect.Effect<void>
    /** Disconnects a server, for a reason; null reconnects it. */
    readonly cutOff: (server: ServerUuid, because: string | null) => Effect.Effect<void>
    /** Makes later installations of an engine on a server fail, for a reason; null makes them succeed. */
    readonly failInstallations: (server: ServerUuid, because: string | null) => Effect.Effect<void>
    /** Pauses installations of an engine on a server after their first step, or resumes them. */
    readonly pauseInstallations: (server: ServerUuid, isPaused: boolean) => Effect.Effect<void>
    /** Sets the disk usage of a server; with null, the engine does not report it. */
    readonly fill: (server: ServerUuid, disk: DiskSpace | null) => Effect.Effect<void>
    /** Sets the use of a server's machine; with null, the connection does not report it. */
    readonly strain: (server: ServerUuid, use: HostUse | null) => Effect.Effect<void>
    /** Removes all unused images and networks of a server, as a user may by hand. */
    readonly prune: (server: ServerUuid) => Effect.Effect<void>
    /** Removes a network of a server by hand, as if no container were attached to it. */
    readonly loseNetwork: (server: ServerUuid, name: string) => Effect.Effect<void>
    /** Restarts a server: its containers get other addresses, and stay stopped unless their policy starts them. */
    readonly startOver: (server: ServerUuid) => Effect.Effect<void>
    /** Ends the program of a container, as a failure. */
    readonly crash: (
      server: ServerUuid,
      application: ApplicationUuid,
      name: string,
      exitCode: number
    ) => Effect.Effect<void>
    /** Sets what the health check of a running container finds: the output of a failing one, or null for a healthy one. */
    readonly setHealth: (
      server: ServerUuid,
      application: ApplicationUuid,
      name: string,
      output: string | null
    ) => Effect.Effect<void>
    /** Makes the program of a container write a line. */
    readonly write: (
      server: ServerUuid,
      application: ApplicationUuid,
      name: string,
      line: Omit<LogLine, "at"> & { readonly at?: string }
    ) => Effect.Effect<void>
    readonly inventory: (server: ServerUuid) => Effect.Effect<Inventory>
    /** The files that the platform wrote on a server, by path. */
    readonly files: (server: ServerUuid) => Effect.Effect<ReadonlyMap<string, string>>
  }
>()("@slipway/memory/deploy/EngineSimulation") {}

const make = Effect.gen(function* () {
  const servers = new Map<ServerUuid, SimulatedServer>()
  const uuids = new Map<SimulatedServer, ServerUuid>()
  const serverOf = (uuid: ServerUuid) => {
    const present = servers.get(uuid)
    if (present !== undefined) return present
    const server = new SimulatedServer()
    // Addresses are derived from container numbers, and are unique across servers.
    server.created = 4_096 * (servers.size % 16)
    servers.set(uuid, server)
    uuids.set(server, uuid)
    return server
  }
  const world: World = {
    scope: yield* Effect.scope,
    registry: new Map(),
    scripts: () => ({}),
    before: () => Effect.void
  }
  const within = (
    server: ServerUuid,
    application: ApplicationUuid,
    name: string,
    act: (container: NonNullable<ReturnType<SimulatedServer["container"]>>) => Effect.Effect<void>
  ) =>
    Effect.suspend(() => {
      const container = serverOf(server).container(application, name)
      return container === undefined ? Effect.die(`there is no container ${name}`) : act(container)
    })

  return Context.make(ContainerEngine, {
    open: ({ server }) =>
      Effect.suspend(() => {
        const simulated = serverOf(server)
        return simulated.unreachable === undefined
          ? Effect.succeed(engineOf(world, simulated))
          : Effect.fail(new EngineUnreachable({ because: simulated.unreachable }))
      })
  }).pipe(
    Context.add(EngineInstaller, {
      isInstalling: (server) => Effect.sync(() => serverOf(server).installations > 0),
      install: ({ server }) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const simulated = serverOf(server)
            yield* Effect.acquireRelease(
              Effect.sync(() => {
                simulated.installations += 1
              }),
              () =>
                Effect.sync(() => {
                  simulated.installations -= 1
                })
            )
            const install = Effect.gen(function* () {
              yield* simulated.installsNow.await
              const because = simulated.installationFailure
              if (because !== undefined) return yield* new InstallationFailed({ because })
              simulated.unreachable = undefined
              return "installed docker.io"
            })
            return Stream.concat(Stream.succeed("found a simulation"), Stream.fromEffect(install))
          })
        ).pipe(Stream.scoped)
    }),
    Context.add(ServerFiles, {
      write: ({ server }, path, text) =>
        Effect.suspend(() => {
          const simulated = serverOf(server)
          if (simulated.unreachable !== undefined) {
            return Effect.fail(new EngineUnreachable({ because: simulated.unreachable }))
          }
          simulated.files.set(`${serverFolder}/${path}`, text)
          return Effect.succeed(`${serverFolder}/${path}`)
        })
    }),
    Context.add(EngineSimulation, {
      files: (server) => Effect.sync(() => serverOf(server).files),
      publish: (reference, behaviour = {}) => Effect.sync(() => void world.registry.set(reference, behaviour)),
      onBuild: (scripts) =>
        Effect.sync(() => {
          world.scripts = scripts
        }),
      onCall: (before) =>
        Effect.sync(() => {
          world.before = (server, operation) =>
            Effect.suspend(() => {
              const uuid = uuids.get(server)
              return uuid === undefined ? Effect.void : before(uuid, operation)
            })
        }),
      cutOff: (server, because) =>
        Effect.sync(() => {
          serverOf(server).unreachable = because ?? undefined
        }),
      failInstallations: (server, because) =>
        Effect.sync(() => {
          serverOf(server).installationFailure = because ?? undefined
        }),
      pauseInstallations: (server, isPaused) =>
        Effect.suspend(() => {
          const { installsNow } = serverOf(server)
          return Effect.asVoid(isPaused ? installsNow.close : installsNow.open)
        }),
      fill: (server, disk) =>
        Effect.sync(() => {
          serverOf(server).disk = disk
        }),
      strain: (server, use) =>
        Effect.sync(() => {
          serverOf(server).hostUse = use
        }),
      prune: (uuid) => Effect.sync(() => serverOf(uuid).prune()),
      loseNetwork: (server, name) => Effect.sync(() => void serverOf(server).networks.delete(name)),
      startOver: (server) => Effect.suspend(() => startOver(serverOf(server), world.scope)),
      crash: (server, application, name, exitCode) =>
        within(server, application, name, (container) => end(container, exitCode)),
      setHealth: (server, application, name, output) =>
        within(server, application, name, (container) =>
          change(container, { health: output === null ? "healthy" : "unhealthy", healthOutput: output })
        ),
      write: (server, application, name, line) =>
        within(server, application, name, (container) => write(container, line)),
      inventory: (uuid) =>
        Effect.sync(() => {
          const server = serverOf(uuid)
          return {
            containers: [...server.containers.values()].map(({ details, spec }) => ({ ...details, spec })),
            images: [...server.images.values()].map(({ behaviour: _, ...image }) => ({
              ...image,
              tags: server.tagsOf(image.id)
            })),
            networks: [...server.networks.values()],
            volumes: [...server.volumes.values()],
            stages: [...server.stages.values()],
            building: server.building,
            terminals: server.terminals
          }
        })
    })
  )
})

/** Simulates container engines in memory; {@link EngineSimulation} controls the behaviour of containers. */
export const engineLayer: Layer.Layer<ContainerEngine | EngineInstaller | EngineSimulation | ServerFiles> =
  Layer.effectContext(make)
