import type { PageRequest } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId, TreeEntry } from "@slipway/domain/forge/code"
import {
  type ByteRange,
  branchRef,
  GitReader,
  GitRepositories,
  isEntryPath,
  largestInlineFile,
  pageTitle,
  pathsNamed,
  Revision,
  type WikiId,
  type WikiPage,
  type WikiPageEntry,
  WikiPageNotFound,
  wikiOf
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import type { Download } from "../contents/downloads.ts"

/** The files that are shown as sidebar and footer of every wiki page. */
const around = ["_Sidebar.md", "_Footer.md"] as const

/** The maximum number of files of a wiki that are read. */
const mostFiles = 10_000

const empty = new Uint8Array()

/** A wiki with at least one commit, and its default branch. */
export interface Wiki {
  readonly id: WikiId
  readonly branch: string
  readonly tip: ObjectId
}

/** Returns the wiki of a repository; undefined if it has no pages. */
export const wikiWithPages = Effect.fnUntraced(function* (repository: RepositoryId) {
  const id = wikiOf(repository)
  const branch = yield* (yield* GitRepositories).defaultBranch(id)
  if (branch === undefined) return undefined
  const found = yield* (yield* GitReader).resolve(id, Revision.make(branchRef(branch)))
  return found?.commit === undefined ? undefined : ({ id, branch, tip: found.commit } satisfies Wiki)
})

const isPage = (entry: TreeEntry | undefined): entry is TreeEntry =>
  entry?.kind === "blob" && entry.mode !== "120000" && pageTitle(entry.path) !== undefined

/** Finds the file of a wiki page, by the title of the page or by its name in the URL. */
export const pageNamed = Effect.fnUntraced(function* ({ id, tip }: Wiki, name: string) {
  const paths = pathsNamed(name).filter(isEntryPath)
  const found = yield* (yield* GitReader).entries(id, tip, paths)
  return found.find(isPage)
})

const lastCommits = Effect.fnUntraced(function* ({ id, tip }: Wiki, paths: ReadonlyArray<string>) {
  const reader = yield* GitReader
  const names = yield* reader.lastCommits(id, tip, paths)
  const ids = [...new Set(names.values())]
  const commits = yield* reader.commits(id, ids)
  const byId = new Map(ids.map((each, at) => [each, commits[at]]))
  return new Map([...names].map(([path, name]) => [path, byId.get(name)]))
})

const described = Effect.fnUntraced(function* (wiki: Wiki, entries: ReadonlyArray<TreeEntry>) {
  const commits = yield* lastCommits(
    wiki,
    entries.map(({ path }) => path)
  )
  return entries.map(
    ({ id, path }): WikiPageEntry => ({
      title: pageTitle(path) ?? path,
      path,
      blob: id,
      lastCommit: commits.get(path)
    })
  )
})

/** Lists the pages of a wiki by file name. */
export const list = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.wiki.page.list">,
  { page, perPage }: PageRequest
) {
  const wiki = yield* wikiWithPages(repository.id)
  if (wiki === undefined) return { rows: [], total: 0 }
  const reader = yield* GitReader
  const { rows } = yield* reader.tree(wiki.id, wiki.tip, { recursive: true, page: 1, perPage: mostFiles })
  const pages = rows.filter(isPage)
  const shown = pages.slice((page - 1) * perPage, page * perPage)
  return { rows: yield* described(wiki, shown), total: pages.length }
})

const pageDetails = Effect.fnUntraced(function* (wiki: Wiki, entry: TreeEntry) {
  const reader = yield* GitReader
  const beside = yield* reader.entries(wiki.id, wiki.tip, around)
  const blobs = [entry, ...beside].map((each) => (each?.kind === "blob" ? each.id : undefined))
  const wanted = [...new Set(blobs.filter((each) => each !== undefined))]
  const read = yield* reader.objects(wiki.id, wanted, largestInlineFile)
  const texts = new Map(wanted.map((each, at) => [each, read[at]?.content]))
  const [bytes = empty, sidebar = empty, footer = empty] = blobs.map((each) =>
    each === undefined ? undefined : texts.get(each)
  )
  const commits = yield* reader.count(wiki.id, { from: [wiki.tip], path: entry.path })
  const [page] = yield* described(wiki, [entry])
  if (page === undefined) return yield* new WikiPageNotFound({ name: entry.path })
  return { ...page, bytes, commits, sidebar, footer } satisfies WikiPage
})

type ReadProof = Proof<
  | "repository.wiki.page.create"
  | "repository.wiki.page.edit"
  | "repository.wiki.page.read"
  | "repository.wiki.revision.list"
>

const found = Effect.fnUntraced(function* (proof: ReadProof, name: string) {
  const wiki = yield* wikiWithPages(proof.resource.repository.id)
  const entry = wiki === undefined ? undefined : yield* pageNamed(wiki, name)
  return wiki === undefined || entry === undefined ? yield* new WikiPageNotFound({ name }) : { wiki, entry }
})

/** Reads a wiki page, with the sidebar and the footer of the wiki. */
export const read = Effect.fnUntraced(function* (proof: ReadProof, name: string) {
  const { entry, wiki } = yield* found(proof, name)
  return yield* pageDetails(wiki, entry)
})

/** Lists one page of the commits of a wiki page, newest first, with the total number. */
export const revisions = Effect.fnUntraced(function* (
  proof: Proof<"repository.wiki.revision.list">,
  name: string,
  { page, perPage }: PageRequest
) {
  const { entry, wiki } = yield* found(proof, name)
  const reader = yield* GitReader
  const history = { from: [wiki.tip], path: entry.path }
  const ids = yield* reader.log(wiki.id, history, { skip: (page - 1) * perPage, limit: perPage })
  const commits = (yield* reader.commits(wiki.id, ids)).filter((commit) => commit !== undefined)
  return { commits, count: yield* reader.count(wiki.id, history) }
})

/** Finds a file of a wiki for download, such as an image of a page. */
export const file = Effect.fnUntraced(function* (proof: ReadProof, path: string) {
  const wiki = yield* wikiWithPages(proof.resource.repository.id)
  const reader = yield* GitReader
  const [entry] = wiki === undefined || !isEntryPath(path) ? [] : yield* reader.entries(wiki.id, wiki.tip, [path])
  if (wiki === undefined || entry?.kind !== "blob") return yield* new WikiPageNotFound({ name: path })
  const [size = 0] = yield* reader.sizes(wiki.id, [entry.id])
  const bytes = (range?: ByteRange) => reader.content(wiki.id, entry.id, range)
  return { path, id: entry.id, size, fixed: false, bytes } satisfies Download
})
