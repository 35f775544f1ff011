import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"

/** The uuid of a shared variable. */
export const SharedVariableUuid = Uuid.pipe(Schema.brand("SharedVariableUuid"))
export type SharedVariableUuid = typeof SharedVariableUuid.Type

/** Whose applications may name a shared variable; a value names one as `{{project.KEY}}`. */
export type SharedScope = "team" | "project" | "environment" | "server"

/** What a shared variable belongs to; the uuid of the one team is empty. */
export interface SharedOwner {
  readonly scope: SharedScope
  readonly owner: string
}

/** A variable that the values of applications may name. */
export interface SharedVariable extends Entity, SharedOwner {
  readonly uuid: SharedVariableUuid
  readonly key: string
  /** Sealed for the uuid and the field `value`. */
  readonly value: Sealed
  readonly isLiteral: boolean
  readonly isMultiline: boolean
  readonly isShownOnce: boolean
  readonly comment: string | null
}

/** How many shared variables one owner may have. */
export const mostShared = 1_000

/** Reports that there is no such shared variable. */
export class SharedVariableNotFound extends Schema.TaggedError<SharedVariableNotFound>()(
  "SharedVariableNotFound",
  {}
) {}
