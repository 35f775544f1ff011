import { type CountedPage, numberedUpTo, type PageRequest } from "@slipway/domain"
import { Effect, Stream } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The query parameters with secrets, which are left out of links in responses. */
const secretParameters = ["token", "access_token"]

/**
 * The total number of rows of a list, or, if it is unknown, whether more rows follow and the cursor of the next page.
 */
export type Length = number | { readonly more: boolean; readonly next?: string | undefined }

const links = (url: string, request: PageRequest, length: Length, sizeParameter: string): string => {
  const { after, page, perPage } = request
  const [path = "", query = ""] = url.split("?")
  const last = typeof length === "number" ? Math.max(1, Math.ceil(length / perPage)) : undefined
  const to = (rel: string, parameter: "page" | "cursor", wanted: number | string) => {
    const params = new URLSearchParams(query)
    for (const name of [...secretParameters, "page", "cursor"]) params.delete(name)
    params.set(parameter, String(wanted))
    params.set(sizeParameter, String(perPage))
    return `<${path}?${params}>; rel="${rel}"`
  }
  const next = () => {
    if (typeof length === "number") return page < Math.ceil(length / perPage) ? [to("next", "page", page + 1)] : []
    if (!length.more) return []
    // Beyond the last numbered page, a cursor continues the list.
    const isNumbered = after === undefined && (page * perPage < numberedUpTo || length.next === undefined)
    return [isNumbered ? to("next", "page", page + 1) : to("next", "cursor", length.next ?? "")]
  }
  return [
    to("first", "page", 1),
    ...(after === undefined && page > 1 ? [to("prev", "page", Math.min(page - 1, last ?? page))] : []),
    ...next(),
    ...(last === undefined ? [] : [to("last", "page", last)])
  ].join(", ")
}

/** Returns the pagination headers: `Link` to other pages, and `X-Total-Count` if the total is known. */
export const pageHeaders = (url: string, request: PageRequest, length: Length, sizeParameter = "per_page") => ({
  link: links(url, request, length, sizeParameter),
  ...(typeof length === "number" ? { "x-total-count": String(length) } : {})
})

/** Returns a response that streams all rows of a stream as a JSON array. */
export const answerStream = Effect.fnUntraced(function* <Row, E, R>(rows: Stream.Stream<Row, E, R>) {
  const context = yield* Effect.context<R>()
  const text = rows.pipe(
    Stream.mapArray((some) => [some.map((row) => JSON.stringify(row)).join(",")] as const),
    Stream.intersperseAffixes({ start: "[", middle: ",", end: "]" }),
    Stream.encodeText,
    Stream.provideContext(context)
  )
  return HttpServerResponse.stream(text, { contentType: "application/json" })
})

/** The functions that read a list and convert its rows to the response format. */
export interface Listing<Row, E, R, E2, R2, E3, R3> {
  readonly page: (request: PageRequest) => Effect.Effect<CountedPage<Row>, E, R>
  readonly all: Stream.Stream<Row, E2, R2>
  /** Converts several rows to the response format, so that related rows can be read in one query. */
  readonly show: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<unknown>, E3, R3>
}

const defaultPerPage = 30

/**
 * Returns the response with a list: one page with pagination headers if the query has `page` or `per_page`, else all
 * rows.
 *
 * All rows are streamed, so the memory use does not depend on their number.
 */
export const answerList = Effect.fnUntraced(function* <Row, E, R, E2, R2, E3, R3>(
  query: { readonly page?: number; readonly per_page?: number },
  listing: Listing<Row, E, R, E2, R2, E3, R3>
) {
  if (query.page !== undefined || query.per_page !== undefined) {
    const request = { page: query.page ?? 1, perPage: query.per_page ?? defaultPerPage }
    const { rows, total } = yield* listing.page(request)
    const shown = yield* listing.show(rows)
    const { url } = yield* HttpServerRequest.HttpServerRequest
    return HttpServerResponse.jsonUnsafe(shown, {
      headers: pageHeaders(url, request, total)
    })
  }
  return yield* answerStream(
    Stream.mapArrayEffect(listing.all, (rows) =>
      // INVARIANT: as many results as rows.
      Effect.map(listing.show(rows), (shown) => shown as NonEmptyReadonlyArray<unknown>)
    )
  )
})
