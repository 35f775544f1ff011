import type { NamedCommit } from "@slipway/domain/forge/code"
import { type Content, identTime, pathIn } from "@slipway/domain/forge/code"
import { Contents, download, downloadMedia, FileSearch, linkedAs } from "@slipway/forge/code"
import { RepositoryProfile } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { contentEndpoints } from "../../../api/forge/code/contents.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { handle } from "../entry/handle.ts"
import { archiveAnswer, downloadAnswer, revisionArchive } from "./downloads.ts"
import { objectUrl } from "./gitObjects.ts"
import { apiParts, linksOf, pathInUrl, type RepositoryLinks, restOfPath } from "./repositoryLinks.ts"

/** Which fields of a file's last commit the response contains. */
interface ShownCommit {
  readonly message: boolean
}

/** Converts a file or folder of a commit to its API response, with its URLs. */
export const showContent =
  (links: RepositoryLinks, at: NamedCommit | undefined, { message }: ShownCommit = { message: false }) =>
  (content: Content) => {
    const { bytes, id, kind, lastCommit, lfs, path, size, submoduleUrl, target } = content
    const [by, name] = at === undefined ? (["branch", ""] as const) : linkedAs(at)
    const file = `${by}/${pathInUrl(name)}/${pathInUrl(path)}`
    const self = `${links.api}/contents/${pathInUrl(path)}?ref=${encodeURIComponent(name)}`
    const git = kind === "submodule" ? null : objectUrl(links, kind === "dir" ? "tree" : "blob", id)
    const html = kind === "submodule" ? null : `${links.html}/src/${file}`
    return {
      name: path.slice(path.lastIndexOf("/") + 1),
      path,
      sha: id,
      type: kind,
      size,
      last_commit_sha: lastCommit?.id ?? null,
      last_committer_date: lastCommit === undefined ? null : identTime(lastCommit.committer),
      last_author_date: lastCommit === undefined ? null : identTime(lastCommit.author),
      last_commit_message: message ? (lastCommit?.message ?? null) : null,
      encoding: bytes === undefined ? null : ("base64" as const),
      content: bytes === undefined ? null : bytes.toBase64(),
      target: target ?? null,
      url: self,
      html_url: html,
      git_url: git,
      download_url: kind === "file" || kind === "symlink" ? `${links.html}/raw/${file}` : null,
      submodule_git_url: submoduleUrl ?? null,
      lfs_oid: lfs?.oid ?? null,
      lfs_size: lfs?.size ?? null,
      _links: { self, git, html }
    }
  }

type ReadProof = Parameters<typeof Contents.read>[0]

const everything: Contents.Included = { content: true, lastCommit: true, lfs: true }

const readAt = Effect.fnUntraced(function* (proof: ReadProof, path: string, ref: string | undefined) {
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const { at, found } = yield* Contents.read(proof, pathIn(path), ref, everything)
  const show = showContent(links, at)
  return found._tag === "Folder" ? found.entries.map(show) : show(found.entry)
})

const readExtended = Effect.fnUntraced(function* (
  proof: ReadProof,
  path: string,
  { includes = "", ref }: { readonly includes?: string; readonly ref?: string }
) {
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const asked = new Set(includes.split(",").map((each) => each.trim()))
  const included: Contents.Included = {
    content: asked.has("file_content"),
    lastCommit: asked.has("commit_metadata") || asked.has("commit_message"),
    lfs: asked.has("lfs_metadata")
  }
  const { at, found } = yield* Contents.read(proof, pathIn(path), ref, included)
  const show = showContent(links, at, { message: asked.has("commit_message") })
  return {
    file_contents: found._tag === "Entry" ? show(found.entry) : null,
    dir_contents: found._tag === "Folder" ? found.entries.map(show) : null
  }
})

const readSeveral = Effect.fnUntraced(function* (
  proof: ReadProof,
  files: ReadonlyArray<string>,
  ref: string | undefined
) {
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const { at, found } = yield* Contents.readSeveral(proof, files.map(pathIn), ref)
  const show = showContent(links, at)
  return found.map((content) => (content === undefined ? null : show(content)))
})

/** The handlers that read files and folders. */
export const layerContents = handle(contentEndpoints, {
  "repository.contents.list": ({ proof, query }) => readAt(proof, "", query.ref),
  "repository.contents.read": ({ proof, query, request }) => readAt(proof, restOfPath(request, apiParts), query.ref),
  "repository.contents.list-extended": ({ proof, query }) => readExtended(proof, "", query),
  "repository.contents.read-extended": ({ proof, query, request }) =>
    readExtended(proof, restOfPath(request, apiParts), query),
  "repository.contents.read-several": ({ proof, query }) => readSeveral(proof, query.body?.files ?? [], query.ref),
  "repository.contents.read-several-by-body": ({ body, proof, query }) => readSeveral(proof, body.files, query.ref),
  "repository.language.list": ({ proof }) => Effect.map(RepositoryProfile.languages(proof), Object.fromEntries),
  "repository.license.list": ({ proof }) => RepositoryProfile.licenses(proof),
  "repository.editorconfig.read": ({ params, proof, query }) =>
    RepositoryProfile.editorSettings(proof, pathIn(params.filename), query.ref),
  "repository.file.search": Effect.fnUntraced(function* ({ page, proof, query }) {
    const { rows, total } = yield* FileSearch.search(proof, query.q ?? "", query.ref, page)
    return {
      rows: rows.map(({ id, kind, path }) => ({ path, sha: id, type: kind === "commit" ? kind : ("blob" as const) })),
      total
    }
  }),
  "repository.file.raw": ({ proof, query, request }) =>
    downloadAnswer(request, download, proof, restOfPath(request, apiParts), query.ref),
  "repository.file.media": ({ proof, query, request }) =>
    downloadAnswer(request, downloadMedia, proof, restOfPath(request, apiParts), query.ref),
  "repository.archive.download": ({ proof, request }) => archiveAnswer(request, proof, restOfPath(request, apiParts)),
  "repository.tarball.download": ({ proof, request }) =>
    revisionArchive(request, proof, restOfPath(request, apiParts), "tar.gz"),
  "repository.zipball.download": ({ proof, request }) =>
    revisionArchive(request, proof, restOfPath(request, apiParts), "zip"),
  "repository.bundle.download": ({ proof, request }) =>
    revisionArchive(request, proof, restOfPath(request, apiParts), "bundle")
})
