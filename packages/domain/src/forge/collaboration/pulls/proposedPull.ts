import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { isBranchName } from "../../../branches.ts"

/** The namespace of pushes that open pull requests. */
const space = "refs/for/"

/** A base branch and a topic that a ref below `refs/for/` can name. */
export interface ProposedSides {
  readonly base: string
  /** The topic in the ref; undefined if the whole name is the base branch. */
  readonly topic: string | undefined
}

/**
 * Returns the readings of a ref below `refs/for/`, because branch names contain slashes: the first one with an
 * existing base branch applies.
 *
 * ```ts
 * import { proposedSides } from "./proposedPull.ts"
 *
 * proposedSides("refs/for/main") // => [{ base: "main", topic: undefined }]
 * proposedSides("refs/for/v1/fix") // => [{ base: "v1/fix", topic: undefined }, { base: "v1", topic: "fix" }]
 * proposedSides("refs/heads/main") // => []
 * ```
 */
export const proposedSides = (ref: string): ReadonlyArray<ProposedSides> => {
  if (!ref.startsWith(space)) return []
  const name = ref.slice(space.length)
  const cuts = [...name.matchAll(/\//g)].map(({ index }) => ({
    base: name.slice(0, index),
    topic: name.slice(index + 1)
  }))
  return [{ base: name, topic: undefined }, ...cuts].filter(
    ({ base, topic }) => isBranchName(base) && (topic === undefined || isBranchName(topic))
  )
}

/** The push options of a pull request. */
export interface ProposalOptions {
  readonly topic: string | undefined
  readonly title: string | undefined
  readonly description: string | undefined
  /** Whether the push may replace commits of the pull request. */
  readonly force: boolean
}

const encoded = "{base64}"

/** Decodes an option that contains newlines, which git forbids in push options; undefined if it is malformed. */
const decoded = (value: string): string | undefined =>
  value.startsWith(encoded) ? Result.getOrUndefined(Base64.decodeString(value.slice(encoded.length))) : value

/**
 * Returns the push options of a pull request; of an option given twice, the last one applies.
 *
 * ```ts
 * import { proposalOptions } from "./proposedPull.ts"
 *
 * proposalOptions(["topic=fix", "title=A fix", "force-push"]) // => { topic: "fix", title: "A fix", description: undefined, force: true }
 * proposalOptions(["description={base64}YQpi"]) // => { topic: undefined, title: undefined, description: "a\nb", force: false }
 * proposalOptions(["force-push=false", "ci.skip"]) // => { topic: undefined, title: undefined, description: undefined, force: false }
 * ```
 */
export const proposalOptions = (options: ReadonlyArray<string>): ProposalOptions => {
  const optionValues = new Map(
    options.map((option) => {
      const [name = "", value = ""] = option.split(/=(.*)/s)
      return [name, value] as const
    })
  )
  const textOf = (name: string) => {
    const value = decoded(optionValues.get(name) ?? "")
    return value === "" ? undefined : value
  }
  const force = optionValues.get("force-push")
  return {
    topic: optionValues.get("topic") || undefined,
    title: textOf("title"),
    description: textOf("description"),
    force: force !== undefined && force !== "false"
  }
}
