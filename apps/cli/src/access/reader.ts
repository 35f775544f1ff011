import { Effect, type Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { userError } from "../forge/failures.ts"

/** The page size, and the maximum number of pages per list. */
const [perPage, mostPages] = [50, 2_000]

/** A service to read from. */
export interface ReadFrom {
  readonly url: string
  readonly token: Redacted.Redacted | undefined
  /** The type of the service for error messages: `a forge`. */
  readonly service: string
  /** The query parameter of the page size. */
  readonly size: "limit" | "per_page"
}

/** Returns functions that read the API below `/api/v1` of a service: one answer, or all pages of a list. */
export const reader = (client: HttpClient.HttpClient, { service, size, token, url }: ReadFrom) => {
  const get = (path: string) =>
    Effect.gen(function* () {
      const request = HttpClientRequest.get(`${url.replace(/\/+$/, "")}/api/v1${path}`).pipe(
        HttpClientRequest.acceptJson,
        token === undefined ? (each) => each : HttpClientRequest.bearerToken(token)
      )
      const response = yield* client.execute(request)
      if (response.status !== 200) return yield* userError(`${url} responds with ${response.status} to ${path}`)
      return yield* response.json
    }).pipe(
      Effect.timeout("30 seconds"),
      Effect.catchTag(["HttpClientError", "TimeoutError"], (problem) =>
        Effect.fail(userError(`${url} cannot be reached: ${problem.message}`, problem))
      )
    )
  const decoded = <A>(schema: Schema.ConstraintDecoder<A>, path: string) =>
    Effect.flatMap(get(path), (json) =>
      Effect.mapError(Schema.decodeUnknownEffect(schema)(json), (problem) =>
        userError(`${url} does not respond like ${service} to ${path}: ${problem.message}`)
      )
    )
  const list = <A>(row: Schema.ConstraintDecoder<A>, path: string) =>
    Effect.gen(function* () {
      const rows: Array<A> = []
      for (let page = 1; page <= mostPages; page += 1) {
        const some = yield* decoded(Schema.Array(row), `${path}?${size}=${perPage}&page=${page}`)
        rows.push(...some)
        if (some.length < perPage) break
      }
      return rows
    })
  return { decoded, list }
}

/** The functions that read the API of a service. */
export type Reader = ReturnType<typeof reader>
