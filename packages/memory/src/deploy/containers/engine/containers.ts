import { now } from "@slipway/domain"
import {
  type Command,
  CommandFailed,
  type Container,
  ContainerNotFound,
  ContainerNotRunning,
  type ContainerRef,
  type ContainerSpec,
  EngineRefused,
  FileSizeDiffers,
  ImageNotFound,
  type LogLine,
  type LogsQuery,
  longestHealthOutput,
  NameTaken,
  NetworkNotFound,
  PortTaken,
  type WrittenFile
} from "@slipway/domain/deploy/containers"
import { Deferred, Effect, Equal, Fiber, Option, Redacted, type Scope, Stream } from "effect"
import { change, fresh, type SimulatedContainer, type SimulatedServer } from "./state.ts"

/** Finds a container of an application; fails if it does not exist. */
export const found = (server: SimulatedServer, { application, name }: ContainerRef) =>
  Effect.suspend(() => {
    const container = server.container(application, name)
    return container === undefined ? Effect.fail(new ContainerNotFound({ name })) : Effect.succeed(container)
  })

/** Returns whether a container is running or restarting. */
export const isUp = ({ details }: SimulatedContainer) => details.state === "running" || details.state === "restarting"

/** Appends one line to the output of a container. If the line has no time, it gets the current time. */
export const write = Effect.fnUntraced(function* (
  container: SimulatedContainer,
  { at, stream, text }: Omit<LogLine, "at"> & { readonly at?: string }
) {
  const moment = yield* now
  const nanoseconds = String(container.lines.length % 1_000_000).padStart(6, "0")
  container.lines.push({ at: at ?? moment.replace("Z", `${nanoseconds}Z`), stream, text })
  yield* change(container, {})
})

const exited = Effect.fnUntraced(function* (container: SimulatedContainer, exitCode: number) {
  yield* change(container, { state: "exited", exitCode, finishedAt: yield* now, addresses: {} })
})

const startsAgain = ({ details, isStopped, spec: { restart } }: SimulatedContainer): boolean => {
  if (isStopped || restart._tag === "Never") return false
  return restart._tag === "OnFailure" ? details.exitCode !== 0 && details.restarts < restart.times : true
}

const addressesOf = (server: SimulatedServer, { details, spec }: SimulatedContainer) => {
  if (spec.options.dangerous.network !== null) return {}
  const networks = [...server.networks.keys()]
  return Object.fromEntries(
    spec.networks.map(({ network }) => [
      network,
      `10.${networks.indexOf(network) + 16 * (server.starts % 16)}.${Number.parseInt(details.id, 16) >> 8}.${Number.parseInt(details.id, 16) & 255}`
    ])
  )
}

/** Simulates the main process of a container, and restarts it according to the restart policy of the container. */
const run = Effect.fnUntraced(function* (server: SimulatedServer, container: SimulatedContainer) {
  for (let pause = 100; ; pause *= 2) {
    const program = container.image.behaviour.program?.(container.spec) ?? {}
    container.program = program
    const addresses = addressesOf(server, container)
    const { healthCheck: wanted } = container.spec
    const healthCheck = wanted === null ? container.image.behaviour.healthCheck : wanted
    const isLookedAt = typeof healthCheck === "object"
    const health = isLookedAt ? ("starting" as const) : null
    const healthInterval = isLookedAt ? healthCheck.interval : null
    const looks = { health, healthInterval }
    const runs = { state: "running" as const, startedAt: yield* now, finishedAt: null, exitCode: null }
    yield* change(container, { ...runs, addresses, ...looks })
    for (const line of program.lines ?? []) yield* write(container, line)
    if (program.exitCode === undefined) {
      if (!isLookedAt || program.isLookedAtWhenAsked === true) return yield* Effect.never
      yield* Effect.sleep((program.healthyAfter ?? 0) * 1_000)
      yield* change(
        container,
        program.unhealthy === undefined
          ? { health: "healthy" }
          : { health: "unhealthy", healthOutput: program.unhealthy.slice(0, longestHealthOutput) }
      )
      return yield* Effect.never
    }
    if (program.after !== undefined) yield* Effect.sleep(program.after * 1_000)
    yield* exited(container, program.exitCode)
    yield* change(container, { outOfMemory: program.outOfMemory === true })
    if (!startsAgain(container)) return
    yield* change(container, { state: "restarting", restarts: container.details.restarts + 1 })
    yield* Effect.sleep(pause)
  }
})

/** Creates a container. Fails if another container has the name. */
export const create = (server: SimulatedServer, spec: ContainerSpec) =>
  Effect.suspend((): Effect.Effect<Container, ImageNotFound | NetworkNotFound | NameTaken> => {
    const present = server.containers.get(spec.name)
    if (present !== undefined) {
      return Equal.equals(present.spec.owner, spec.owner)
        ? Effect.succeed(present.details)
        : Effect.fail(new NameTaken({ name: spec.name }))
    }
    const image = server.image(spec.image)
    if (image === undefined) return Effect.fail(new ImageNotFound({ reference: spec.image, because: "no such image" }))
    for (const { network } of spec.networks) {
      if (!server.networks.has(network)) return Effect.fail(new NetworkNotFound({ name: network }))
    }
    for (const { source } of [...spec.mounts, ...spec.options.mounts]) {
      if (source._tag !== "Volume") continue
      const { name } = source
      const { application } = spec.owner
      if ((server.volumes.get(name)?.application ?? application) !== application) {
        return Effect.fail(new NameTaken({ name }))
      }
      server.volumes.set(name, { name, application })
    }
    const container: SimulatedContainer = {
      spec,
      image,
      details: fresh(server.nextId(), spec, image.id),
      program: {},
      lines: [],
      changed: Deferred.makeUnsafe(),
      running: undefined,
      isStopped: false
    }
    server.containers.set(spec.name, container)
    for (const { path, text } of spec.files) {
      image.behaviour.file?.(path, new TextEncoder().encode(Redacted.value(text)), spec)
    }
    return Effect.succeed(container.details)
  })

const takenPort = (server: SimulatedServer, { spec }: SimulatedContainer) =>
  spec.ports.find(({ host, protocol }) =>
    [...server.containers.values()].some(
      (other) =>
        other.spec !== spec &&
        isUp(other) &&
        other.spec.ports.some((port) => port.host === host && port.protocol === protocol)
    )
  )

/** Starts a container. Its simulated process ends when the scope closes. */
export const start = Effect.fnUntraced(function* (server: SimulatedServer, ref: ContainerRef, scope: Scope.Scope) {
  const container = yield* found(server, ref)
  if (isUp(container)) return
  const lost = container.spec.networks.find(({ network }) => !server.networks.has(network))
  if (lost !== undefined) return yield* new EngineRefused({ because: `network ${lost.network} not found` })
  const port = takenPort(server, container)
  if (port !== undefined) return yield* new PortTaken({ because: `port ${port.host} is already in use` })
  container.isStopped = false
  container.running = yield* Effect.forkIn(run(server, container), scope, { startImmediately: true })
})

/** Stops a container with an exit code, after a request or because its process failed. */
export const end = Effect.fnUntraced(function* (container: SimulatedContainer, exitCode: number) {
  container.isStopped = true
  if (container.running !== undefined) yield* Fiber.interrupt(container.running)
  container.running = undefined
  if (isUp(container)) yield* exited(container, exitCode)
})

const killed = 137
const terminated = 143

/**
 * Simulates the restart of a server: kills its containers, and starts them again except those with the restart policy
 * `Never` or `OnFailure`. Started containers get new addresses.
 */
export const startOver = Effect.fnUntraced(function* (server: SimulatedServer, scope: Scope.Scope) {
  const ran = [...server.containers.values()].filter(isUp)
  for (const container of ran) yield* end(container, killed)
  server.starts += 1
  for (const { spec } of ran) {
    if (spec.restart._tag === "Never" || spec.restart._tag === "OnFailure") continue
    yield* Effect.orDie(start(server, { application: spec.owner.application, name: spec.name }, scope))
  }
})

/** Sends a container the stop signal, and kills it after the stop timeout. */
export const stop = Effect.fnUntraced(function* (server: SimulatedServer, ref: ContainerRef) {
  const container = yield* found(server, ref)
  const isStubborn = container.program.stubborn === true
  if (isUp(container) && isStubborn) yield* Effect.sleep(container.details.stopTimeout * 1_000)
  yield* end(container, isStubborn ? killed : terminated)
})

/** Kills a container. */
export const kill = Effect.fnUntraced(function* (server: SimulatedServer, ref: ContainerRef) {
  yield* end(yield* found(server, ref), killed)
})

/** Removes a container, even if it is running. */
export const remove = Effect.fnUntraced(function* (server: SimulatedServer, { application, name }: ContainerRef) {
  const container = server.container(application, name)
  if (container === undefined) return false
  yield* end(container, killed)
  server.containers.delete(name)
  yield* change(container, {})
  return true
})

/** Returns the details of a container. */
export const inspect = (server: SimulatedServer, ref: ContainerRef) =>
  Effect.map(found(server, ref), ({ details }) => details)

/** Runs the health check of a container. */
export const probeHealth = Effect.fnUntraced(function* (server: SimulatedServer, ref: ContainerRef) {
  const container = yield* found(server, ref)
  if (container.program.isLookedAtWhenAsked === true) yield* change(container, { health: "healthy" })
})

/** Waits until a container has stopped. */
export const wait = Effect.fnUntraced(function* (server: SimulatedServer, ref: ContainerRef) {
  const container = yield* found(server, ref)
  while (isUp(container)) yield* Deferred.await(container.changed)
  return container.details.exitCode ?? 0
})

/** Runs a program in a running container. */
export const exec = Effect.fnUntraced(function* (server: SimulatedServer, ref: ContainerRef, command: Command) {
  const container = yield* found(server, ref)
  if (container.details.state !== "running") return yield* new ContainerNotRunning({ name: ref.name })
  return container.image.behaviour.command?.(command, container.spec) ?? { exitCode: 0, output: [] }
})

/** Streams the output of a command in a running container, in two chunks. */
export const execOutput = (server: SimulatedServer, ref: ContainerRef, command: Command) =>
  Stream.unwrap(
    Effect.map(exec(server, ref, command), ({ exitCode, output }) => {
      const textOf = (stream: LogLine["stream"]) =>
        output.flatMap((line) => (line.stream === stream ? [`${line.text}\n`] : [])).join("")
      const bytes = new TextEncoder().encode(textOf("stdout"))
      const half = Math.ceil(bytes.length / 2)
      const chunks = Stream.fromIterable([bytes.subarray(0, half), bytes.subarray(half)])
      const failure = Stream.fail(new CommandFailed({ exitCode, errors: textOf("stderr").trimEnd() }))
      return exitCode === 0 ? chunks : Stream.concat(chunks, failure)
    })
  )

/** Streams a file or folder of a container as a tar archive, which the behaviour of the image provides. */
export const archive = (server: SimulatedServer, ref: ContainerRef, path: string) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const container = yield* found(server, ref)
      const bytes = container.image.behaviour.archive?.(path, container.spec)
      if (bytes === undefined) return yield* new EngineRefused({ because: `${path}: no such file or directory` })
      return Stream.make(bytes)
    })
  )

/**
 * Writes a file into a running or new container, by passing it to the behaviour of the image. Fails if the size differs
 * from the announced size.
 */
export const writeFile = Effect.fnUntraced(function* <E, R>(
  server: SimulatedServer,
  ref: ContainerRef,
  { path, size }: WrittenFile,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const container = yield* found(server, ref)
  const { state } = container.details
  if (state !== "running" && state !== "created") return yield* new ContainerNotRunning({ name: ref.name })
  const written = yield* Stream.mkUint8Array(bytes)
  if (written.length !== size) return yield* new FileSizeDiffers({ size })
  container.image.behaviour.file?.(path, written, container.spec)
})

/** Unpacks a tar archive in a container, by passing it to the behaviour of the image. */
export const unpack = Effect.fnUntraced(function* <E, R>(
  server: SimulatedServer,
  ref: ContainerRef,
  directory: string,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const container = yield* found(server, ref)
  const written = yield* Stream.mkUint8Array(bytes)
  container.image.behaviour.unpack?.(directory, written, container.spec)
})

const following = (container: SimulatedContainer, from: number): Stream.Stream<LogLine> =>
  Stream.paginate(from, (next) =>
    Effect.gen(function* () {
      while (container.lines.length === next && isUp(container)) yield* Deferred.await(container.changed)
      const lines = container.lines.slice(next)
      const isOver = lines.length === 0 && !isUp(container)
      return [lines, isOver ? Option.none() : Option.some(next + lines.length)] as const
    })
  )

/** Streams the output of a container. */
export const logs = (server: SimulatedServer, ref: ContainerRef, { follow, since, tail }: LogsQuery) =>
  Stream.unwrap(
    Effect.map(found(server, ref), (container) => {
      const written = container.lines.filter(({ at }) => since === undefined || at >= since)
      const wanted = tail === undefined ? written : written.slice(Math.max(0, written.length - tail))
      const past = Stream.fromIterable(wanted)
      return follow === true ? Stream.concat(past, following(container, container.lines.length)) : past
    })
  )
