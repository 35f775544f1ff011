import {
  type Engine,
  type EngineInfo,
  type EngineRefused,
  EngineUnreachable,
  imageOwner,
  imageReference,
  imageRepository,
  isReservedNetwork,
  NameTaken,
  NetworkNotFound,
  ResourceInUse
} from "@slipway/domain/deploy/containers"
import { Effect, type Scope, Stream } from "effect"
import type { BuildScripts, ImageBehaviour } from "./behaviour.ts"
import * as Containers from "./containers.ts"
import * as Images from "./images.ts"
import type { SimulatedServer } from "./state.ts"
import { openTerminal } from "./terminal.ts"

/** The state that all simulated servers share. */
export interface World {
  readonly scope: Scope.Scope
  readonly registry: Map<string, ImageBehaviour>
  scripts: BuildScripts
  /** Runs before every operation of an engine; it may fail or wait. */
  before: (server: SimulatedServer, operation: keyof Engine) => Effect.Effect<void, EngineUnreachable | EngineRefused>
}

const info: EngineInfo = {
  product: "docker",
  version: "0.0.0-simulated",
  apiVersion: "1.41",
  operatingSystem: "simulation",
  architecture: "none",
  cpus: 1,
  memory: 1_073_741_824
}

const byName = <A extends { readonly name: string }>(things: Iterable<A>): ReadonlyArray<A> =>
  [...things].toSorted((one, other) => (one.name < other.name ? -1 : 1))

/** Returns the engine of a simulated server. */
export const engineOf = (world: World, server: SimulatedServer): Engine => {
  const reached = (operation: keyof Engine) =>
    Effect.suspend(() =>
      server.unreachable === undefined
        ? world.before(server, operation)
        : Effect.fail(new EngineUnreachable({ because: server.unreachable }))
    )
  const doing = <A, E, R>(operation: keyof Engine, effect: Effect.Effect<A, E, R>) =>
    Effect.andThen(reached(operation), effect)
  const streaming = <A, E, R>(operation: keyof Engine, stream: Stream.Stream<A, E, R>) =>
    Stream.unwrap(Effect.as(reached(operation), stream))
  const isUsed = (network: string) =>
    [...server.containers.values()].some(({ spec }) => spec.networks.some((each) => each.network === network))
  const isMounted = (volume: string) =>
    [...server.containers.values()].some(({ spec }) =>
      spec.mounts.some(({ source }) => source._tag === "Volume" && source.name === volume)
    )

  return {
    info: doing("info", Effect.succeed(info)),
    // A simulation accepts no connections.
    socket: doing("socket", Effect.succeed("/nonexistent/engine.sock")),
    pull: (reference, credentials) => streaming("pull", Images.pull(server, world.registry, reference, credentials)),
    push: (image, reference, credentials) =>
      streaming("push", Images.push(server, world.registry, image, reference, credentials)),
    build: (context, options) => streaming("build", Images.build(server, world.scripts, context, options)),
    tagImage: (image, owner) =>
      doing(
        "tagImage",
        Effect.map(Images.inspect(server, image), ({ id }) => {
          server.tags.set(imageReference(owner), id)
        })
      ),
    inspectImage: (reference) => doing("inspectImage", Images.inspect(server, reference)),
    listImages: (application) =>
      doing(
        "listImages",
        Effect.sync(() => {
          const isMine = (tag: string) =>
            application === null ? imageOwner(tag) !== null : tag.startsWith(`${imageRepository(application)}:`)
          const mine = [...server.tags].filter(([tag]) => isMine(tag)).map(([, id]) => id)
          return [...new Set(mine)].toSorted().flatMap((id) => {
            const image = server.image(id)
            return image === undefined ? [] : [image]
          })
        })
      ),
    removeImage: (owner) =>
      doing(
        "removeImage",
        Effect.suspend(() => {
          const outcome = server.untag(owner)
          return outcome === "used"
            ? Effect.fail(new ResourceInUse({ name: imageReference(owner) }))
            : Effect.succeed(outcome === "gone")
        })
      ),

    listStages: doing(
      "listStages",
      Effect.sync(() => [...server.stages.values()])
    ),
    removeStage: ({ id }) =>
      doing(
        "removeStage",
        Effect.sync(() => server.stages.delete(id))
      ),
    freeUnused: doing(
      "freeUnused",
      Effect.sync(() => server.freeUnused())
    ),
    diskUse: doing(
      "diskUse",
      Effect.sync(() => ({
        images: [...server.images.values()].reduce((sum, { size }) => sum + size, 0),
        containers: 0,
        volumes: 0,
        buildCache: 0
      }))
    ),

    diskSpace: doing(
      "diskSpace",
      Effect.sync(() => server.disk)
    ),
    hostUse: doing(
      "hostUse",
      Effect.sync(() => server.hostUse)
    ),
    containerUse: doing(
      "containerUse",
      Effect.sync(() =>
        [...server.containers.values()]
          .filter(({ details }) => details.state === "running")
          .map(({ details: { name, owner } }) => ({
            name,
            owner,
            cpuPercent: 1,
            memory: { used: 1_048_576, limit: info.memory },
            network: { received: 100, sent: 200 }
          }))
      )
    ),

    ensureNetwork: (name, application) =>
      doing(
        "ensureNetwork",
        Effect.suspend(() => {
          const present = server.networks.get(name)
          const isOthers = present !== undefined && present.application !== application
          if (isOthers || isReservedNetwork(name)) return Effect.fail(new NameTaken({ name }))
          if (present === undefined) server.networks.set(name, { name, application })
          return Effect.void
        })
      ),
    inspectNetwork: (name) =>
      doing(
        "inspectNetwork",
        Effect.suspend(() => {
          const network = server.networks.get(name)
          return network === undefined ? Effect.fail(new NetworkNotFound({ name })) : Effect.succeed(network)
        })
      ),
    listNetworks: (application) =>
      doing(
        "listNetworks",
        Effect.sync(() =>
          byName(server.networks.values()).filter((network) =>
            application === null ? network.application !== null : network.application === application
          )
        )
      ),
    removeNetwork: (application, name) =>
      doing(
        "removeNetwork",
        Effect.suspend(() => {
          if (server.networks.get(name)?.application !== application) return Effect.succeed(false)
          return isUsed(name) ? Effect.fail(new ResourceInUse({ name })) : Effect.succeed(server.networks.delete(name))
        })
      ),

    ensureVolume: (application, name) =>
      doing(
        "ensureVolume",
        Effect.suspend(() => {
          const present = server.volumes.get(name)
          if (present !== undefined && present.application !== application) return Effect.fail(new NameTaken({ name }))
          server.volumes.set(name, { name, application })
          return Effect.void
        })
      ),
    listVolumes: (application) =>
      doing(
        "listVolumes",
        Effect.sync(() => byName(server.volumes.values()).filter((volume) => volume.application === application))
      ),
    removeVolume: (application, name) =>
      doing(
        "removeVolume",
        Effect.suspend(() => {
          if (server.volumes.get(name)?.application !== application) return Effect.succeed(false)
          return isMounted(name)
            ? Effect.fail(new ResourceInUse({ name }))
            : Effect.succeed(server.volumes.delete(name))
        })
      ),

    create: (spec) => doing("create", Containers.create(server, spec)),
    start: (ref) => doing("start", Containers.start(server, ref, world.scope)),
    stop: (ref) => doing("stop", Containers.stop(server, ref)),
    kill: (ref) => doing("kill", Containers.kill(server, ref)),
    remove: (ref) => doing("remove", Containers.remove(server, ref)),
    inspect: (ref) => doing("inspect", Containers.inspect(server, ref)),
    probeHealth: (ref) => doing("probeHealth", Containers.probeHealth(server, ref)),
    list: (filter) =>
      doing(
        "list",
        Effect.sync(() => server.owned(filter))
      ),
    addresses: doing(
      "addresses",
      Effect.sync(() =>
        [...server.containers.values()]
          .filter(({ details }) => details.state === "running")
          .map(({ details: { addresses, name, owner } }) => ({ addresses, name, owner }))
      )
    ),
    unhealthy: doing(
      "unhealthy",
      Effect.sync(() =>
        [...server.containers.values()]
          .filter(({ details }) => details.state === "running" && details.health === "unhealthy")
          .map(({ details: { name, owner } }) => ({ name, owner }))
      )
    ),
    wait: (ref) => doing("wait", Containers.wait(server, ref)),
    terminal: (ref, command, size) => doing("terminal", openTerminal(server, ref, command, size)),
    execOutput: (ref, command) => streaming("execOutput", Containers.execOutput(server, ref, command)),
    archive: (ref, path) => streaming("archive", Containers.archive(server, ref, path)),
    exec: (ref, command) => doing("exec", Containers.exec(server, ref, command)),
    logs: (ref, query = {}) => streaming("logs", Containers.logs(server, ref, query)),
    unpack: (ref, directory, bytes) => doing("unpack", Containers.unpack(server, ref, directory, bytes)),
    writeFile: (ref, file, bytes) => doing("writeFile", Containers.writeFile(server, ref, file, bytes))
  }
}
