#!/usr/bin/env -S node --conditions=@slipway/source
import { readFileSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { slipway } from "./slipway.ts"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))
const { version } = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

slipway.pipe(Command.run({ version }), Effect.provide(NodeServices.layer), NodeRuntime.runMain)
