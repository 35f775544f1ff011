import { now } from "@slipway/domain"
import type { Artifact } from "@slipway/domain/forge/automation"
import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import { numberIn } from "@slipway/domain/forge/entry"
import { Artifacts } from "@slipway/forge/automation"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { artifactDownloadEndpoints, artifactEndpoints } from "../../../api/forge/automation/artifacts.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { nonEmpty } from "../base/queries.ts"
import { serve } from "../code/downloads.ts"
import { linksOf } from "../code/repositoryLinks.ts"
import { handle } from "../entry/handle.ts"

/** Converts artifacts of a repository to API responses, each with the run that created it. */
const showArtifactsTo = Effect.fnUntraced(function* (
  { repository }: Pick<RepositoryWithGrants, "repository">,
  rows: ReadonlyArray<Artifact>
) {
  const links = linksOf(yield* PublicUrl, repository)
  const present = yield* now
  return rows.map(({ commit, createdAt, expiresAt, id, name, runId, size }) => {
    const url = `${links.api}/actions/artifacts/${id}`
    return {
      id,
      name,
      size_in_bytes: size,
      url,
      archive_download_url: `${url}/zip`,
      expired: expiresAt <= present,
      created_at: createdAt,
      updated_at: createdAt,
      expires_at: expiresAt,
      workflow_run: { id: runId, repository_id: repository.id, head_sha: commit }
    }
  })
})

const download = Effect.fnUntraced(function* (proof: Parameters<typeof Artifacts.link>[0], id: number) {
  const signature = yield* Artifacts.link(proof, id)
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const address = `${links.api}/actions/artifacts/${id}/zip/raw?sig=${signature}`
  // The address opens the artifact for any holder, so it is not cached.
  return HttpServerResponse.redirect(address, { status: 302, headers: { "cache-control": "no-store" } })
})

/** The handlers of artifacts. */
export const layerArtifacts = handle(
  artifactEndpoints,
  {
    "repository.actions.artifact.list": ({ page, proof, query }) => Artifacts.list(proof, nonEmpty(query.name), page),
    "repository.actions.run.artifact.list": ({ page, params, proof, query }) =>
      Artifacts.listOfRun(proof, numberIn(params.run), nonEmpty(query.name), page),
    "repository.actions.artifact.read": ({ params, proof }) => Artifacts.read(proof, numberIn(params.artifact_id)),
    "repository.actions.artifact.delete": ({ params, proof }) => Artifacts.remove(proof, numberIn(params.artifact_id))
  },
  { showAllTo: showArtifactsTo }
)

/** The handlers of the downloads of artifacts. */
export const layerArtifactDownloads = handle(artifactDownloadEndpoints, {
  "repository.actions.artifact.download": ({ params, proof }) => download(proof, numberIn(params.artifact_id)),
  "repository.actions.artifact.download-signed": ({ params, proof, request }) =>
    Effect.flatMap(
      Artifacts.downloadSigned(proof, params.username, params.reponame, numberIn(params.artifact_id)),
      (file) => serve(request, file)
    )
})
