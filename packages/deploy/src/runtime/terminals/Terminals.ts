import { millisecondsOf, now } from "@slipway/domain"
import { ApplicationStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { EngineUnreachable, type Terminal, type TerminalSize } from "@slipway/domain/deploy/containers"
import { DatabaseStore, ownerOf } from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { type Server, ServerStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import {
  NoRunningContainer,
  type TerminalEnd,
  type TerminalInput,
  TerminalsDisabled,
  terminalLimits,
  terminalShell
} from "@slipway/domain/deploy/runtime"
import { Clock, Deferred, Effect, Latch, Queue, Redacted, Stream } from "effect"
import { record } from "../../identity/audit/record.ts"
import { waitForRevocation } from "../../identity/tokens/Tokens.ts"
import { inTime, openEngine } from "../../infrastructure/servers/validate.ts"

/** The proofs with which a terminal can be opened. */
export type TerminalProof = Authorized<"application.terminal" | "database.terminal" | "service.terminal">

/** A terminal that a user requests; null as the container selects the first one that runs. */
export interface TerminalRequest {
  readonly container: string | null
  readonly size: TerminalSize
}

/** The browser that shows a terminal. */
export interface TerminalClient<E, R> {
  readonly input: Stream.Stream<TerminalInput, E, R>
  readonly send: (bytes: Uint8Array) => Effect.Effect<void, E, R>
}

/** Returns the resource of a proof: its uuid, its placement and the owner of its containers. */
const subjectOf = ({ resource }: TerminalProof) => {
  if ("database" in resource) {
    const { placement, uuid } = resource.database
    return { uuid, placement, owner: ownerOf(uuid) }
  }
  const { placement, uuid } = resource.application
  return { uuid: "service" in resource ? resource.service.uuid : uuid, placement, owner: uuid }
}

const serverOf = Effect.fnUntraced(function* (proof: TerminalProof) {
  const { owner, placement } = subjectOf(proof)
  const serving = "database" in proof.resource ? undefined : yield* (yield* ReleaseStore).serving(owner)
  const server = yield* (yield* ServerStore).find(serving?.serverUuid ?? placement.serverUuid)
  return server ?? (yield* new EngineUnreachable({ because: "the server was deleted" }))
})

const runningOn = Effect.fnUntraced(function* (server: Server, proof: TerminalProof) {
  const engine = yield* openEngine(server)
  const containers = yield* engine.list({ application: subjectOf(proof).owner })
  return { engine, running: containers.filter(({ state }) => state === "running") }
})

/** Returns whether terminals are enabled on the server of a resource, and the containers that run. */
export const read = Effect.fnUntraced(function* (proof: TerminalProof) {
  const server = yield* serverOf(proof)
  if (!server.isTerminalEnabled) return { isEnabled: false, running: [] }
  const { running } = yield* inTime(server)(Effect.scoped(runningOn(server, proof)))
  return { isEnabled: true, running }
})

/** Reads the resource of a proof again: it may move, or its environment may become protected. */
const presentOf = Effect.fnUntraced(function* ({ resource }: TerminalProof) {
  if ("database" in resource) {
    const database = yield* (yield* DatabaseStore).find(resource.database.uuid)
    return database && { ...resource, database }
  }
  const application = yield* (yield* ApplicationStore).find(resource.application.uuid)
  if (application === undefined) return undefined
  const { placement } = application
  return "service" in resource
    ? { ...resource, application, service: { ...resource.service, placement } }
    : { ...resource, application }
})

const audited = (proof: TerminalProof, detail: string) => {
  const { placement, uuid } = subjectOf(proof)
  return record(proof.resource.caller, "done", {
    teamId: placement.teamId,
    action: proof.action,
    object: uuid,
    detail
  })
}

const environment = [["TERM", Redacted.make("xterm-256color")]] as const

const checkEvery = "5 seconds"

/** Waits until an administrator disables terminals on a server, or removes it. */
const waitForSwitch = Effect.fnUntraced(function* (uuid: ServerUuid) {
  const servers = yield* ServerStore
  while ((yield* servers.find(uuid))?.isTerminalEnabled === true) yield* Effect.sleep(checkEvery)
})

/** Sends the output to the browser, and waits while too many bytes are not confirmed (backpressure). */
const sendOutput = Effect.fnUntraced(function* <E, R>(
  { output }: Terminal,
  { send }: TerminalClient<E, R>,
  window: OutputWindow
) {
  yield* Stream.runForEach(output, (bytes) =>
    Effect.andThen(window.wait, Effect.andThen(send(bytes), window.add(bytes.length)))
  )
})

interface OutputWindow {
  readonly wait: Effect.Effect<void>
  readonly add: (bytes: number) => Effect.Effect<void>
}

const makeWindow = Effect.map(Latch.make(true), (latch): OutputWindow => {
  let unconfirmed = 0
  return {
    wait: latch.await,
    add: (bytes) =>
      Effect.suspend(() => {
        unconfirmed = Math.max(0, unconfirmed + bytes)
        return Effect.asVoid(unconfirmed < terminalLimits.unconfirmed ? latch.open : latch.close)
      })
  }
})

/**
 * Returns a queue for typed keys. The messages of the browser must not wait for a program that does not read its input,
 * because they also confirm the output for which such a program may wait.
 */
const makeKeys = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<Uint8Array>()
  const overflow = yield* Deferred.make<void>()
  let waiting = 0
  return {
    overflow: Deferred.await(overflow),
    add: (bytes: Uint8Array) =>
      Effect.suspend(() => {
        waiting += bytes.length
        return waiting > terminalLimits.unread ? Deferred.succeed(overflow, undefined) : Queue.offer(queue, bytes)
      }),
    writeTo: ({ write }: Terminal) =>
      Effect.forever(
        Effect.flatMap(Queue.take(queue), (bytes) =>
          Effect.map(write(bytes), () => {
            waiting -= bytes.length
          })
        )
      )
  }
})

/** Connects a terminal with a browser until one of them ends, the user is idle, or access ends. */
const connect = Effect.fnUntraced(function* <E, R>(
  proof: TerminalProof,
  server: Server,
  terminal: Terminal,
  client: TerminalClient<E, R>
) {
  const window = yield* makeWindow
  const keys = yield* makeKeys
  // Only the newest size counts, so that a browser cannot queue sizes faster than the engine sets them.
  const sizes = yield* Queue.sliding<TerminalSize>(1)
  let lastInput = yield* Clock.currentTimeMillis
  const receive = Stream.runForEach(client.input, (input) => {
    switch (input._tag) {
      case "Keys":
        return Effect.andThen(
          Effect.map(Clock.currentTimeMillis, (time) => {
            lastInput = time
          }),
          keys.add(input.bytes)
        )
      case "Resize":
        return Queue.offer(sizes, input.size)
      case "Shown":
        return window.add(-input.bytes)
    }
  })
  const idle = Effect.gen(function* () {
    const longest = terminalLimits.idleMinutes * 60_000
    for (;;) {
      const left = lastInput + longest - (yield* Clock.currentTimeMillis)
      if (left <= 0) return
      yield* Effect.sleep(left)
    }
  })
  const ends = <A, F, S>(end: TerminalEnd, effect: Effect.Effect<A, F, S>) => Effect.as(effect, end)
  return yield* Effect.raceAllFirst([
    ends("exited", sendOutput(terminal, client, window)).pipe(
      Effect.catch(() => Effect.succeed<TerminalEnd>("failed"))
    ),
    ends("disconnected", Effect.ignore(receive)),
    // The end of the output follows.
    Effect.andThen(Effect.ignore(keys.writeTo(terminal)), Effect.never),
    Effect.forever(Effect.flatMap(Queue.take(sizes), (wanted) => Effect.ignore(terminal.resize(wanted)))),
    ends("overflow", keys.overflow),
    ends("idle", idle),
    ends("expired", Effect.sleep(terminalLimits.longestHours * 3_600_000)),
    ends("revoked", waitForRevocation(proof, presentOf(proof))),
    ends("disabled", waitForSwitch(server.uuid))
  ])
})

/**
 * Opens a shell in a running container of a resource and connects it with a browser. Returns why it ended.
 *
 * The audit log records who opened which container, and for how long, but not the content.
 */
export const run = <E, R>(
  proof: TerminalProof,
  { container, size }: TerminalRequest,
  client: TerminalClient<E, R>,
  /** Completes when the process shuts down. */
  shutdown: Effect.Effect<void>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* serverOf(proof)
      if (!server.isTerminalEnabled) return yield* new TerminalsDisabled({ server: server.name })
      const { engine, running } = yield* runningOn(server, proof)
      const chosen = container === null ? running[0] : running.find(({ name }) => name === container)
      if (chosen === undefined) return yield* new NoRunningContainer({ container })
      const ref = { application: chosen.owner.application, name: chosen.name }
      let end: TerminalEnd = "disconnected"
      const started = millisecondsOf(yield* now)
      const terminal = yield* engine.terminal(ref, { ...terminalShell, environment }, size)
      yield* Effect.acquireRelease(audited(proof, `opened a terminal in ${chosen.name}`), () =>
        Effect.gen(function* () {
          const seconds = Math.round((millisecondsOf(yield* now) - started) / 1_000)
          yield* audited(proof, `closed the terminal in ${chosen.name} after ${seconds} s (${end})`)
        })
      )
      end = yield* Effect.raceFirst(connect(proof, server, terminal, client), Effect.as(shutdown, "shutdown" as const))
      return end
    })
  )
