import { Effect, Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import type { Repository } from "../../code/repositories/Repository.ts"
import { type Holder, holderFields, inOwner, inRepository, type Place } from "./Reach.ts"

/** Reports that a field of a secret or variable in a request is invalid, with the reason. */
export class ActionSettingInvalid extends Schema.TaggedError<ActionSettingInvalid>()("ActionSettingInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}

const form = /^[A-Z_][A-Z0-9_]{0,254}$/
const reserved = /^(?:GITHUB|GITEA|FORGEJO|SLIPWAY)_/

/** The maximum length of the description of a secret or a variable, in characters. */
export const longestDescription = 1_000

/** Returns the stored name of a secret or a variable: the name in upper case, which jobs also use. */
export const storedName = (name: string): string => name.toUpperCase()

/**
 * Returns the reason why the name of a secret or a variable is invalid; undefined if it is valid.
 *
 * @example
 * nameProblem("TOKEN_2") // => undefined
 * nameProblem("2ND") // => "may only contain letters, digits and `_`, and must not begin with a digit"
 * nameProblem("GITHUB_SHA") // => "must not begin with GITHUB_, GITEA_, FORGEJO_ or SLIPWAY_"
 */
export const nameProblem = (name: string): string | undefined => {
  if (!form.test(name)) return "may only contain letters, digits and `_`, and must not begin with a digit"
  return reserved.test(name) ? "must not begin with GITHUB_, GITEA_, FORGEJO_ or SLIPWAY_" : undefined
}

const encoder = new TextEncoder()

const valueProblem = (value: string, most: number): string | undefined => {
  if (value === "") return "must not be empty"
  if (!value.isWellFormed() || value.includes("\0")) return "must be text"
  return encoder.encode(value).length > most ? `must have at most ${most} bytes` : undefined
}

/** The name and the value of a secret or a variable in a request, each with its field name for error messages. */
export interface NamedInput {
  readonly name?: readonly [field: string, name: string] | undefined
  readonly value: readonly [field: string, value: string, most: number]
}

/** Validates the name and the value of a secret or a variable; fails with the invalid field. */
export const checkNamed = Effect.fnUntraced(function* ({ name, value: [field, value, most] }: NamedInput) {
  const wrongName = name === undefined ? undefined : nameProblem(name[1])
  if (name !== undefined && wrongName !== undefined) {
    return yield* new ActionSettingInvalid({ field: name[0], problem: wrongName })
  }
  const problem = valueProblem(value, most)
  if (problem !== undefined) return yield* new ActionSettingInvalid({ field, problem })
})

/** The owner of a secret or a variable; `holder` is the owner as one text, for the unique constraint on names. */
export interface OwnedByHolder extends Holder {
  readonly holder: string
}

/** The database fields for the owner of a secret or a variable. */
export const holderColumns = { ...holderFields, holder: Fields.text() }

/** Converts a place (repository, organization or user) to the owner fields of its secrets and variables. */
export const ownerOfPlace = ({ organizationId, reach, repositoryId, userId }: Place): OwnedByHolder => ({
  repositoryId,
  organizationId,
  userId,
  holder: `${reach} ${repositoryId ?? organizationId ?? userId ?? ""}`
})

/** Returns the owner id by which secrets and variables are listed; throws for the site, which has none. */
export const scopeOf = ({ organizationId, reach, repositoryId, userId }: Place) => {
  if (repositoryId !== null) return { repositoryId }
  if (organizationId !== null) return { organizationId }
  if (userId !== null) return { userId }
  throw new Error(`resources of the ${reach} scope have no owner`)
}

/**
 * Returns the secrets or variables that the jobs of a repository receive: those of the owner and those of the
 * repository. If both have the same name, the one of the repository is used.
 */
export const valuesForJobs = Effect.fnUntraced(function* <Row extends { readonly name: string }, R>(
  { id, owner }: Pick<Repository, "id" | "owner">,
  listIn: (place: Place) => Effect.Effect<{ readonly rows: ReadonlyArray<Row> }, never, R>
) {
  const { rows: general } = yield* listIn(inOwner(owner))
  const { rows: own } = yield* listIn(inRepository(id))
  return [...new Map([...general, ...own].map((row) => [row.name, row])).values()]
})
