import { instanceName } from "@slipway/domain/deploy/apps"
import { type Authorized, system } from "@slipway/domain/deploy/entry"
import type { Team } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import * as InstanceSettings from "../settings/InstanceSettings.ts"

/** The id of the only team of an instance; Coolify uses the same id for its root team. */
export const rootTeam = 0

/** Lists the teams of the instance: an instance is one team. */
export const list = Effect.fnUntraced(function* (_: Authorized<"teams.read">) {
  const { createdAt, updatedAt } = yield* InstanceSettings.get(system("settings.read"))
  const team: Team = {
    id: rootTeam,
    name: instanceName,
    description: "All users with a token of this instance.",
    createdAt,
    updatedAt
  }
  return [team] as const
})
