import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"

import type { WorkflowRunId } from "../workflows/WorkflowRun.ts"

/** The schema of the id of an artifact. */
export const ArtifactId = Schema.Int.pipe(Schema.brand("ArtifactId"))
export type ArtifactId = typeof ArtifactId.Type

/** Files that a job of a workflow run stores, as one zip archive or one single file. */
export interface Artifact {
  readonly id: ArtifactId
  readonly repositoryId: RepositoryId
  readonly runId: WorkflowRunId
  /** The commit of its run. */
  readonly commit: ObjectId
  /** The attempt of the run in which it was uploaded. */
  readonly attempt: number
  readonly name: string
  /** The content type, such as `application/zip`. */
  readonly type: string
  /** The name of the blob with its bytes. */
  readonly blob: string
  /** In bytes; during an upload, the number of received bytes. */
  readonly size: number
  /** The SHA-256 of its bytes, in hexadecimal digits; empty until it is complete. */
  readonly sha256: string
  readonly createdAt: string
  /** The time at which its bytes expire; lists contain the artifact as long as its run. */
  readonly expiresAt: string
  /** Whether it is complete; until then it is visible only to its job. */
  readonly done: boolean
}

/** The artifacts of workflow runs, which are removed with them. */
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
  /** The name from the job. */
  readonly name: string
  /** The name of the blob with its bytes. */
  readonly blob: string
  readonly size: number
  readonly sha256: string
  /** The position in the artifact, once the job has sent it. */
  readonly position: number | null
}

/** The parts of incomplete artifacts, in the order of their arrival. */
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
 * Returns the content type of an artifact from the type that a job declares.
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

/** The maximum number of artifacts of a run. */
export const mostArtifacts = 1_000

/** The maximum number of parts of an artifact. */
export const mostBlocks = 10_000

/** The maximum length of the name of an artifact, in characters. */
const longestName = 255

/**
 * Returns the problem of the name of an artifact, or undefined.
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
