import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"
import { slipway } from "../../src/slipway.ts"

/** Runs the command line in this process. */
export const run = Command.runWith(slipway, { version: "0.0.0", renderErrors: false })

/** Runs a command, and returns its output, followed by its error. */
export const runForOutput = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const before = (yield* TestConsole.logLines).length
    const wrong = yield* run(args).pipe(
      Effect.as(undefined),
      Effect.catch((error) => Effect.succeed("userMessage" in error ? String(error.userMessage) : error.message))
    )
    const printed = (yield* TestConsole.logLines).slice(before).map(String)
    return [...printed, ...(wrong === undefined ? [] : [wrong])].join("\n")
  })

/** The services of the command line, with a captured console. */
export const fixture = Layer.mergeAll(NodeServices.layer, TestConsole.layer)
