import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { Sealed } from "../../../Vault.ts"
import { holders } from "../runners/Reach.ts"
import { holderColumns, type OwnedByHolder } from "../runners/secretsAndVariables.ts"

/** A secret that workflow jobs receive; no API response contains its value. */
export interface ActionSecret extends OwnedByHolder {
  readonly id: number
  /** The uuid to which the encryption of the value is bound, so that rows cannot be exchanged. */
  readonly uuid: string
  /** The name in upper case, unique within the repository or owner. */
  readonly name: string
  readonly value: Sealed
  readonly description: string
  readonly createdAt: string
}

/** The table of workflow secrets of repositories, organizations and users. */
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

/** The maximum number of workflow secrets of one repository, organization or user. */
export const mostActionSecrets = 100
/** The maximum length of a secret, in bytes. */
export const longestActionSecret = 65_536

/** Reports that the repository, organization or user has no secret with this name. */
export class ActionSecretNotFound extends Schema.TaggedError<ActionSecretNotFound>()("ActionSecretNotFound", {
  name: Schema.String
}) {}
