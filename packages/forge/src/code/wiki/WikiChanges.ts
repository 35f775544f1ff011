import { now } from "@slipway/domain"
import {
  branchRef,
  GitReader,
  GitRepositories,
  GitWriter,
  pagePath,
  pageTitle,
  type TreeEdit,
  titleProblem,
  type WikiPage,
  WikiPageInvalid,
  WikiPageNotFound,
  wikiOf
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { identityOf, momentOf } from "../contents/commit.ts"
import { changeRefs } from "../pushes/changeRefs.ts"
import { usualBranch } from "../repositories/creation.ts"
import { createWiki } from "./createWiki.ts"
import { pageNamed, read, type Wiki, wikiWithPages } from "./WikiPages.ts"

/** The fields of a wiki page in a request. */
export interface WikiPageInput {
  readonly title?: string | undefined
  readonly content?: Uint8Array | undefined
  /** The commit message; by default a text such as "Add page". */
  readonly message?: string | undefined
}

type ChangeProof = Proof<"repository.wiki.page.create" | "repository.wiki.page.delete" | "repository.wiki.page.edit">

/** How often a change is retried if the wiki changes at the same time. */
const attempts = 5

interface Change {
  readonly edits: ReadonlyArray<TreeEdit>
  readonly message: string
  /** The size of the largest written file, in bytes. */
  readonly size: number
  readonly did: "created" | "edited" | "deleted"
  readonly title: string
}

/** Commits a change to the wiki. The change is computed again if the wiki changed at the same time. */
const commit = <E, R>(
  proof: ChangeProof,
  make: (wiki: Wiki | undefined) => Effect.Effect<Change, E, R>,
  said: string | undefined
) =>
  Effect.gen(function* () {
    const { repository } = proof.resource
    const id = wikiOf(repository.id)
    const wiki = yield* wikiWithPages(repository.id)
    const { did, edits, message, size, title } = yield* make(wiki)
    const writer = yield* GitWriter
    const who = {
      ...(yield* identityOf(proof)),
      ...momentOf(yield* now)
    }
    const comment = said === undefined || said.trim() === "" ? message : said.trimEnd()
    const commitId = yield* writer.writeCommit(id, {
      tree: yield* writer.writeTree(id, wiki?.tip, edits),
      parents: wiki === undefined ? [] : [wiki.tip],
      author: who,
      committer: who,
      message: `${comment}\n`
    })
    const branch = wiki?.branch ?? (yield* (yield* GitRepositories).defaultBranch(id)) ?? usualBranch
    const ref = { ref: branchRef(branch), before: wiki?.tip, after: commitId }
    // A pushed file may have a name that is not valid Unicode, which events cannot contain.
    const [page, why] = [title.toWellFormed(), comment.toWellFormed()]
    yield* changeRefs(proof, [ref], { object: page, size }, undefined, { did, page, comment: why })
  }).pipe(
    Effect.retry({ times: attempts, while: (error) => (error as { readonly _tag?: string })._tag === "RefMoved" })
  )

const valid = Effect.fnUntraced(function* (title: string) {
  const problem = titleProblem(title)
  if (problem !== undefined) return yield* new WikiPageInvalid({ field: "title", problem })
  return pagePath(title)
})

/** Fails if a path is already used in the wiki, so that no new file can be created there. */
const free = Effect.fnUntraced(function* (wiki: Wiki | undefined, path: string) {
  if (wiki === undefined) return
  const parts = path.split("/")
  const folders = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"))
  const [present, ...above] = yield* (yield* GitReader).entries(wiki.id, wiki.tip, [path, ...folders])
  if (present !== undefined || above.some((each) => each !== undefined && each.kind !== "tree")) {
    return yield* new WikiPageInvalid({ field: "title", problem: "is taken" })
  }
})

const written = Effect.fnUntraced(function* (proof: ChangeProof, content: Uint8Array) {
  const [blob] = yield* (yield* GitWriter).writeBlobs(wikiOf(proof.resource.repository.id), [content])
  return blob
})

/** Creates a wiki page. The first page also creates the wiki. */
export const create = Effect.fnUntraced(function* (proof: Proof<"repository.wiki.page.create">, input: WikiPageInput) {
  const { content = new Uint8Array(), message, title = "" } = input
  const path = yield* valid(title)
  yield* createWiki(proof.resource.repository)
  const blob = yield* written(proof, content)
  const make = (wiki: Wiki | undefined) =>
    Effect.as(free(wiki, path), {
      edits: [{ path, to: blob && { id: blob, mode: "100644" } }],
      message: `Add ${title}`,
      size: content.length,
      did: "created",
      title
    } satisfies Change)
  yield* commit(proof, make, message)
  return (yield* read(proof, title)) satisfies WikiPage
})

/** Changes a page. A new title renames it; omitted fields stay unchanged. */
export const edit = Effect.fnUntraced(function* (
  proof: Proof<"repository.wiki.page.edit">,
  name: string,
  input: WikiPageInput
) {
  const { content, message, title = "" } = input
  const renamed = title === "" ? undefined : yield* valid(title)
  const blob = content === undefined ? undefined : yield* written(proof, content)
  let present = title
  const make = Effect.fnUntraced(function* (wiki: Wiki | undefined) {
    const page = wiki === undefined ? undefined : yield* pageNamed(wiki, name)
    if (page === undefined) return yield* new WikiPageNotFound({ name })
    const old = pageTitle(page.path) ?? name
    // A file pushed under another spelling of the same title keeps its name.
    const path = renamed === undefined || title === old ? page.path : renamed
    present = path === page.path ? old : title
    if (path !== page.path) yield* free(wiki, path)
    const gone: ReadonlyArray<TreeEdit> = path === page.path ? [] : [{ path: page.path, to: undefined }]
    return {
      edits: [...gone, { path, to: { id: blob ?? page.id, mode: page.mode } }],
      message: path === page.path ? `Change ${old}` : `Rename ${old} to ${title}`,
      size: content?.length ?? 0,
      did: "edited",
      title: present
    } satisfies Change
  })
  yield* commit(proof, make, message)
  return (yield* read(proof, present)) satisfies WikiPage
})

/** Deletes a wiki page; its history is kept in git. */
export const remove = Effect.fnUntraced(function* (proof: Proof<"repository.wiki.page.delete">, name: string) {
  const make = Effect.fnUntraced(function* (wiki: Wiki | undefined) {
    const page = wiki === undefined ? undefined : yield* pageNamed(wiki, name)
    if (page === undefined) return yield* new WikiPageNotFound({ name })
    const title = pageTitle(page.path) ?? name
    const edits = [{ path: page.path, to: undefined }]
    return { edits, message: `Delete ${title}`, size: 0, did: "deleted", title } satisfies Change
  })
  yield* commit(proof, make, undefined)
})
