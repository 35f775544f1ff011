import { secondsOf } from "@slipway/domain"
import { formatCommit, GitRepositories, inIdent, type NewGitRepository } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"
import { writeEdits } from "./objects/mergeTrees.ts"
import { MemoryRepository, Repositories } from "./objects/repository.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The size in bytes that an empty repository is reported to use on disk. */
const emptySize = 100

const begin = ({ commit, defaultBranch, madeAt, objectFormat = "sha1" }: NewGitRepository): MemoryRepository => {
  const repository = new MemoryRepository(objectFormat, madeAt, defaultBranch)
  if (commit === undefined) return repository
  const edits = Object.entries(commit.files).map(([path, text]) => ({
    path,
    to: { id: repository.write("blob", encoder.encode(text)), mode: "100644" as const }
  }))
  const seconds = secondsOf(commit.at)
  const author = { name: inIdent(commit.author.name), email: inIdent(commit.author.email), seconds, offset: "+0000" }
  const tree = writeEdits(repository, undefined, edits)
  const data = { tree, parents: [], author, committer: author, message: commit.message }
  repository.refs.set(`refs/heads/${defaultBranch}`, repository.write("commit", formatCommit(data)))
  return repository
}

/** Stores git repositories in memory. Objects have the same ids as in git. */
export const gitRepositories: Layer.Layer<GitRepositories> = Layer.effect(
  GitRepositories,
  Effect.map(Repositories, (stored) => ({
    create: (id, what) =>
      Effect.sync(() => {
        if (stored.get(id)?.madeAt !== what.madeAt) stored.set(id, begin(what))
      }),
    copy: (id, { from, madeAt, only }) =>
      Effect.sync(() => {
        if (stored.get(id)?.madeAt === madeAt) return true
        const source = stored.get(from)
        if (source === undefined) return false
        const copy = new MemoryRepository(source.format, madeAt, only ?? source.head)
        for (const [object, content] of source.objects) copy.objects.set(object, content)
        for (const [ref, to] of source.refs) {
          if (only === undefined ? /^refs\/(heads|tags)\//.test(ref) : ref === `refs/heads/${only}`)
            copy.refs.set(ref, to)
        }
        stored.set(id, copy)
        return true
      }),
    defaultBranch: (id) => Effect.sync(() => stored.get(id)?.head),
    setDefaultBranch: (id, branch) =>
      Effect.sync(() => {
        const repository = stored.get(id)
        if (repository !== undefined) repository.head = branch
        return repository !== undefined
      }),
    branches: (id) =>
      Effect.sync(() =>
        [...(stored.get(id)?.refs ?? [])]
          .filter(([name]) => name.startsWith("refs/heads/"))
          .map(([name, commit]) => ({ name: name.slice("refs/heads/".length), commit }))
          .sort((one, other) => (one.name < other.name ? -1 : 1))
      ),
    refs: (id, names) =>
      Effect.sync(() => new Map([...(stored.get(id)?.refs ?? [])].filter(([name]) => names.includes(name)))),
    file: (id, branch, name) =>
      Effect.sync(() => {
        const repository = stored.get(id)
        const commit = repository?.refs.get(`refs/heads/${branch}`)
        const tree = commit === undefined ? undefined : repository?.treeOf(commit)
        const entry = tree === undefined ? undefined : repository?.entry(tree, name)
        return entry?.kind === "blob" ? decoder.decode(repository?.objects.get(entry.id)?.content) : undefined
      }),
    size: (id) =>
      Effect.sync(() => {
        const repository = stored.get(id)
        if (repository === undefined) return 0
        const bytes = [...repository.objects.values()].reduce((sum, { content }) => sum + content.length, emptySize)
        return Math.ceil(bytes / 1024)
      }),
    remove: (id) => Effect.sync(() => stored.delete(id)),
    list: Effect.sync(() => [...stored.keys()].filter((id) => typeof id === "number").sort((one, other) => one - other))
  }))
).pipe(Layer.provide(Repositories.layer))
