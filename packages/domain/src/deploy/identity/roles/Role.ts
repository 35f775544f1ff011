import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Capability } from "../../access/capabilities.ts"
import type { TeamId } from "../teams/Team.ts"

/** The uuid of a custom role. */
export const RoleUuid = Uuid.pipe(Schema.brand("RoleUuid"))
export type RoleUuid = typeof RoleUuid.Type

/** A custom role of a team. Its name, ignoring case, is unique in the team and differs from the built-in roles. */
export interface Role extends Entity {
  readonly uuid: RoleUuid
  readonly teamId: TeamId
  readonly name: string
  readonly capabilities: ReadonlyArray<Capability>
}

/** Reports that the role does not exist. */
export class RoleNotFound extends Schema.TaggedError<RoleNotFound>()("RoleNotFound", {}) {}
