import { OtherForges, RemoteFailed } from "@slipway/domain/forge"
import { Effect, Layer, Redacted } from "effect"
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

/** Reads what other hosts' APIs tell, by the rule of this instance for addresses that its users name (invariant I14). */
export const layerOtherForges: Layer.Layer<never, never, Egress> = Layer.effect(
  OtherForges,
  Effect.map(Egress, ({ ask }) => ({
    read: (url, account) =>
      Effect.suspend(() => {
        const plain = HttpClientRequest.get(url).pipe(
          HttpClientRequest.setHeaders({ accept: "application/json", "user-agent": "slipway" })
        )
        return ask(
          account === undefined
            ? plain
            : HttpClientRequest.basicAuth(plain, account.username, Redacted.value(account.password))
        )
      }).pipe(
        Effect.mapError(({ because }) => new RemoteFailed({ because })),
        Effect.flatMap(({ body, status }) =>
          status === 200
            ? parsed(body)
            : new RemoteFailed({ because: refusals[status] ?? `the other host's API answers ${status}` })
        )
      )
  }))
)
