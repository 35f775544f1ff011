import { Effect, Schema } from "effect"
import { type Authorized, system } from "../access/authorize.ts"
import { instanceName } from "../domains/DomainStore.ts"
import * as InstanceSettings from "../settings/InstanceSettings.ts"

/** A team, as the siblings' clients look for it: whoever has a token of the instance. */
export interface Team {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly updatedAt: string
}

/** The number of the one team of an instance, which is the siblings' for the team that owns theirs. */
export const rootTeam = 0

/** Reports that there is no such team. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", {}) {}

/** Lists the teams of the instance: an instance is one team. */
export const list = Effect.fnUntraced(function* (_: Authorized<"team.read">) {
  const { updatedAt } = yield* InstanceSettings.get(system("settings.read"))
  const team: Team = {
    id: rootTeam,
    name: instanceName,
    description: "Whoever has a token of this instance.",
    updatedAt
  }
  return [team] as const
})

/** Reads a team by its number; without one, the team of the token in use. */
export const get = Effect.fnUntraced(function* (_: Authorized<"team.read">, id: number | undefined) {
  const [team] = yield* list(system("team.read"))
  return id === undefined || id === team.id ? team : yield* new TeamNotFound()
})
