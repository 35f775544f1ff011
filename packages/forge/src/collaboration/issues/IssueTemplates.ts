import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { branchRef, GitReader, isRefName, Revision } from "@slipway/domain/forge/code"
import { type IssueTemplate, largestTemplate, plainConfig, Recognition } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"

const homes = ["", ".slipway/", ".gitea/", ".forgejo/", ".github/"]
const folders = homes.flatMap((home) => [`${home}ISSUE_TEMPLATE`, `${home}issue_template`])
const configs = folders.flatMap((folder) => [`${folder}/config.yaml`, `${folder}/config.yml`])

/** The maximum number of issue templates that are read from a folder. */
const mostTemplates = 50
/** The total length of the templates read from a folder, in characters. */
const mostText = 4 * largestTemplate

/** Finds the newest commit of the default branch; undefined in an empty repository. */
const tipOf = Effect.fnUntraced(function* ({ defaultBranch, id }: Repository) {
  if (!isRefName(`refs/heads/${defaultBranch}`)) return undefined
  return (yield* (yield* GitReader).resolve(id, Revision.make(branchRef(defaultBranch))))?.commit
})

const textsOf = Effect.fnUntraced(function* ({ id }: Repository, blobs: ReadonlyArray<ObjectId>) {
  if (blobs.length === 0) return []
  const objects = yield* (yield* GitReader).objects(id, blobs, largestTemplate)
  const decoder = new TextDecoder()
  return objects.map((object) => (object?.content === undefined ? undefined : decoder.decode(object.content)))
})

/** Lists the issue templates of the default branch by file name; files that are not valid templates are omitted. */
export const list = Effect.fnUntraced(function* ({
  resource: { repository }
}: Proof<"repository.issue-template.list">) {
  const [reader, recognition] = [yield* GitReader, yield* Recognition]
  const commit = yield* tipOf(repository)
  if (commit === undefined) return []
  const found = yield* reader.entries(repository.id, commit, folders)
  const at = found.findIndex((entry) => entry?.kind === "tree")
  const folder = found[at]
  if (folder === undefined) return []
  const { rows } = yield* reader.tree(repository.id, folder.id, { recursive: false, page: 1, perPage: mostTemplates })
  const files = rows.filter(({ kind, path }) => kind === "blob" && !/^config\.ya?ml$/i.test(path))
  const texts = yield* textsOf(
    repository,
    files.map(({ id }) => id)
  )
  const templates: Array<IssueTemplate> = []
  let left = mostText
  for (const [place, { path }] of files.entries()) {
    const text = texts[place] ?? ""
    left -= text.length
    if (left < 0) break
    const template = yield* recognition.issueTemplate(`${folders[at]}/${path}`, text)
    if (template !== undefined) templates.push(template)
  }
  return templates
})

/** Reads the issue configuration file; undefined if there is none. */
const configText = Effect.fnUntraced(function* (repository: Repository) {
  const commit = yield* tipOf(repository)
  if (commit === undefined) return undefined
  const found = yield* (yield* GitReader).entries(repository.id, commit, configs)
  const file = found.find((entry) => entry?.kind === "blob")
  if (file === undefined) return undefined
  return { path: file.path, text: (yield* textsOf(repository, [file.id]))[0] }
})

const configOf = (text: string) => Effect.flatMap(Recognition, ({ issueConfig }) => issueConfig(text))

/** Reads the issue configuration of a repository. An invalid configuration file counts as empty. */
export const config = Effect.fnUntraced(function* ({ resource }: Proof<"repository.issue-config.read">) {
  const file = yield* configText(resource.repository)
  return (file?.text === undefined ? undefined : yield* configOf(file.text)) ?? plainConfig
})

/** Returns whether the issue configuration file is valid; a missing file is valid. */
export const validate = Effect.fnUntraced(function* ({ resource }: Proof<"repository.issue-config.validate">) {
  const file = yield* configText(resource.repository)
  const valid = file === undefined || (file.text !== undefined && (yield* configOf(file.text)) !== undefined)
  return { valid, message: valid ? "" : `${file.path} is not a valid issue configuration` }
})
