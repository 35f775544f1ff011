import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { Duplex, Readable, Writable } from "node:stream"
import { tracedScope } from "@slipway/domain"
import {
  type GitAnswer,
  GitBusy,
  type GitId,
  GitRepositoryMissing,
  type GitRequest,
  type GitService,
  GitTransport
} from "@slipway/domain/forge/code"
import { end, type Program, spawn } from "@slipway/subprocess"
import { Clock, Duration, Effect, Exit, Layer, Schedule, Scope, Semaphore, Stream } from "effect"
import { configArguments, environment } from "../../program.ts"
import { repositoryFolder } from "../folders.ts"
import { sweepQuarantines } from "../quarantines.ts"
import { makeRepositoryLocks } from "../repositoryLocks.ts"
import { makeCapabilities } from "./capabilities.ts"
import { answerHooks } from "./decisions.ts"
import { installHooks, type PushHooks } from "./hooks.ts"

/** The limits for git clients. */
export interface GitTransportLimits {
  /** Maximum number of clients served concurrently. */
  readonly clients: number
  /** Maximum number of waiting requests; further requests fail with `GitBusy`. */
  readonly waiting: number
  /** How long a client waits for its turn. */
  readonly turn: Duration.Duration
  /** Idle timeout in both directions. */
  readonly idle: Duration.Duration
  /** Maximum duration of one client's request. */
  readonly longest: Duration.Duration
  /** Maximum size of a pack in bytes. */
  readonly push: number
}

/** The default limits, suitable for the server of a small team. */
export const usualTransportLimits: GitTransportLimits = {
  clients: 32,
  waiting: 256,
  turn: Duration.seconds(30),
  idle: Duration.minutes(2),
  longest: Duration.hours(6),
  push: 2 * 1024 ** 3
}

/** The time that git gets to remove its lock files after its client disconnected. */
const grace = Duration.seconds(5)
const mostErrorBytes = 16_384

/** The settings for every client. */
const serving = [
  "uploadpack.allowFilter=true",
  "uploadpack.allowAnySHA1InWant=true",
  "lsrefs.unborn=advertise",
  // The forge's internal refs are hidden from clients.
  "transfer.hideRefs=refs/slipway",
  "transfer.advertiseSID=false",
  "core.deltaBaseCacheLimit=32m",
  "pack.windowMemory=64m"
]

/** The interval of git's keepalive messages in seconds, so that its client isn't considered idle. */
const signsOfLife = ({ idle }: GitTransportLimits) => {
  const every = Math.max(1, Math.min(5, Math.floor(Duration.toSeconds(idle) / 2)))
  return [`uploadpack.keepAlive=${every}`, `receive.keepAlive=${every}`]
}

/**
 * The git settings of a fetch: one thread for packing, because many fetches run concurrently.
 */
const fetching = ["pack.threads=1"]

/** The git settings of a push: git checks the objects, including file names that are dangerous in a checkout. */
const receiving = ({ folder }: PushHooks, { push }: GitTransportLimits) => [
  `core.hooksPath=${folder}`,
  `receive.maxInputSize=${push}`,
  // Git's connectivity check takes a tenth longer with half of it, and no less time with more.
  "core.deltaBaseCacheLimit=64m",
  "receive.fsckObjects=true",
  // Errors of old programs are harmless, and histories contain many of them.
  "receive.fsck.zeroPaddedFilemode=ignore",
  "receive.fsck.badTimezone=ignore",
  "receive.fsck.missingSpaceBeforeDate=ignore",
  "receive.fsck.missingSpaceBeforeEmail=ignore",
  "receive.fsck.badDateOverflow=ignore",
  "receive.advertisePushOptions=true",
  "receive.advertiseAtomic=true",
  // `git push --mirror` deletes every advertised ref that the client lacks; these refs must not be deleted by clients.
  "receive.hideRefs=refs/pull",
  // The service answers for these refs, and git writes none of them.
  "receive.procReceiveRefs=refs/for",
  // The forge's rules decide on deletions and force-pushes.
  "receive.denyDeletes=false",
  "receive.denyNonFastForwards=false",
  "receive.denyDeleteCurrent=ignore",
  "receive.autogc=false",
  "receive.updateServerInfo=false",
  "receive.unpackLimit=100",
  "core.logAllRefUpdates=false"
]

const words: { readonly [S in GitService]: ReadonlyArray<string> } = {
  "upload-pack": ["upload-pack", "--strict", `--timeout=0`],
  "receive-pack": ["receive-pack"],
  "upload-archive": ["upload-archive"]
}

const how = ({ exchange, service }: GitRequest): ReadonlyArray<string> => {
  if (service === "upload-archive" || exchange === "talk") return []
  return exchange === "advertise" ? ["--stateless-rpc", "--advertise-refs"] : ["--stateless-rpc"]
}

/** The number of streamed bytes after which a garbage collection is triggered. */
const streamed = 16 * 1024 * 1024

/**
 * Makes a callback for streamed chunks that triggers a garbage collection of used chunks.
 *
 * Chunks are outside of V8's heap, where 64 MiB of them trigger a full collection. A minor collection removes them
 * within a millisecond. It needs Node's flag `--expose-gc`; without it, the callback does nothing.
 */
const makeCollector = () => {
  let passed = 0
  return (piece: Uint8Array) => {
    passed += piece.length
    if (passed < streamed) return
    passed = 0
    globalThis.gc?.({ type: "minor" })
  }
}

/** Writes the client's input to git's standard input, with backpressure. */
const feed = (input: Stream.Stream<Uint8Array>, to: Writable, moved: (piece: Uint8Array) => Effect.Effect<void>) =>
  Stream.runForEach(input, (bytes) =>
    Effect.andThen(
      moved(bytes),
      Effect.callback<void>((resume) => {
        // An exited git reads no more; its exit code has the reason.
        if (to.destroyed) return resume(Effect.void)
        to.write(bytes, () => resume(Effect.void))
      })
    )
  ).pipe(Effect.andThen(Effect.sync(() => to.end())))

/** Streams git's output with backpressure. A read error ends the stream; git's exit code reports the failure. */
const readFrom = (readable: Readable): Stream.Stream<Uint8Array> =>
  Stream.fromAsyncIterable<Uint8Array, unknown>(readable, (error) => error).pipe(Stream.catch(() => Stream.empty))

const make = Effect.fnUntraced(function* (root: string, limits: GitTransportLimits) {
  const hooks = yield* installHooks(root)
  const places = yield* Semaphore.make(limits.clients)
  const turns = yield* makeRepositoryLocks(root)
  const passed = makeCollector()
  const capabilities = makeCapabilities()
  let waiting = 0
  const folderOf = (id: GitId) => repositoryFolder(root, id)
  const isThere = (id: GitId) =>
    Effect.promise(() =>
      stat(folderOf(id)).then(
        () => true,
        () => false
      )
    )

  const busy = new GitBusy({ seconds: 10 })
  /** Takes a slot until the scope closes; the number of waiting clients and their waiting time are limited. */
  const place = Effect.gen(function* () {
    if (waiting >= limits.waiting) return yield* busy
    waiting += 1
    yield* Semaphore.takeScoped(places, 1).pipe(
      Effect.timeoutOrElse({ duration: limits.turn, orElse: () => Effect.fail(busy) }),
      Effect.ensuring(
        Effect.sync(() => {
          waiting -= 1
        })
      )
    )
  })

  const start = (request: GitRequest, pushHooks: PushHooks | undefined) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const settings = [
          ...serving,
          ...signsOfLife(limits),
          ...(pushHooks === undefined ? fetching : receiving(pushHooks, limits))
        ]
        const args = [
          ...configArguments(settings),
          ...words[request.service],
          ...how(request),
          folderOf(request.repository)
        ]
        const protocol = request.protocol === undefined ? {} : { GIT_PROTOCOL: request.protocol }
        return spawn("git", args, {
          environment: { ...environment, ...protocol },
          pipes: pushHooks === undefined ? 3 : 4
        })
      }),
      (child) => end(child, grace)
    )

  const ended = (child: Program): Promise<number> =>
    new Promise((resolve) => {
      child.once("error", () => resolve(-1))
      child.once("close", (code) => resolve(code ?? -1))
    })

  const serve = Effect.fnUntraced(function* (request: GitRequest) {
    if (!(yield* isThere(request.repository))) return yield* new GitRepositoryMissing(request)
    // A slot belongs to a program: a client that doesn't read loses it when git is killed.
    const placed = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    yield* Scope.provide(place, placed)
    const { decide, exchange, propose } = request
    const isPush = request.service === "receive-pack" && exchange !== "advertise"
    if (isPush && decide === undefined)
      return yield* Effect.die(new Error("a push is served without an authorization decision"))
    if (isPush && (yield* turns.push(request.repository))) yield* sweepQuarantines(folderOf(request.repository))
    const pushHooks = request.service === "receive-pack" ? yield* hooks.open(request.hooks) : undefined
    yield* tracedScope("git", { command: request.service })
    const child = yield* start(request, pushHooks)
    const exit = ended(child)
    child.once("exit", () => Effect.runFork(Scope.close(placed, Exit.void)))
    const [stdin, stdout, stderr, socket] = child.stdio as unknown as readonly [Writable, Readable, Readable, Duplex]
    for (const each of [stdin, stdout, stderr, socket]) each?.on("error", () => {})

    let movedAt = yield* Clock.currentTimeMillis
    const moved = (piece: Uint8Array) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        movedAt = at
        passed(piece)
      })
    const beganAt = movedAt
    const isOver = Effect.map(
      Clock.currentTimeMillis,
      (at) => at - movedAt > Duration.toMillis(limits.idle) || at - beganAt > Duration.toMillis(limits.longest)
    )
    // An idle client loses its slot.
    yield* isOver.pipe(
      Effect.tap((over) => (over ? Effect.sync(() => child.kill("SIGTERM")) : Effect.void)),
      Effect.repeat(Schedule.spaced(Duration.min(Duration.seconds(5), limits.idle))),
      Effect.forkScoped
    )
    if (exchange === "advertise") stdin.end()
    else yield* Effect.forkScoped(feed(request.input, stdin, moved))
    if (isPush && decide !== undefined && pushHooks !== undefined) {
      yield* Effect.forkScoped(answerHooks(socket, folderOf(request.repository), pushHooks, decide, propose))
    }
    let said = 0
    return {
      output: Stream.tap(readFrom(stdout), moved),
      said: Stream.filter(readFrom(stderr), (bytes) => {
        said += bytes.length
        return said <= mostErrorBytes
      }),
      exitCode: Effect.promise(() => exit)
    } satisfies GitAnswer
  })

  return GitTransport.of({
    serve: (request) => capabilities(request, folderOf(request.repository), serve(request))
  })
})

/** Layer that serves fetches and pushes of git clients from the repositories below the folder `root`. */
export const layerGitTransport = (root: string, limits: Partial<GitTransportLimits> = {}): Layer.Layer<GitTransport> =>
  Layer.effect(
    GitTransport,
    Effect.suspend(() => make(resolve(root), { ...usualTransportLimits, ...limits }))
  )
