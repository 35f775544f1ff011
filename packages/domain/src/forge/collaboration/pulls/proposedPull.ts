import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { isBranchName } from "../../../branches.ts"

/** The ref namespace that opens pull requests: a push to `refs/for/main` proposes a change of `main`. */
const space = "refs/for/"

/** One interpretation of a ref below `refs/for/`: a base branch and an optional topic. */
export interface ProposedSides {
  readonly base: string
  /**
   * The topic, the part of the ref after the base branch; undefined if the whole rest of the ref is the base branch.
   */
  readonly topic: string | undefined
}

/**
 * Returns all ways to split a ref below `refs/for/` into a base branch and a topic, because branch names can contain
 * slashes. Callers use the first split with an existing base branch.
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

/** The options of a pull request, given as push options (`git push -o`). */
export interface ProposalOptions {
  readonly topic: string | undefined
  readonly title: string | undefined
  readonly description: string | undefined
  /** Whether the push may replace existing commits of the pull request (a force-push). */
  readonly force: boolean
}

const encoded = "{base64}"

/**
 * Decodes the value of a push option. A value with newlines is sent as base64, because git forbids newlines in push
 * options. Returns undefined if the base64 is malformed.
 */
const decoded = (value: string): string | undefined =>
  value.startsWith(encoded) ? Result.getOrUndefined(Base64.decodeString(value.slice(encoded.length))) : value

/**
 * Parses the push options of a pull request. If an option is given several times, the last value applies.
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
