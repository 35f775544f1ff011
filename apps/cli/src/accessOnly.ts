import { Command } from "effect/cli"
import { access } from "./access/commands.ts"
import { mcp } from "./mcp.ts"

/** The command line without the commands that load a service. */
export const slipway = Command.make("slipway").pipe(
  Command.withDescription("Test, explain and show access rules; serve the services to assistants"),
  Command.withSubcommands([access, mcp])
)
