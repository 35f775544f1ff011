import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The uuid of a team's credentials for a container registry. */
export const RegistryUuid = Uuid.pipe(Schema.brand("RegistryUuid"))
export type RegistryUuid = typeof RegistryUuid.Type

/** The credentials of a team for a container registry, to pull and push images. */
export interface Registry extends Entity {
  readonly uuid: RegistryUuid
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
  /** The host, such as `registry.example:5000`, or a namespace in it, such as `registry.example/team`. */
  readonly registry: string
  readonly username: string
  readonly password: Sealed
}

/** Reports that the credentials for a container registry do not exist. */
export class RegistryNotFound extends Schema.TaggedError<RegistryNotFound>()("RegistryNotFound", {}) {}
