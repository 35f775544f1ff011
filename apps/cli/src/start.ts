import { readFileSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import type { slipway } from "./slipway.ts"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** Runs a command line with the arguments of this process. */
export const start = (command: typeof slipway): void => {
  const { version } = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  command.pipe(Command.run({ version }), Effect.provide(NodeServices.layer), NodeRuntime.runMain)
}
