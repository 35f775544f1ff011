import { Command } from "effect/cli"
import { access } from "./access/commands.ts"
import { backup } from "./backup/backup.ts"
import { restore } from "./backup/restore.ts"
import { badge, cron, hook, key, notice } from "./forge/administration.ts"
import { user } from "./forge/users.ts"

const admin = Command.make("admin").pipe(
  Command.withDescription("Administration, on the configured database"),
  Command.withSubcommands([user, key, badge, cron, hook, notice])
)

const forge = Command.make("forge").pipe(
  Command.withDescription("The code hosting service"),
  Command.withSubcommands([admin])
)

/** The command line, whole. */
export const slipway = Command.make("slipway").pipe(
  Command.withDescription("Slipway at the command line"),
  Command.withSubcommands([access, forge, backup, restore])
)
