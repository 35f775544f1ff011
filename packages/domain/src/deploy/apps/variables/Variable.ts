import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

/** The uuid of a variable. */
export const VariableUuid = Uuid.pipe(Schema.brand("VariableUuid"))
export type VariableUuid = typeof VariableUuid.Type

/** The schema of the name of an environment variable. */
export const VariableKey = Schema.String.check(
  Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_.-]{0,254}$/, {
    message:
      "Must begin with a letter or `_` and may only contain letters, digits, `_`, `.` and `-`, at most 255 characters."
  })
)

/** The maximum length of a variable's value, including the values of variables that it refers to, in characters. */
export const longestValue = 100_000

/** The maximum total length of an application's expanded variables, in characters. */
export const longestTogether = 10_000_000

/** The maximum number of variables of an application. */
export const mostVariables = 1_000

/** The maximum length of a variable's comment, in characters. */
export const longestComment = 256

/** A variable as stored in a release. */
export interface SealedVariable {
  readonly uuid: VariableUuid
  readonly key: string
  /** The encrypted value; the encryption is bound to `uuid` and the field name `value`. */
  readonly value: Sealed
  /** The encrypted value with references to shared variables replaced; omitted if the value has no such reference. */
  readonly resolved?: Sealed
  /** Whether `$` is a literal character in the value, not a reference; absent in old releases, which means true. */
  readonly isLiteral?: boolean
  /** Whether image builds receive the variable; absent in old releases, which means true. */
  readonly isBuildtime?: boolean
  /** Whether containers receive the variable; absent in old releases, which means true. */
  readonly isRuntime?: boolean
}

/** The flags of an environment variable, such as whether builds receive it, and its comment. */
export interface VariableFlags {
  readonly isLiteral: boolean
  readonly isMultiline: boolean
  readonly isShownOnce: boolean
  readonly isPreview: boolean
  /** Whether image builds receive the variable. If false, the values of other variables can still refer to it. */
  readonly isBuildtime: boolean
  /** Whether containers receive the variable. If false, the values of other variables can still refer to it. */
  readonly isRuntime: boolean
  readonly comment: string | null
}

/** An environment variable of an application or a database. */
export interface Variable
  extends Omit<SealedVariable, "resolved" | "isLiteral" | "isBuildtime" | "isRuntime">,
    VariableFlags {
  readonly id: number
  /** The application that owns the variable; for a database, its uuid as an owner id (`ownerOf`). */
  readonly applicationUuid: ApplicationUuid
  readonly createdAt: string
  readonly updatedAt: string
}

/** Reports that a variable exceeds the maximum length after its references are replaced by their values. */
export class VariableTooLong extends Schema.TaggedError<VariableTooLong>()("VariableTooLong", {
  because: Schema.String
}) {}

/** Reports that the variable does not exist. */
export class VariableNotFound extends Schema.TaggedError<VariableNotFound>()("VariableNotFound", {}) {}
