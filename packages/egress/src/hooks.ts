import { HookSender, HookUnsent } from "@slipway/domain"
import { Effect, Layer } from "effect"
import { HttpClientRequest } from "effect/http"
import { Egress } from "./egress.ts"

const mostHeaders = 50
const longestHeader = 1_000

const some = (headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, mostHeaders)
      .map(([name, value]) => [name, (value ?? "").slice(0, longestHeader)])
  )

// Databases store no NUL in texts, and no unpaired surrogates.
const storableText = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed()

/** Sends webhook deliveries, only to addresses that the instance's egress rule allows (invariant I14). */
export const layerHookSender: Layer.Layer<never, never, Egress> = Layer.effect(
  HookSender,
  Effect.map(Egress, ({ askOnce }) => ({
    send: ({ body, headers, method, url }) =>
      Effect.suspend(() =>
        askOnce(
          HttpClientRequest.make(method)(url).pipe(
            HttpClientRequest.setHeaders(headers),
            HttpClientRequest.bodyText(body, headers["Content-Type"] ?? "application/json")
          )
        )
      ).pipe(
        Effect.mapError((error) => new HookUnsent(error)),
        Effect.map((answer) => ({
          status: answer.status,
          headers: some(answer.headers),
          body: storableText(answer.body)
        }))
      )
  }))
)
