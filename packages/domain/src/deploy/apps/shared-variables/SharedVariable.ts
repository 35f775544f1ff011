import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import { rootTeam, type TeamId } from "../../identity/teams/Team.ts"

/** The uuid of a shared variable. */
export const SharedVariableUuid = Uuid.pipe(Schema.brand("SharedVariableUuid"))
export type SharedVariableUuid = typeof SharedVariableUuid.Type

/** The types of resources that own shared variables. Values of other variables reference one as `{{project.KEY}}`. */
export type SharedScope = "team" | "project" | "environment" | "server"

/** The owner of a shared variable: its type and uuid. A team has its number instead, or empty for the root team. */
export interface SharedOwner {
  readonly scope: SharedScope
  readonly owner: string
}

/** Returns the owner of the shared variables of a team. */
export const teamOwner = (teamId: TeamId): SharedOwner => ({
  scope: "team",
  owner: teamId === rootTeam ? "" : String(teamId)
})

/** A variable that the variables of several applications can reference. */
export interface SharedVariable extends Entity, SharedOwner {
  readonly uuid: SharedVariableUuid
  readonly key: string
  /** The encrypted value; it can be decrypted only for this uuid and the field `value`. */
  readonly value: Sealed
  readonly isLiteral: boolean
  readonly isMultiline: boolean
  readonly isShownOnce: boolean
  readonly comment: string | null
}

/** The maximum number of shared variables of one owner. */
export const mostShared = 1_000

/** The error for a shared variable that does not exist. */
export class SharedVariableNotFound extends Schema.TaggedError<SharedVariableNotFound>()(
  "SharedVariableNotFound",
  {}
) {}
