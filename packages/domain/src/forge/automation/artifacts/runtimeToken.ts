import { Base64Url } from "effect/encoding"

/** The parts of a runtime token. */
export interface RuntimeTokenParts {
  readonly runId: number
  readonly jobId: number
  /** The token of the job. */
  readonly token: string
}

const part = (value: object): string => Base64Url.encode(JSON.stringify(value))

/**
 * Returns the token that a job sends to the artifact service: its own token in the form of a JSON Web Token.
 *
 * Actions that upload artifacts read the ids of their run and job from it. The server ignores these ids: it checks only
 * the token in place of the signature, which expires with the job.
 *
 * @example
 * tokenIn(runtimeToken({ runId: 3, jobId: 7, token: "slp_0" })) // => "slp_0"
 */
export const runtimeToken = ({ jobId, runId, token }: RuntimeTokenParts): string => {
  const scope = `Actions.Results:${runId}:${jobId}`
  return [part({ alg: "none", typ: "JWT" }), part({ scp: scope, sub: String(jobId) }), token].join(".")
}

/**
 * Returns the job token in a runtime token, or the text itself if it is that token.
 *
 * @example
 * tokenIn("slp_0") // => "slp_0"
 */
export const tokenIn = (text: string): string => text.slice(text.lastIndexOf(".") + 1)
