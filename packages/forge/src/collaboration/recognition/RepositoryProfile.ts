import type { Repository } from "@slipway/domain/forge/code"
import { ContentNotFound, GitReader, isEntryPath } from "@slipway/domain/forge/code"
import { Recognition } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { commitNamed } from "../../code/git/revisions.ts"

/** The limits for detecting languages and licenses: numbers of files and licenses, and sizes of texts in bytes. */
const most = { files: 100_000, page: 10_000, licenses: 10, license: 256 * 1024, settings: 64 * 1024 }

const languagesOf = Effect.fnUntraced(function* (repository: Repository) {
  if (repository.empty) return new Map<string, number>()
  const reader = yield* GitReader
  const language = yield* (yield* Recognition).languages
  const { commit } = yield* commitNamed(repository, undefined)
  const sums = new Map<string, number>()
  for (let page = 1; (page - 1) * most.page < most.files; page++) {
    const { rows, total } = yield* reader.tree(repository.id, commit, { recursive: true, page, perPage: most.page })
    const known = rows.flatMap(({ id, mode, path }) => {
      const name = mode === "100644" || mode === "100755" ? language(path) : undefined
      return name === undefined ? [] : [{ id, name }]
    })
    const sizes = yield* reader.sizes(
      repository.id,
      known.map(({ id }) => id)
    )
    for (const [at, { name }] of known.entries()) sums.set(name, (sums.get(name) ?? 0) + (sizes[at] ?? 0))
    if (page * most.page >= total) break
  }
  return new Map([...sums].sort(([, one], [, other]) => other - one))
})

/** Returns the number of bytes per programming language on the default branch, the largest first. */
export const languages = ({ resource: { repository } }: Proof<"repository.language.list">) => languagesOf(repository)

const licenseFile = /^(?:licen[cs]e|copying|unlicen[cs]e)(?:[-_.][\w.-]*)?$/i
const decoder = new TextDecoder()

const licensesOf = Effect.fnUntraced(function* (repository: Repository) {
  if (repository.empty) return []
  const [reader, { license }] = [yield* GitReader, yield* Recognition]
  const { commit } = yield* commitNamed(repository, undefined)
  const { rows } = yield* reader.tree(repository.id, commit, { recursive: false, page: 1, perPage: most.page })
  const files = rows.filter(({ mode, path }) => mode === "100644" && licenseFile.test(path)).slice(0, most.licenses)
  const texts = yield* reader.objects(
    repository.id,
    files.map(({ id }) => id),
    most.license
  )
  const found = new Set<string>()
  for (const blob of texts) {
    const name = blob?.content && license(decoder.decode(blob.content))
    if (name !== undefined) found.add(name)
    yield* Effect.yieldNow
  }
  return [...found]
})

/** Returns the licenses on the default branch, detected from the license files in the root folder. */
export const licenses = ({ resource: { repository } }: Proof<"repository.license.list">) => licensesOf(repository)

/** Returns the languages and licenses of the default branch; empty if the branch does not exist. */
export const profileOf = (repository: Repository) =>
  Effect.gen(function* () {
    const [language = ""] = (yield* languagesOf(repository)).keys()
    return { language, licenses: yield* licensesOf(repository) }
  }).pipe(
    Effect.catchTag("RevisionNotFound", () => Effect.succeed({ language: "", licenses: [] })),
    Effect.orDie
  )

/** Returns the editor settings of a file at a revision, from the file `.editorconfig` in the root folder. */
export const editorSettings = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.editorconfig.read">,
  path: string,
  revision: string | undefined
) {
  const [reader, recognition] = [yield* GitReader, yield* Recognition]
  const { commit } = yield* commitNamed(repository, revision)
  const [entry] = yield* reader.entries(repository.id, commit, [".editorconfig"])
  if (entry?.kind !== "blob" || !isEntryPath(path)) return yield* new ContentNotFound({ path })
  const [blob] = yield* reader.objects(repository.id, [entry.id], most.settings)
  if (blob?.content === undefined) return yield* new ContentNotFound({ path })
  return yield* recognition.editorSettings(blob.content, path)
})
