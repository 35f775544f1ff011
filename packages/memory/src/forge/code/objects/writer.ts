import {
  formatCommit,
  formatTag,
  type GitId,
  GitMissing,
  GitWriter,
  type ObjectId,
  type ObjectKind,
  PatchRefused,
  type RefName,
  RefsNotMoved,
  type RefUpdate
} from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"
import { ancestors, mergeBases } from "./history.ts"
import { mergeTrees, patchTree, writeEdits } from "./mergeTrees.ts"
import { type MemoryRepository, Repositories } from "./repository.ts"

const missing = Effect.fail(new GitMissing({ what: "object" }))

const isInTheWay = (one: string, other: string) => one.startsWith(`${other}/`) || other.startsWith(`${one}/`)

/**
 * Returns the refs that reject their update: the ref has another value than expected, its name conflicts with another
 * ref, or the object has the wrong type.
 */
const refused = (repository: MemoryRepository, updates: ReadonlyArray<RefUpdate>): ReadonlyArray<RefName> => {
  const changed = updates.filter(({ from, ref }) => from !== undefined && (repository.refs.get(ref) ?? null) !== from)
  if (changed.length > 0) return changed.map(({ ref }) => ref)
  const after = new Set<string>(repository.refs.keys())
  for (const { ref, to } of updates) {
    if (to === null) after.delete(ref)
    else after.add(ref)
  }
  return updates.flatMap(({ ref, to }) => {
    if (to === null) return []
    const kind = repository.objects.get(to)?.kind
    const wrong = ref.startsWith("refs/heads/") && kind !== "commit"
    return wrong || [...after].some((other) => isInTheWay(ref, other)) ? [ref] : []
  })
}

/** Copies an object and all objects reachable from it into another repository. */
const copy = (from: MemoryRepository, to: MemoryRepository, id: ObjectId): void => {
  const take = (each: ObjectId) => {
    const object = from.objects.get(each)
    if (object !== undefined) to.objects.set(each, object)
  }
  take(id)
  const peeled = from.peel(id)
  if (peeled === undefined) return
  take(peeled.id)
  for (const commit of peeled.kind === "commit" ? ancestors(from, [peeled.id]) : [peeled.id]) {
    take(commit)
    const tree = from.treeOf(commit)
    if (tree === undefined) continue
    take(tree)
    for (const entry of from.all(tree)) take(entry.id)
  }
}

/** Writes to git repositories in memory. */
export const gitWriter: Layer.Layer<GitWriter> = Layer.effect(
  GitWriter,
  Effect.map(Repositories, (repositories) => {
    const on = <A, E>(id: GitId, work: (repository: MemoryRepository) => Effect.Effect<A, E>) =>
      Effect.suspend((): Effect.Effect<A, E | GitMissing> => {
        const repository = repositories.get(id)
        return repository === undefined ? Effect.fail(new GitMissing({ what: "repository" })) : work(repository)
      })
    const is = ({ objects }: MemoryRepository, id: ObjectId, kind: ObjectKind) => objects.get(id)?.kind === kind
    return GitWriter.of({
      writeBlobs: (id, contents) =>
        on(id, (repository) => Effect.sync(() => contents.map((content) => repository.write("blob", content)))),
      writeTree: (id, base, edits) =>
        on(id, (repository) => {
          const tree = base === undefined ? undefined : repository.treeOf(base)
          const kinds = { "040000": "tree", "160000": undefined } as const
          const wrong = edits.some(({ to }) => {
            const kind = to === undefined ? undefined : to.mode in kinds ? kinds[to.mode as keyof typeof kinds] : "blob"
            return to !== undefined && kind !== undefined && !is(repository, to.id, kind)
          })
          if (wrong || (base !== undefined && tree === undefined)) return missing
          return Effect.sync(() => writeEdits(repository, tree, edits))
        }),
      writeCommit: (id, commit) =>
        on(id, (repository) =>
          is(repository, commit.tree, "tree") && commit.parents.every((parent) => is(repository, parent, "commit"))
            ? Effect.sync(() => repository.write("commit", formatCommit(commit)))
            : missing
        ),
      writeTag: (id, tag) =>
        on(id, (repository) =>
          is(repository, tag.object, tag.kind) ? Effect.sync(() => repository.write("tag", formatTag(tag))) : missing
        ),
      updateRefs: (id, updates) =>
        on(id, (repository): Effect.Effect<void, GitMissing | RefsNotMoved> => {
          if (updates.some(({ to }) => to !== null && !repository.objects.has(to))) return missing
          const refs = refused(repository, updates)
          if (refs.length > 0) return Effect.fail(new RefsNotMoved({ refs }))
          return Effect.sync(() => {
            for (const { ref, to } of updates) {
              if (to === null) repository.refs.delete(ref)
              else repository.refs.set(ref, to)
            }
          })
        }),
      applyPatch: (id, base, patch) =>
        on(id, (repository): Effect.Effect<ObjectId, GitMissing | PatchRefused> => {
          const tree = repository.treeOf(base)
          if (tree === undefined) return missing
          const patched = patchTree(repository, tree, patch)
          return "tree" in patched ? Effect.succeed(patched.tree) : Effect.fail(new PatchRefused(patched))
        }),
      merge: (id, { base, ours, theirs }) =>
        on(id, (repository) => {
          const [own, other] = [repository.commit(ours), repository.commit(theirs)]
          if (own === undefined || other === undefined) return missing
          if (base !== undefined && repository.commit(base) === undefined) return missing
          const [common] = base === undefined ? mergeBases(repository, ours, theirs) : [base]
          const below = common === undefined ? undefined : repository.treeOf(common)
          return Effect.sync(() => mergeTrees(repository, below, own.tree, other.tree))
        }),
      fetchFrom: (id, other, refspecs) =>
        on(id, (repository) =>
          on(other, (source) => {
            if (refspecs.some(({ from }) => !source.refs.has(from))) return missing
            return Effect.sync(() => {
              for (const { from, to } of refspecs) {
                const head = source.refs.get(from)
                if (head === undefined) continue
                copy(source, repository, head)
                repository.refs.set(to, head)
              }
            })
          })
        ),
      // Repositories in memory need no maintenance.
      maintain: (id) => on(id, () => Effect.succeed("nothing" as const)),
      check: (id) => on(id, () => Effect.succeed("sound" as const))
    })
  })
).pipe(Layer.provide(Repositories.layer))
