import { type ForgeRequest, OtherForges, RemoteFailed } from "@slipway/domain/forge/integrations"
import { Effect, Layer, Redacted, Stream } from "effect"
import { HttpClientRequest } from "effect/http"
import { Egress } from "./egress.ts"

const parsed = (body: string) =>
  Effect.try({
    try: () => JSON.parse(body) as unknown,
    catch: () => new RemoteFailed({ because: "the other host's API answers no JSON" })
  })

const refusals: Readonly<Record<number, string>> = {
  401: "the other host doesn't know who signs in",
  403: "the other host doesn't let this repository be read, or not as fast",
  404: "the other host has no such repository, or doesn't let it be read",
  429: "the other host doesn't let this repository be read as fast"
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

/** Reads the APIs of other hosts, by the rule of this instance for addresses from users (invariant I14). */
export const layerOtherForges: Layer.Layer<never, never, Egress> = Layer.effect(
  OtherForges,
  Effect.map(Egress, ({ ask, download }) => ({
    read: (request) =>
      Effect.suspend(() => ask(requestOf(request))).pipe(
        Effect.mapError(({ because }) => new RemoteFailed({ because })),
        Effect.flatMap(({ body, status }) =>
          status === 200
            ? parsed(body)
            : new RemoteFailed({ because: refusals[status] ?? `the other host's API answers ${status}` })
        )
      ),
    download: (request) =>
      Stream.mapError(
        Stream.suspend(() => download(requestOf(request))),
        ({ because }) => new RemoteFailed({ because })
      )
  }))
)
