import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"

import type { WorkflowRunId } from "../workflows/WorkflowRun.ts"

/** The schema of the id of an artifact. */
export const ArtifactId = Schema.Int.pipe(Schema.brand("ArtifactId"))
export type ArtifactId = typeof ArtifactId.Type

/** An artifact: files that a workflow job uploads for later download, as one zip archive or as a single file. */
export interface Artifact {
  readonly id: ArtifactId
  readonly repositoryId: RepositoryId
  readonly runId: WorkflowRunId
  /** The commit of the workflow run. */
  readonly commit: ObjectId
  /** The attempt of the run in which the artifact was uploaded, from 1. */
  readonly attempt: number
  readonly name: string
  /** The content type, such as `application/zip`. */
  readonly type: string
  /** The name of the blob with its bytes. */
  readonly blob: string
  /** The size in bytes; during an upload, the number of received bytes. */
  readonly size: number
  /** The SHA-256 of the content, in hexadecimal digits; empty until the upload is complete. */
  readonly sha256: string
  readonly createdAt: string
  /** The time after which the content is deleted; lists contain the artifact until its run is deleted. */
  readonly expiresAt: string
  /** Whether the upload is complete; until then, the artifact is visible only to its job. */
  readonly done: boolean
}

/** The table of artifacts; the artifacts of a workflow run are removed with the run. */
export const artifacts = owned<Artifact>()("artifact", {
  within: ["repositoryId", "runId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    runId: Fields.reference("workflowRun"),
    commit: Fields.text(),
    attempt: Fields.integer(),
    name: Fields.text(),
    type: Fields.text(),
    blob: Fields.text(),
    size: Fields.integer(),
    sha256: Fields.text(),
    createdAt: Fields.time(),
    expiresAt: Fields.time(),
    done: Fields.boolean()
  },
  orders: { newest: descending() },
  filters: ["done", "name", "createdAt"],
  unique: { name: ["runId", "name"], blob: ["blob"] }
})

/** A block of an artifact upload; blocks arrive in any order, several concurrently. */
export interface ArtifactBlock {
  readonly id: number
  readonly artifactId: ArtifactId
  /** The name of the block, which the job chooses. */
  readonly name: string
  /** The name of the blob with its bytes. */
  readonly blob: string
  readonly size: number
  readonly sha256: string
  /** The position of the block in the artifact, from 0; null until the job sends the order of the blocks. */
  readonly position: number | null
}

/** The table of the blocks of incomplete artifact uploads, in the order of their arrival. */
export const artifactBlocks = owned<ArtifactBlock>()("artifactBlock", {
  within: ["artifactId"],
  fields: {
    artifactId: Fields.reference("artifact"),
    name: Fields.text(),
    blob: Fields.text(),
    size: Fields.integer(),
    sha256: Fields.text(),
    position: Fields.nullable(Fields.integer())
  },
  orders: { came: ascending() },
  unique: { name: ["artifactId", "name"], blob: ["blob"] }
})

/** The default content type of an artifact: a zip archive. */
export const archiveType = "application/zip"

const aType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

/**
 * Returns the content type of an artifact from the content type that a job sends; parameters are removed.
 *
 * @example
 * contentTypeOf(undefined) // => "application/zip"
 * contentTypeOf("Text/HTML; charset=utf-8") // => "text/html"
 * contentTypeOf("no type") // => "application/octet-stream"
 */
export const contentTypeOf = (said: string | undefined): string => {
  if (said === undefined) return archiveType
  const [type = ""] = said.split(";", 1)
  return aType.test(type) ? type.toLowerCase() : "application/octet-stream"
}

/** The maximum number of artifacts of a workflow run. */
export const mostArtifacts = 1_000

/** The maximum number of blocks (parts of the upload) of an artifact. */
export const mostBlocks = 10_000

/** The maximum length of the name of an artifact, in characters. */
const longestName = 255

/**
 * Returns the reason why the name of an artifact is invalid; undefined if it is valid.
 *
 * @example
 * artifactNameProblem("build output (linux)") // => undefined
 * artifactNameProblem(" ") // => "must not be empty"
 * artifactNameProblem("..") // => "must not be `.` or `..`"
 */
export const artifactNameProblem = (name: string): string | undefined => {
  if (name.trim() === "") return "must not be empty"
  if (name === "." || name === "..") return "must not be `.` or `..`"
  if (name.length > longestName) return `must have at most ${longestName} characters`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return /[\\/:*?"<>|\u0000-\u001f\u007f]/.test(name) || !name.isWellFormed()
    ? `must not have any of \\ / : * ? " < > | or line breaks`
    : undefined
}
