import { type Attachment, AttachmentNotFound, downloadHeaders, type Repository } from "@slipway/domain/forge/code"
import type { Release } from "@slipway/domain/forge/collaboration"
import { numberIn, type Proof } from "@slipway/domain/forge/entry"
import { ReleaseAssets, Releases } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isYes, type QueryFlag } from "../../../api/forge/base/schemas.ts"
import { releaseEndpoints } from "../../../api/forge/collaboration/releases.ts"
import { answerTo } from "../base/errors.ts"
import { answerWithPublicUrl, PublicUrl } from "../base/PublicUrl.ts"
import { renameFields, showPersonTo, type ViewerResource } from "../base/show.ts"
import { zeroTime } from "../base/zeroTime.ts"
import { linksOf, pathInUrl, type RepositoryLinks, restOfPath } from "../code/repositoryLinks.ts"
import { showFile } from "../code/showAttachment.ts"
import { uploadOf } from "../code/uploads.ts"
import { authorizeRequest } from "../entry/admission.ts"
import { handle, shownAll, shownOne } from "../entry/handle.ts"

/** The route of web links to files of releases. */
export const releaseDownloadRoute = "/:username/:reponame/releases/download/*"

/** The number of path segments before the tag: `owner/name/releases/download`. */
const downloadParts = 4

type InRepository = ViewerResource & { readonly repository: Repository }

const showAsset =
  (links: RepositoryLinks, { tag }: Pick<Release, "tag">) =>
  (asset: Attachment) =>
    showFile(asset, `${links.html}/releases/download/${pathInUrl(tag)}/${encodeURIComponent(asset.name)}`)

const showAssetOf = ({ release, repository }: { readonly release: Release; readonly repository: Repository }) =>
  Effect.map(PublicUrl, (served) => showAsset(linksOf(served, repository), release))

/** Converts releases of a repository to API responses for the actor. */
export const showReleasesTo = Effect.fnUntraced(function* (
  acting: InRepository,
  rows: ReadonlyArray<Release>,
  files?: Releases.ReleaseDetails["assets"]
) {
  const links = linksOf(yield* PublicUrl, acting.repository)
  const { ghost, show } = yield* showPersonTo(acting)
  const { assets, people } = yield* Releases.details(acting.actor, rows, files)
  return rows.map((release) => {
    const author = release.authorId === null ? undefined : people.get(release.authorId)
    const url = `${links.api}/releases/${release.id}`
    return {
      id: release.id,
      tag_name: release.tag,
      target_commitish: release.target,
      name: release.title,
      body: release.body,
      url,
      html_url: `${links.html}/releases/tag/${pathInUrl(release.tag)}`,
      tarball_url: `${links.html}/archive/refs/tags/${pathInUrl(release.tag)}.tar.gz`,
      zipball_url: `${links.html}/archive/refs/tags/${pathInUrl(release.tag)}.zip`,
      upload_url: `${url}/assets`,
      draft: release.draft,
      prerelease: release.prerelease,
      created_at: release.createdAt,
      published_at: release.publishedAt ?? zeroTime,
      author: author === undefined ? ghost() : show(author),
      assets: (assets.get(release.id) ?? []).map(showAsset(links, release))
    }
  })
})

const fields = {
  generate_notes: "notes",
  tag_name: "tag",
  target_commitish: "target",
  name: "title",
  tag_message: "tagMessage"
} as const

const flagIn = (flag: typeof QueryFlag.Type | undefined): boolean | undefined =>
  flag === undefined ? undefined : isYes(flag)

/** The handlers of releases and their files. */
export const layerReleases = handle(
  releaseEndpoints,
  {
    "repository.release.list": ({ page, proof, query }) =>
      Releases.list(proof, page, { draft: flagIn(query.draft), prerelease: flagIn(query["pre-release"]) }),
    "repository.release.create": ({ body, proof }) => Releases.create(proof, renameFields(body, fields)),
    "repository.release.read-latest": ({ proof }) => Releases.latest(proof),
    "repository.release.read": ({ proof }) => Effect.succeed(proof.resource.release),
    "repository.release.edit": ({ body, proof }) => Releases.edit(proof, renameFields(body, fields)),
    "repository.release.delete": ({ proof }) => Releases.remove(proof),
    "repository.release.read-by-tag": ({ proof }) => Effect.succeed(proof.resource.release),
    "repository.release.delete-by-tag": ({ proof }) => Releases.remove(proof),
    "repository.release.asset.list": ({ proof }) => shownAll(ReleaseAssets.list(proof), showAssetOf(proof.resource)),
    "repository.release.asset.create": (asked) =>
      Effect.gen(function* () {
        const asset = yield* uploadOf(
          asked,
          (upload) => ReleaseAssets.create(asked.proof, upload),
          (link) => ReleaseAssets.link(asked.proof, link)
        )
        const show = yield* showAssetOf(asked.proof.resource)
        return HttpServerResponse.jsonUnsafe(show(asset), { status: 201 })
      }),
    "repository.release.asset.read": ({ params, proof }) =>
      shownOne(ReleaseAssets.read(proof, numberIn(params.attachment_id)), showAssetOf(proof.resource)),
    "repository.release.asset.edit": ({ body, params, proof }) =>
      shownOne(
        ReleaseAssets.edit(proof, numberIn(params.attachment_id), renameFields(body, { browser_download_url: "url" })),
        showAssetOf(proof.resource)
      ),
    "repository.release.asset.delete": ({ params, proof }) =>
      ReleaseAssets.remove(proof, numberIn(params.attachment_id))
  },
  { showAllTo: showReleasesTo }
)

/** Authorizes the caller to read the release of a tag, by the same action as the API. */
const admittedByTag = Effect.fnUntraced(function* (tag: string) {
  const context = yield* HttpRouter.RouteContext
  return yield* Effect.provideService(authorizeRequest("repository.release.read-by-tag"), HttpRouter.RouteContext, {
    ...context,
    params: { ...context.params, tag }
  })
})

const served = Effect.fnUntraced(function* (proof: Proof<"repository.release.read-by-tag">, name: string) {
  const { attachment, bytes } = yield* ReleaseAssets.download(proof, name)
  if (attachment.link !== null) {
    const headers = { "cache-control": "private, no-store", "referrer-policy": "no-referrer" }
    return HttpServerResponse.redirect(attachment.link, { status: 302, headers })
  }
  const headers = { ...downloadHeaders(attachment.name, attachment.type), "content-length": String(attachment.size) }
  return HttpServerResponse.stream(bytes, { headers })
})

/**
 * Layer with the download route of release files, by tag and file name, with the permissions of the API.
 *
 * Response headers prevent browsers from executing the content.
 */
export const releaseDownloads = HttpRouter.use((router) =>
  router.add(
    "GET",
    releaseDownloadRoute,
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      // A tag may have slashes, the name of a file can't.
      const rest = restOfPath(request, downloadParts)
      const at = rest.lastIndexOf("/")
      const proof = yield* admittedByTag(rest.slice(0, Math.max(at, 0)))
      if (HttpServerResponse.isHttpServerResponse(proof)) return proof
      if (at < 0) return yield* new AttachmentNotFound({ id: rest })
      return yield* served(proof, rest.slice(at + 1))
    }).pipe(
      Effect.catch((error) => answerTo(error)),
      answerWithPublicUrl
    )
  )
)
