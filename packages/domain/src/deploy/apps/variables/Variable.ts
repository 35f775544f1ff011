import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

/** The uuid of a variable. */
export const VariableUuid = Uuid.pipe(Schema.brand("VariableUuid"))
export type VariableUuid = typeof VariableUuid.Type

/** The schema of the name of a variable. */
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
  /** Encrypted for the uuid and the field `value`. */
  readonly value: Sealed
  /** The value with its shared variables replaced, encrypted in the same way; omitted if it has none. */
  readonly resolved?: Sealed
  /** Whether `$` is literal in the value; true in releases without this field. */
  readonly isLiteral?: boolean
  /** Whether builds receive it; true in releases without this field. */
  readonly isBuildtime?: boolean
  /** Whether containers receive it; true in releases without this field. */
  readonly isRuntime?: boolean
}

/** The flags of a variable. */
export interface VariableFlags {
  readonly isLiteral: boolean
  readonly isMultiline: boolean
  readonly isShownOnce: boolean
  readonly isPreview: boolean
  /** Whether builds receive it. Values of other variables can refer to it in any case. */
  readonly isBuildtime: boolean
  /** Whether containers receive it. Values of other variables can refer to it in any case. */
  readonly isRuntime: boolean
  readonly comment: string | null
}

/** An environment variable of an application or a database. */
export interface Variable
  extends Omit<SealedVariable, "resolved" | "isLiteral" | "isBuildtime" | "isRuntime">,
    VariableFlags {
  readonly id: number
  /** The application, or the owner id of a database. */
  readonly applicationUuid: ApplicationUuid
  readonly createdAt: string
  readonly updatedAt: string
}

/** Reports that a variable exceeds the maximum length with the values of its references. */
export class VariableTooLong extends Schema.TaggedError<VariableTooLong>()("VariableTooLong", {
  because: Schema.String
}) {}

/** Reports that the variable does not exist. */
export class VariableNotFound extends Schema.TaggedError<VariableNotFound>()("VariableNotFound", {}) {}
