import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { RefName } from "../../code/git/refNames.ts"
import { refParts } from "../../code/git/refNames.ts"
import { nameMatcher } from "../../code/patterns/patterns.ts"
import type { EnvironmentId } from "./Deployment.ts"

/** The schema of the id of a branch or tag pattern of an environment. */
export const EnvironmentPatternId = Schema.Int.pipe(Schema.brand("EnvironmentPatternId"))
export type EnvironmentPatternId = typeof EnvironmentPatternId.Type

/** The types of refs that a pattern matches, as in GitHub's API. */
export const patternTypes = ["branch", "tag"] as const
export type PatternType = (typeof patternTypes)[number]

/** A pattern of branches or tags that may deploy to an environment with the branch policy `selected`. */
export interface EnvironmentPattern {
  readonly id: EnvironmentPatternId
  readonly environmentId: EnvironmentId
  /** The name of a branch or tag, or a glob such as `release/*`; `*` does not match `/`, but `**` does. */
  readonly name: string
  readonly type: PatternType
}

/** The table of branch and tag patterns of environments. */
export const environmentPatterns = owned<EnvironmentPattern>()("environmentPattern", {
  within: ["environmentId"],
  fields: {
    environmentId: Fields.reference("environment"),
    name: Fields.text(),
    type: Fields.oneOf(...patternTypes)
  },
  orders: { oldest: ascending() },
  unique: { name: ["environmentId", "type", "name"] }
})

/**
 * Returns whether a pattern in the list matches a ref. A commit without a ref (undefined) matches no pattern.
 *
 * @example
 * matchesRef([{ type: "branch", name: "release/*" }], "refs/heads/release/1") // => true
 * matchesRef([{ type: "branch", name: "release/*" }], "refs/tags/release/1") // => false
 * matchesRef([{ type: "tag", name: "v*" }], "refs/tags/v1") // => true
 * matchesRef([{ type: "branch", name: "**" }], undefined) // => false
 */
export const matchesRef = (
  patterns: ReadonlyArray<Pick<EnvironmentPattern, "name" | "type">>,
  ref: RefName | undefined
): boolean => {
  if (ref === undefined) return false
  const { kind, name } = refParts(ref)
  return patterns.some((pattern) => pattern.type === kind && nameMatcher(pattern.name)(name))
}

/** Reports that the environment has no pattern with this id. */
export class EnvironmentPatternNotFound extends Schema.TaggedError<EnvironmentPatternNotFound>()(
  "EnvironmentPatternNotFound",
  { id: Schema.Number }
) {}
