import { type Branch, GitRepositories, type NewGitRepository, type RepositoryId } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"

interface Kept {
  readonly madeAt: string
  readonly defaultBranch: string
  readonly branches: ReadonlyArray<Branch>
  readonly files: Readonly<Record<string, string>>
}

const encoder = new TextEncoder()

/** Keeps git repositories in memory: as much of them as the port tells of, under names of the same form. */
export const gitRepositories: Layer.Layer<GitRepositories, never, Digest.Digest> = Layer.effect(
  GitRepositories,
  Effect.map(Digest.Digest, (digest) => {
    const kept = new Map<RepositoryId, Kept>()
    const begin = Effect.fnUntraced(function* ({ commit, defaultBranch, madeAt }: NewGitRepository) {
      if (commit === undefined) return { madeAt, defaultBranch, branches: [], files: {} }
      const name = yield* digest.digestHex(Digest.sha1, encoder.encode(JSON.stringify(commit)))
      return { madeAt, defaultBranch, branches: [{ name: defaultBranch, commit: name }], files: commit.files }
    })
    return {
      create: (id, what) =>
        Effect.map(Effect.orDie(begin(what)), (made) => {
          if (kept.get(id)?.madeAt !== what.madeAt) kept.set(id, made)
        }),
      defaultBranch: (id) => Effect.sync(() => kept.get(id)?.defaultBranch),
      setDefaultBranch: (id, defaultBranch) =>
        Effect.sync(() => {
          const present = kept.get(id)
          if (present !== undefined) kept.set(id, { ...present, defaultBranch })
          return present !== undefined
        }),
      branches: (id) => Effect.sync(() => kept.get(id)?.branches ?? []),
      refs: (id, names) =>
        Effect.sync(
          () =>
            new Map(
              (kept.get(id)?.branches ?? []).flatMap(({ commit, name }) =>
                names.includes(`refs/heads/${name}`) ? [[`refs/heads/${name}`, commit] as const] : []
              )
            )
        ),
      file: (id, branch, name) =>
        Effect.sync(() => {
          const present = kept.get(id)
          return present?.branches.some((each) => each.name === branch) ? present.files[name] : undefined
        }),
      size: (id) =>
        Effect.sync(() => {
          const present = kept.get(id)
          return present === undefined ? 0 : Math.ceil((100 + JSON.stringify(present).length) / 1024)
        }),
      remove: (id) => Effect.sync(() => kept.delete(id)),
      list: Effect.sync(() => [...kept.keys()].sort((one, other) => one - other))
    }
  })
)
