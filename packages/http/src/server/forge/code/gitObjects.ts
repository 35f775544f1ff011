import { notSigned, type ObjectKind, type Ref } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { GitObjects } from "@slipway/forge/code"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { isYes, type QueryFlag } from "../../../api/forge/base/schemas.ts"
import { type GitTreeResponse, gitObjectEndpoints } from "../../../api/forge/code/gitObjects.ts"
import { weakTagOf } from "../../wire/tags.ts"
import { unlessCached } from "../base/conditional.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { handle } from "../entry/handle.ts"
import { showIdent, showVerification } from "./commits.ts"
import { encodedOnce } from "./objectAnswers.ts"
import { apiParts, linksOf, pathInUrl, type RepositoryLinks, restOfPath } from "./repositoryLinks.ts"

const folders = { blob: "blobs", commit: "commits", tag: "tags", tree: "trees" } as const

/** Returns the API URL of a git object. */
export const objectUrl = ({ api }: RepositoryLinks, kind: ObjectKind, id: string): string =>
  `${api}/git/${folders[kind]}/${id}`

const showRef =
  (links: RepositoryLinks) =>
  ({ id, kind, name }: Ref) => ({
    ref: name,
    url: `${links.api}/git/${pathInUrl(name)}`,
    object: { type: kind, sha: id, url: objectUrl(links, kind, id) }
  })

type Request = Parameters<typeof unlessCached>[0]

interface TreeQuery {
  readonly recursive?: typeof QueryFlag.Type
  readonly page?: number
  readonly per_page?: number
}

const tree = Effect.fnUntraced(function* (
  request: Request,
  proof: Proof<"repository.git.tree.read">,
  revision: string,
  query: TreeQuery
) {
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const page = Math.max(query.page ?? 1, 1)
  const perPage = Math.min(Math.max(query.per_page ?? GitObjects.treePage, 1), GitObjects.treePage)
  const recursive = isYes(query.recursive)
  const { id } = yield* GitObjects.tree(proof, revision)
  const answer = Effect.map(
    GitObjects.treeEntries(proof, id, recursive, { page, perPage }),
    ({ entries, more, total }): typeof GitTreeResponse.Type => ({
      sha: id,
      url: objectUrl(links, "tree", id),
      tree: entries.map(({ id: sha, kind, mode, path, size }) => ({
        path,
        mode,
        type: kind,
        size,
        sha,
        url: objectUrl(links, kind, sha)
      })),
      truncated: more,
      page,
      total_count: total
    })
  )
  const tag = weakTagOf(id, String(recursive), String(page), String(perPage))
  const bytes = encodedOnce([proof.resource.repository.id, links.api, id, recursive, page, perPage], answer)
  return yield* unlessCached(request, tag, Effect.map(bytes, HttpServerResponse.setHeader("etag", tag)))
})

const blob = Effect.fnUntraced(function* (request: Request, proof: Proof<"repository.git.blob.read">, name: string) {
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const { content, id, lfs, size } = yield* GitObjects.blob(proof, name)
  const answer = Effect.succeed({
    sha: id,
    url: objectUrl(links, "blob", id),
    size,
    encoding: content === undefined ? null : ("base64" as const),
    content: content === undefined ? null : content.toBase64(),
    ...(lfs === undefined ? {} : { lfs_oid: lfs.oid, lfs_size: lfs.size })
  })
  return yield* unlessCached(request, weakTagOf(id), answer)
})

const tag = Effect.fnUntraced(function* (proof: Proof<"repository.git.tag.read">, name: string) {
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const { tag: found, verification = notSigned } = yield* GitObjects.tag(proof, name)
  return {
    tag: found.name,
    sha: found.id,
    url: objectUrl(links, "tag", found.id),
    message: found.message,
    tagger: found.tagger === undefined ? null : showIdent(found.tagger),
    object: { type: found.kind, sha: found.object, url: objectUrl(links, found.kind, found.object) },
    verification: showVerification(verification)
  }
})

/** The handlers of objects and refs as stored in git. */
export const layerGitObjects = handle(gitObjectEndpoints, {
  "repository.git.ref.list": Effect.fnUntraced(function* ({ page, proof }) {
    const links = linksOf(yield* PublicUrl, proof.resource.repository)
    const { rows, total } = yield* GitObjects.refs(proof, "", page)
    return { rows: rows.map(showRef(links)), total }
  }),
  "repository.git.ref.read": Effect.fnUntraced(function* ({ page, proof, request }) {
    const links = linksOf(yield* PublicUrl, proof.resource.repository)
    const { rows, total } = yield* GitObjects.refs(proof, restOfPath(request, apiParts + 1), page)
    return { rows: rows.map(showRef(links)), total }
  }),
  "repository.git.tree.read": ({ params, proof, query, request }) => tree(request, proof, params.sha, query),
  "repository.git.blob.read": ({ params, proof, request }) => blob(request, proof, params.sha),
  "repository.git.tag.read": ({ params, proof }) => tag(proof, params.sha)
})
