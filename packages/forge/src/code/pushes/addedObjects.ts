import type { GitId, PushedCommit, PushedObjects, RefChange } from "@slipway/domain/forge/code"
import { GitReader, type History, identTime, isObjectId, type ObjectId } from "@slipway/domain/forge/code"
import { Effect } from "effect"

/** The blob with the most bytes in a change; undefined if it is not known. */
export type LargestBlob = { readonly object: string; readonly size: number } | undefined

const heads = "refs/heads/"

/** The limits for reading a pushed change: refs, new commits, and bytes. */
const most = { refs: 1_000, commits: 1_000, bytes: 1024 * 1024 }

const idIn = (text: string | undefined): ObjectId | undefined =>
  text !== undefined && isObjectId(text) ? text : undefined

/**
 * Returns functions that read the objects that a ref change adds. No ref points to these objects yet, so users cannot
 * see them.
 */
export const addedObjects = (id: GitId, largest: LargestBlob) =>
  Effect.map(GitReader, (reader): PushedObjects => {
    const orDie = Effect.orDie
    const historyOf = Effect.fnUntraced(function* (
      { after, before }: RefChange,
      isKnown: (ref: string) => boolean = () => true
    ) {
      const to = idIn(after)
      const from = idIn(before)
      const { rows } =
        from === undefined ? yield* reader.refs(id, "refs/", { page: 1, perPage: most.refs }) : { rows: [] }
      // For a new ref, only its own commits count; everything else exists already.
      const known = rows.flatMap(({ id: tip, kind, name, peeled }) => {
        if (!isKnown(name)) return []
        const leads = peeled ?? { id: tip, kind }
        return leads.kind === "commit" ? [leads.id] : []
      })
      const history: History = { from: to === undefined ? [] : [to], not: from === undefined ? known : [from] }
      return history
    })
    const newCommits = (change: RefChange) =>
      Effect.flatMap(historyOf(change), (history) =>
        history.from.length === 0 ? Effect.succeed([]) : reader.log(id, history, { skip: 0, limit: most.commits })
      )
    return {
      forced: ({ after, before }) => {
        const [from, to] = [idIn(before), idIn(after)]
        if (from === undefined || to === undefined) return Effect.succeed(false)
        return orDie(Effect.map(reader.divergence(id, from, to), (lies) => lies?.mergeBase !== from))
      },
      files: (change) =>
        orDie(
          Effect.gen(function* () {
            const [from, to] = [idIn(change.before), idIn(change.after)]
            if (to === undefined) return []
            const changes =
              from === undefined
                ? [...(yield* reader.changesOf(id, yield* newCommits(change))).values()].flat()
                : yield* reader.changes(id, { from, to })
            return [
              ...new Set(
                changes.flatMap(({ after, before }) =>
                  [before, after].flatMap((side) => (side === undefined ? [] : [side.path]))
                )
              )
            ]
          })
        ),
      commits: (change, count) =>
        orDie(
          Effect.gen(function* () {
            const ids = yield* newCommits(change)
            const commits = yield* reader.commits(id, ids.slice(0, count))
            const pushedCommits = commits.flatMap((commit): ReadonlyArray<PushedCommit> => {
              if (commit === undefined) return []
              const { author, committer, message } = commit
              const subject = message.split("\n")[0]?.slice(0, 500) ?? ""
              return [{ id: commit.id, subject, author: author.name, email: author.email, at: identTime(committer) }]
            })
            return { commits: pushedCommits, count: ids.length }
          })
        ),
      unsigned: (change, { isRequiredOn, isValid }) =>
        orDie(
          Effect.gen(function* () {
            const history = yield* historyOf(
              change,
              (ref) => ref.startsWith(heads) && isRequiredOn(ref.slice(heads.length))
            )
            if (history.from.length === 0) return null
            const ids = yield* reader.log(id, history, { skip: 0, limit: most.commits + 1 })
            if (ids.length > most.commits) return undefined
            for (const object of yield* reader.objects(id, ids, most.bytes)) {
              if (!(yield* isValid(object?.content ?? new Uint8Array()))) return object?.id ?? ids[0] ?? ""
            }
            return null
          })
        ),
      largerThan: (most) => Effect.succeed(largest !== undefined && largest.size > most ? largest : undefined),
      // Its objects are written, so they count in the repository's size.
      size: Effect.succeed(0)
    }
  })
