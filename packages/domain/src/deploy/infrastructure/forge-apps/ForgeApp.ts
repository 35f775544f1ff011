import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { PrivateKeyUuid } from "../keys/PrivateKey.ts"

/** The uuid of an app installation. */
export const ForgeAppUuid = Uuid.pipe(Schema.brand("ForgeAppUuid"))
export type ForgeAppUuid = typeof ForgeAppUuid.Type

/** An installation of a git-hosting app, which gives access to private repositories. */
export interface ForgeApp extends Entity {
  readonly uuid: ForgeAppUuid
  readonly name: string
  readonly organization: string | null
  readonly apiUrl: string
  readonly htmlUrl: string
  readonly customUser: string
  readonly customPort: number
  readonly appId: number
  readonly installationId: number
  readonly clientId: string
  readonly clientSecret: Sealed
  readonly webhookSecret: Sealed | null
  readonly privateKeyUuid: PrivateKeyUuid
}

/** Reports that the git-hosting app installation does not exist. */
export class ForgeAppNotFound extends Schema.TaggedError<ForgeAppNotFound>()("ForgeAppNotFound", {}) {}
