import {
  type Command,
  ContainerNotRunning,
  type ContainerRef,
  type Terminal,
  type TerminalSize
} from "@slipway/domain/deploy/containers"
import { type Cause, Deferred, Effect, Queue, Stream } from "effect"
import { found, isUp } from "./containers.ts"
import type { SimulatedContainer, SimulatedServer } from "./state.ts"

const prompt = "$ "

/** Returns the output of a line that was typed into the simulated shell; undefined for `exit`. */
const outputOf = ({ image, spec }: SimulatedContainer, line: string, size: TerminalSize): string | undefined => {
  if (line === "exit") return undefined
  if (line === "") return ""
  if (line.startsWith("echo ")) return `${line.slice("echo ".length)}\r\n`
  if (line === "stty size") return `${size.rows} ${size.columns}\r\n`
  const ran = image.behaviour.command?.({ argv: ["sh", "-c", line] }, spec)
  if (ran === undefined) return `sh: ${line.split(" ")[0]}: not found\r\n`
  return ran.output.map(({ text }) => `${text}\r\n`).join("")
}

/**
 * Simulates a shell in a terminal: it echoes typed characters, and knows `echo`, `stty size`, `exit` and the commands of
 * the image.
 */
export const openTerminal = Effect.fnUntraced(function* (
  server: SimulatedServer,
  ref: ContainerRef,
  _: Command,
  first: TerminalSize
) {
  const container = yield* found(server, ref)
  if (container.details.state !== "running") return yield* new ContainerNotRunning({ name: ref.name })
  const output = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  let size = first
  let line = ""
  const print = (text: string) => Queue.offerUnsafe(output, encoder.encode(text))
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      server.terminals += 1
      print(prompt)
    }),
    () =>
      Effect.sync(() => {
        server.terminals -= 1
      })
  )
  yield* Effect.forkScoped(
    Effect.gen(function* () {
      while (isUp(container)) yield* Deferred.await(container.changed)
      yield* Queue.end(output)
    })
  )
  const typed = (text: string) => {
    line += text
    print(text)
  }
  const enter = () => {
    print("\r\n")
    const shown = outputOf(container, line, size)
    line = ""
    if (shown === undefined) Queue.endUnsafe(output)
    else print(`${shown}${prompt}`)
  }
  return {
    output: Stream.fromQueue(output),
    write: (bytes) =>
      Effect.sync(() => {
        const [start = "", ...others] = decoder.decode(bytes, { stream: true }).split("\r")
        typed(start)
        for (const each of others) {
          enter()
          typed(each)
        }
      }),
    resize: (wanted) =>
      Effect.sync(() => {
        size = wanted
      })
  } satisfies Terminal
})
