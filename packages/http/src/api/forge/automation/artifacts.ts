import { Schema } from "effect"
import { endpoints, list, raw, read, remove } from "../base/endpoints.ts"
import { Moment, text } from "../base/schemas.ts"

/** The workflow run that created an artifact. */
const ArtifactRun = Schema.Struct({ id: Schema.Int, repository_id: Schema.Int, head_sha: Schema.String })

/** An artifact (a file uploaded by a workflow job) as returned by the API. */
export const ActionArtifact = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  size_in_bytes: Schema.Int,
  url: Schema.String,
  archive_download_url: Schema.String,
  expired: Schema.Boolean.annotate({ description: "Whether its bytes were deleted." }),
  created_at: Moment,
  updated_at: Moment,
  expires_at: Moment,
  workflow_run: ArtifactRun
}).annotate({ identifier: "ActionArtifact" })

const artifacts = list(ActionArtifact, {
  field: "artifacts",
  counted: true,
  query: { name: Schema.optionalKey(text(255)).annotate({ description: "The full name." }) }
})

/** The endpoints that list and delete artifacts; jobs upload artifacts at other URLs. */
export const artifactEndpoints = endpoints("artifacts", "Files that the jobs of workflow runs upload.", {
  "repository.actions.artifact.list": artifacts,
  "repository.actions.run.artifact.list": artifacts,
  "repository.actions.artifact.read": read(ActionArtifact),
  "repository.actions.artifact.delete": remove()
})

/** The endpoints that download artifacts. */
export const artifactDownloadEndpoints = endpoints("artifact-downloads", "The contents of artifacts, as archives.", {
  "repository.actions.artifact.download": raw({ status: 302 }),
  "repository.actions.artifact.download-signed": raw({
    contentType: "application/zip",
    query: {
      sig: Schema.optionalKey(text(1_000)).annotate({ description: "The signature of the link." })
    }
  })
})
