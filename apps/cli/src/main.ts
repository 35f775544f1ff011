#!/usr/bin/env -S node --conditions=@slipway/source
import { readFileSync } from "node:fs"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { user } from "./forge/users.ts"

const admin = Command.make("admin").pipe(
  Command.withDescription("Administration, on the configured database"),
  Command.withSubcommands([user])
)

const forge = Command.make("forge").pipe(
  Command.withDescription("The code hosting service"),
  Command.withSubcommands([admin])
)

const slipway = Command.make("slipway").pipe(
  Command.withDescription("Slipway at the command line"),
  Command.withSubcommands([forge])
)

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))
const { version } = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

slipway.pipe(Command.run({ version }), Effect.provide(NodeServices.layer), NodeRuntime.runMain)
