import { Command } from "effect/cli"
import { access } from "./access/commands.ts"

/** The command line with the commands for access rules only, which loads no service. */
export const slipway = Command.make("slipway").pipe(
  Command.withDescription("Test, explain and show access rules"),
  Command.withSubcommands([access])
)
