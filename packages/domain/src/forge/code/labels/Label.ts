import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"

/** The schema of the id of a label. */
export const LabelId = Schema.Int.pipe(Schema.brand("LabelId"))
export type LabelId = typeof LabelId.Type

/** The settings of a label. */
export interface LabelSettings {
  readonly name: string
  /** The color as six lower-case hexadecimal digits, without `#`. */
  readonly color: string
  readonly description: string
  /** Whether an issue can have only one label with the same prefix up to the last `/`, such as `priority/`. */
  readonly exclusive: boolean
  readonly archived: boolean
}

/** A label for the issues of one repository, or of all repositories of an organization; only one of both ids is set. */
export interface Label extends LabelSettings {
  readonly id: LabelId
  readonly organizationId: OrganizationId | null
  readonly repositoryId: RepositoryId | null
}

/** The table of labels of organizations and repositories, sorted by name. */
export const labels = owned<Label>()("label", {
  within: ["organizationId", "repositoryId"],
  fields: {
    organizationId: Fields.nullable(Fields.reference("organization")),
    repositoryId: Fields.nullable(Fields.reference("repository")),
    name: Fields.text({ ignoringCase: true }),
    color: Fields.text(),
    description: Fields.text(),
    exclusive: Fields.boolean(),
    archived: Fields.boolean()
  },
  orders: { name: ascending("name") }
})

/**
 * Normalizes a color of three or six hexadecimal digits, with or without `#`, to six lower-case digits; undefined if it
 * is invalid.
 *
 * @example
 * colorOf("#0AF") // => "00aaff"
 * colorOf("red") // => undefined
 */
export const colorOf = (text: string): string | undefined => {
  const digits = text.toLowerCase().replace(/^#/, "")
  const six = digits.length === 3 ? digits.replace(/./gsu, "$&$&") : digits
  return /^[0-9a-f]{6}$/.test(six) ? six : undefined
}

/** The schema of a color in a request; see `colorOf` for its format. */
export const Color = Schema.String.check(
  Schema.makeFilter((text: string) => (colorOf(text) === undefined ? "must be a color such as #00aabb" : undefined))
)

/** Reports that the organization or repository has no such label. */
export class LabelNotFound extends Schema.TaggedError<LabelNotFound>()("LabelNotFound", { id: Schema.Number }) {}
