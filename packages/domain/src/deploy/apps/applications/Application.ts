import type { Entity } from "../../../Collection.ts"
import type { Sealed } from "../../../Vault.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { AccountUuid } from "../../identity/accounts/Account.ts"
import type { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { PrivateKeyUuid } from "../../infrastructure/keys/PrivateKey.ts"
import type { Fields, PlainField, SecretField, Sent } from "../fields/table.ts"
import type { StoredVariant } from "../fields/variants.ts"
import type { Placement } from "../placement/Placement.ts"

/**
 * The unencrypted settings of an application, under the names of the specification. Container labels are stored in
 * escaped form.
 */
export type Configuration = { readonly [Name in PlainField]: Sent<Name> | Fields[Name]["unset"] }

/** The encrypted settings of an application. Omits unset ones, and a repository address without a password. */
export type Secrets = {
  readonly [Name in SecretField | "deploy_key" | "git_repository" | "webhook_rotation"]?: Sealed
}

/** An application: its source, its settings and its placement (environment, server and destination). */
export interface Application extends Entity {
  readonly uuid: ApplicationUuid
  readonly variant: StoredVariant
  readonly placement: Placement
  readonly forgeAppUuid: ForgeAppUuid | null
  readonly privateKeyUuid: PrivateKeyUuid | null
  readonly configuration: Configuration
  readonly secrets: Secrets
  /** The generated domain, which routes to the application only while `domains` is empty. */
  readonly generatedDomain: string | null
  /** Whether the manifest of its repository created the application. Only then can the manifest delete it. */
  readonly isDeclared: boolean
  /** The account that gives automatic deployments its permissions; null if a token without an account set them up. */
  readonly ownerUuid: AccountUuid | null
}
