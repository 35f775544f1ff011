import { type ForgeRequest, OtherForges, RemoteFailed } from "@slipway/domain/forge/integrations"
import { Effect, Layer, Redacted, Stream } from "effect"
import { HttpClientRequest } from "effect/http"
import { Egress } from "./egress.ts"

const parsed = (body: string) =>
  Effect.try({
    try: () => JSON.parse(body) as unknown,
    catch: () => new RemoteFailed({ because: "the API of the other host does not return JSON" })
  })

const refusals: Readonly<Record<number, string>> = {
  401: "the other host rejects the credentials",
  403: "the other host denies reading this repository, or limits the rate",
  404: "the repository does not exist on the other host, or reading it is denied",
  429: "the other host limits the rate of reading this repository"
}

const requestOf = ({ accept = "application/json", authorization, body, url }: ForgeRequest) => {
  const headers = {
    accept,
    "user-agent": "slipway",
    ...(authorization === undefined ? {} : { authorization: Redacted.value(authorization) })
  }
  return body === undefined
    ? HttpClientRequest.get(url, { headers })
    : HttpClientRequest.bodyText(HttpClientRequest.post(url, { headers }), JSON.stringify(body), accept)
}

/**
 * Provides access to the APIs of other hosts, limited by this instance's egress rule for URLs from users (invariant
 * I14).
 */
export const layerOtherForges: Layer.Layer<never, never, Egress> = Layer.effect(
  OtherForges,
  Effect.map(Egress, ({ ask, download }) => ({
    read: (request) =>
      Effect.suspend(() => ask(requestOf(request))).pipe(
        Effect.mapError(({ because }) => new RemoteFailed({ because })),
        Effect.flatMap(({ body, status }) =>
          status === 200
            ? parsed(body)
            : new RemoteFailed({ because: refusals[status] ?? `the API of the other host responds with ${status}` })
        )
      ),
    download: (request) =>
      Stream.mapError(
        Stream.suspend(() => download(requestOf(request))),
        ({ because }) => new RemoteFailed({ because })
      )
  }))
)
