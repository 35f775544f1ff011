import { Command } from "effect/cli"
import { access } from "./access/commands.ts"
import { backup } from "./backup/backup.ts"
import { restore } from "./backup/restore.ts"
import { config } from "./config.ts"
import { deploy, schema } from "./deployments/command.ts"
import { connect, rotate } from "./deployments/connect.ts"
import { badge, cron, key, notice } from "./forge/administration.ts"
import { audit, email } from "./forge/audit.ts"
import { hook } from "./forge/hooks.ts"
import { organization, repository, unadopted } from "./forge/owners.ts"
import { runner } from "./forge/runners.ts"
import { user } from "./forge/users.ts"
import { mcp } from "./mcp.ts"

const admin = Command.make("admin").pipe(
  Command.withDescription("Administer the configured database"),
  Command.withSubcommands([
    user,
    organization,
    repository,
    key,
    email,
    badge,
    cron,
    hook,
    runner,
    notice,
    audit,
    unadopted
  ])
)

const forge = Command.make("forge").pipe(
  Command.withDescription("Manage the code hosting service"),
  Command.withSubcommands([admin])
)

/** The complete command line. */
export const slipway = Command.make("slipway").pipe(
  Command.withDescription(
    "Test access rules, deploy repositories, administer the forge, check settings, back up and restore"
  ),
  Command.withSubcommands([access, connect, deploy, rotate, schema, forge, config, backup, restore, mcp])
)
