import { Base64Url } from "effect/encoding"

/** The content of a runtime token, with which a workflow job calls the artifact service. */
export interface RuntimeTokenParts {
  readonly runId: number
  readonly jobId: number
  /** The API token of the workflow job. */
  readonly token: string
}

const part = (value: object): string => Base64Url.encode(JSON.stringify(value))

/**
 * Returns the token that a workflow job sends to the artifact service: the job's API token in the format of a JSON Web
 * Token (JWT).
 *
 * Upload actions read the run id and the job id from the JWT payload. The server ignores them. It only checks the API
 * token, which is in the place of the JWT signature and expires with the job.
 *
 * @example
 * tokenIn(runtimeToken({ runId: 3, jobId: 7, token: "slp_0" })) // => "slp_0"
 */
export const runtimeToken = ({ jobId, runId, token }: RuntimeTokenParts): string => {
  const scope = `Actions.Results:${runId}:${jobId}`
  return [part({ alg: "none", typ: "JWT" }), part({ scp: scope, sub: String(jobId) }), token].join(".")
}

/**
 * Returns the job's API token from a runtime token; a text without dots is returned unchanged.
 *
 * @example
 * tokenIn("slp_0") // => "slp_0"
 */
export const tokenIn = (text: string): string => text.slice(text.lastIndexOf(".") + 1)
