import { DateTime, Option, Schema } from "effect"
import type { PushEvent, WebhookEvent } from "../WebhookEvent.ts"

/** Returns the schema of a field that is optional or null. */
export const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Paths = maybe(Schema.Array(Schema.String))

/** A commit in a push, with its changed paths. */
export const Commit = Schema.Struct({
  id: Schema.String,
  message: maybe(Schema.String),
  author: maybe(Schema.Struct({ name: maybe(Schema.String) })),
  added: Paths,
  removed: Paths,
  modified: Paths
})
export type Commit = typeof Commit.Type

/** The provider-independent input of a push event. */
export interface Pushed {
  readonly ref: string
  readonly before: string
  readonly after: string
  readonly commits: ReadonlyArray<Commit>
  /** Whether the listed commits cover all changes of the branch. */
  readonly isWhole: boolean
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

/** Returns the push event of a reference. */
export const pushOf = ({ after, before, commits, isWhole, ref }: Pushed): WebhookEvent => {
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
    message: newest?.message ?? null
  } satisfies PushEvent
}

const over = ["closed", "merged", "declined", "superseded"]

/** Returns whether a pull request is open, and the time of its last state change, in the terms of its host. */
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

/** Returns a reader that returns undefined for a payload that does not match its schema. */
export const payloadReader = <A>(
  schema: Schema.ConstraintDecoder<A>,
  read: (payload: A) => WebhookEvent
): ((payload: unknown) => WebhookEvent) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (payload) => Option.match(decode(payload), { onNone: () => ({ _tag: "Unreadable" }), onSome: read })
}
