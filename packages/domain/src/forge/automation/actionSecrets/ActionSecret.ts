import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { Sealed } from "../../../Vault.ts"
import { holders } from "../runners/Reach.ts"
import { holderColumns, type OwnedByHolder } from "../runners/secretsAndVariables.ts"

/** A secret that jobs receive and no API response contains. */
export interface ActionSecret extends OwnedByHolder {
  readonly id: number
  /** The uuid that its encryption is bound to. */
  readonly uuid: string
  /** Its name in upper case, unique in its place. */
  readonly name: string
  readonly value: Sealed
  readonly description: string
  readonly createdAt: string
}

/** The secrets of repositories and of owners. */
export const actionSecrets = owned<ActionSecret>()("actionSecret", {
  within: holders,
  fields: {
    ...holderColumns,
    uuid: Fields.text(),
    name: Fields.text(),
    value: Fields.text(),
    description: Fields.text(),
    createdAt: Fields.time()
  },
  orders: { name: ascending("name") },
  unique: { name: ["holder", "name"] }
})

/** The maximum number of secrets in one place. */
export const mostActionSecrets = 100
/** The maximum length of a secret, in bytes. */
export const longestActionSecret = 65_536

/** Reports that no secret with this name exists in the place. */
export class ActionSecretNotFound extends Schema.TaggedError<ActionSecretNotFound>()("ActionSecretNotFound", {
  name: Schema.String
}) {}
