import { exactAddressOf } from "@slipway/domain"
import { Effect } from "effect"
import { HttpClientRequest, type HttpMethod } from "effect/http"
import type { Egress } from "./egress.ts"

/** The request options that libraries pass to `fetch`. */
export interface FetchOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A `fetch` function that follows no redirects. */
export type EgressFetch = (url: string, options: FetchOptions) => Promise<Response>

/** Returns a `fetch` for a library that calls one external service. Requests to any other host or port fail. */
export const fetchOnly = (egress: Egress["Service"], service: URL): EgressFetch => {
  const address = exactAddressOf(service.href)
  return (url, { body, headers = {}, method = "GET" }) => {
    const asked = exactAddressOf(url)
    if (address === undefined || asked?.host !== address.host || asked.port !== address.port) {
      return Promise.reject(new Error(`${new URL(url).host} is not the host of this service`))
    }
    const text = body === undefined || body === null ? undefined : String(body)
    const request = HttpClientRequest.make(method as HttpMethod.HttpMethod)(url).pipe(
      HttpClientRequest.setHeaders(headers)
    )
    const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1]
    const sent = text === undefined ? request : HttpClientRequest.bodyText(request, text, type)
    return Effect.runPromise(
      Effect.map(egress.askExactly(address, sent), (answer) => {
        const present = Object.entries(answer.headers).filter(
          (entry): entry is [string, string] => entry[1] !== undefined
        )
        const isEmpty = [204, 205, 304].includes(answer.status)
        return new Response(isEmpty ? null : answer.body, { status: answer.status, headers: present })
      })
    )
  }
}
