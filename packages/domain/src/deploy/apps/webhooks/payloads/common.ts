import { DateTime, Option, Schema } from "effect"
import type { PushEvent, Pusher, WebhookEvent } from "../WebhookEvent.ts"

/** Returns the schema of a field that is optional or null. */
export const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Paths = maybe(Schema.Array(Schema.String))

/** The schema of a commit in a push payload, with the paths of its added, removed and modified files. */
export const Commit = Schema.Struct({
  id: Schema.String,
  message: maybe(Schema.String),
  author: maybe(Schema.Struct({ name: maybe(Schema.String) })),
  added: Paths,
  removed: Paths,
  modified: Paths
})
export type Commit = typeof Commit.Type

/** The fields of a push payload that all providers have, from which {@link pushOf} builds the event. */
export interface Pushed {
  readonly ref: string
  readonly before: string
  readonly after: string
  readonly commits: ReadonlyArray<Commit>
  /** Whether the listed commits cover all changes of the branch. */
  readonly isWhole: boolean
  /** The user who pushed; undefined if the payload of the provider does not identify one. */
  readonly pusher?: Pusher | undefined
}

// Any user with push access determines the number of paths to match (invariant I25).
const mostPaths = 10_000

const changedBy = (commits: ReadonlyArray<Commit>): ReadonlyArray<string> | null => {
  const paths = new Set<string>()
  for (const { added, modified, removed } of commits) {
    if (!added || !modified || !removed) return null
    for (const path of [...added, ...modified, ...removed]) paths.add(path)
  }
  return paths.size > mostPaths ? null : [...paths]
}

const isNothing = (commit: string): boolean => /^0+$/.test(commit)

/**
 * Returns the event of a pushed git reference: a push for a branch, a tag event for a tag, and otherwise an unreadable
 * event.
 */
export const pushOf = ({ after, before, commits, isWhole, pusher, ref }: Pushed): WebhookEvent => {
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  if (name === undefined) return { _tag: "Unreadable" }
  if (kind === "tags") return { _tag: "Tag", name }
  const newest = commits.find(({ id }) => id === after)
  return {
    _tag: "Push",
    branch: name,
    commit: after,
    before,
    changed: isWhole && newest !== undefined && !isNothing(before) ? changedBy(commits) : null,
    deleted: isNothing(after),
    author: newest?.author?.name ?? null,
    message: newest?.message ?? null,
    pusher: pusher ?? null
  } satisfies PushEvent
}

const over = ["closed", "merged", "declined", "superseded"]

/** Parses the state and the last change time of a pull request, as GitHub, GitLab, Gitea and Bitbucket send them. */
export const stateOf = (state: string | null | undefined, changedAt: string | null | undefined) => {
  // Some versions of GitLab use this format.
  const written = (changedAt ?? "").replace(/ UTC$/, "Z")
  const at = Option.map(DateTime.make(written), DateTime.formatIso)
  return {
    open: !over.includes((state ?? "").toLowerCase()),
    // Timestamps with four-digit years sort as text.
    at: Option.getOrNull(Option.filter(at, (text) => /^\d{4}-/.test(text)))
  }
}

/** Returns a payload parser that returns an `Unreadable` event for a payload that does not match the schema. */
export const payloadReader = <A>(
  schema: Schema.ConstraintDecoder<A>,
  read: (payload: A) => WebhookEvent
): ((payload: unknown) => WebhookEvent) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (payload) => Option.match(decode(payload), { onNone: () => ({ _tag: "Unreadable" }), onSome: read })
}
