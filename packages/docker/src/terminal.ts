import { randomUUID } from "node:crypto"
import type { Duplex } from "node:stream"
import {
  type Command,
  type ContainerRef,
  type Engine,
  EngineUnreachable,
  type Terminal,
  type TerminalSize
} from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Schedule, Stream } from "effect"
import { type Api, refusal } from "./client.ts"
import { createExec } from "./programs.ts"

/** The variable that marks a terminal's command and all programs that it starts. */
const mark = "SLIPWAY_TERMINAL"
/** The variable that marks the watchdog of a terminal. */
const watchdogMark = "SLIPWAY_TERMINAL_WATCHDOG"

/**
 * Kills the programs in a container that have one of two variables, by the environment that they were started with.
 * Engines do not kill a command when its connection closes. The second pass finds programs that started during the first.
 */
const killing = `for pass in 1 2; do
for each in /proc/[0-9]*; do
case "$(cat "$each/environ" 2>/dev/null)" in *"$1"*|*"$2"*) kill -9 "\${each#/proc/}" 2>/dev/null;; esac
done
done`

const killer = (...marks: readonly [string, string]): Command => ({
  argv: ["sh", "-c", `exec 2>/dev/null; ${killing}`, "sh", ...marks]
})

/** Returns the command that kills the programs of a terminal after its own input has ended. */
const watchdog = (id: string, own: string): Command => ({
  argv: ["sh", "-c", `exec 2>/dev/null >/dev/null; cat; ${killing}`, "sh", own, own],
  environment: [[watchdogMark, Redacted.make(id)]]
})

const writeTo = (socket: Duplex, bytes: Uint8Array) =>
  Effect.callback<void, EngineUnreachable>((resume) => {
    socket.write(bytes, (error) =>
      resume(error == null ? Effect.void : Effect.fail(new EngineUnreachable({ because: error.message })))
    )
  })

/** Sets the size of a terminal; returns whether the command still runs. */
const resize = (api: Api, id: string, { columns, rows }: TerminalSize) =>
  Effect.map(
    api.ask({ method: "POST", path: `/exec/${id}/resize`, query: { w: String(columns), h: String(rows) } }),
    ({ status }) => status < 400
  )

/** The retries of the first resize: Podman reports a command as started before it has a terminal. */
const untilStarted = { schedule: Schedule.spaced("50 millis"), times: 40 } as const

const killWithin = "10 seconds"

/** Runs a command with a terminal in a running container, and kills it when the scope closes. */
const open = Effect.fnUntraced(function* (api: Api, ref: ContainerRef, command: Command, size: TerminalSize) {
  const id = randomUUID()
  const own = `${mark}=${id}`
  const start = Effect.fnUntraced(function* (each: Command, tty: boolean) {
    const exec = yield* createExec(api, ref, each, { AttachStdin: true, Tty: tty })
    // Docker sets the size at the start, Podman only after it.
    const json = { Detach: false, Tty: tty, ...(tty ? { ConsoleSize: [size.rows, size.columns] } : {}) }
    return { exec, socket: yield* api.hijack({ path: `/exec/${exec}/start`, json }) }
  })
  const kill = createExec(api, ref, killer(own, `${watchdogMark}=${id}`)).pipe(
    Effect.flatMap((exec) =>
      Stream.runDrain(
        api.follow({ method: "POST", path: `/exec/${exec}/start`, json: { Detach: false, Tty: false } }, refusal)
      )
    ),
    Effect.timeout(killWithin),
    // The container is gone or the engine does not respond: the watchdog ends with its connection.
    Effect.ignore
  )
  yield* Effect.addFinalizer(() => kill)
  // If the platform crashes, the kernel closes this connection, and the watchdog kills the command.
  const guard = yield* start(watchdog(id, own), false)
  guard.socket.resume()
  const { exec, socket } = yield* start(
    { ...command, environment: [...(command.environment ?? []), [mark, Redacted.make(id)]] },
    true
  )
  yield* Effect.repeat(resize(api, exec, size), { until: (isSet) => isSet, ...untilStarted })
  return {
    output: Stream.fromAsyncIterable<Uint8Array, EngineUnreachable>(
      socket,
      (error) => new EngineUnreachable({ because: error instanceof Error ? error.message : String(error) })
    ),
    write: (bytes) => writeTo(socket, bytes),
    resize: (wanted) => Effect.asVoid(resize(api, exec, wanted))
  } satisfies Terminal
})

/** Returns the engine operation that runs interactive programs. */
export const terminalOf = (api: Api): Pick<Engine, "terminal"> => ({
  terminal: (ref, command, size) => open(api, ref, command, size)
})
