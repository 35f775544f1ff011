import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"

import type { WorkflowRunId } from "../workflows/WorkflowRun.ts"

/** The schema of the number of an artifact. */
export const ArtifactId = Schema.Int.pipe(Schema.brand("ArtifactId"))
export type ArtifactId = typeof ArtifactId.Type

/** Files that a job of a workflow run leaves behind, as one zip archive, or one file as it is. */
export interface Artifact {
  readonly id: ArtifactId
  readonly repositoryId: RepositoryId
  readonly runId: WorkflowRunId
  /** The commit that its run is of. */
  readonly commit: ObjectId
  /** The attempt of the run in which it was uploaded. */
  readonly attempt: number
  readonly name: string
  /** The content type, such as `application/zip`. */
  readonly type: string
  /** The name of the blob that its bytes are. */
  readonly blob: string
  /** In bytes; of one that is being uploaded, how many have come. */
  readonly size: number
  /** The SHA-256 of its bytes, in hexadecimal digits; empty until it is whole. */
  readonly sha256: string
  readonly createdAt: string
  /** From when on its bytes are gone; the artifact stays in lists for as long as its run. */
  readonly expiresAt: string
  /** Whether it is complete; until then it is visible only to its job. */
  readonly done: boolean
}

/** The artifacts of workflow runs, which go with them. */
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
  /** The name that the job gives it. */
  readonly name: string
  /** The name of the blob that its bytes are. */
  readonly blob: string
  readonly size: number
  readonly sha256: string
  /** The position in the artifact, once the job has sent it. */
  readonly position: number | null
}

/** The parts of artifacts that are being uploaded, in the order in which they came. */
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

/** The default content type of an artifact. */
export const archiveType = "application/zip"

const aType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

/**
 * Returns the content type of an artifact from the one that a job declares.
 *
 * @example
 * typeSaid(undefined) // => "application/zip"
 * typeSaid("Text/HTML; charset=utf-8") // => "text/html"
 * typeSaid("no type") // => "application/octet-stream"
 */
export const typeSaid = (said: string | undefined): string => {
  if (said === undefined) return archiveType
  const [type = ""] = said.split(";", 1)
  return aType.test(type) ? type.toLowerCase() : "application/octet-stream"
}

/** The maximum number of artifacts of a run. */
export const mostArtifacts = 1_000

/** In how many parts an artifact may be uploaded. */
export const mostBlocks = 10_000

/** The maximum number of characters the name of of an artifact. */
const longestName = 255

/**
 * Returns what is wrong with the name of an artifact, or nothing.
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
