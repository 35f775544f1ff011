import { forShares, isTooDeep, noProblems, numberedUpTo, type Page, type PageRequest } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { sharesOf } from "@slipway/domain/forge/identity"
import { type AccessPreview, ResourceNotFound } from "@slipway/forge/explanation"
import { Context, Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AccessChanges } from "../../../api/forge/base/accessChanges.ts"
import {
  type AnyShape,
  type EndpointRoute,
  type Endpoints,
  type ParamsOf,
  prefix,
  queryFieldsOf,
  type Shape,
  type ShapeKind,
  type Shapes
} from "../../../api/forge/base/endpoints.ts"
import { isYes } from "../../../api/forge/base/schemas.ts"
import { guardRoute } from "../../guard.ts"
import { lazily } from "../../lazily.ts"
import { pageHeaders } from "../../lists.ts"
import { provideServices } from "../../serverContext.ts"
import {
  type BodiesFull,
  type BodyNotJson,
  type BodyTooLarge,
  type BodyTooSlow,
  parseJson,
  textOf
} from "../../wire/bodies.ts"
import { encoderOf } from "../../wire/encoder.ts"
import { ignoredWarning, prefersStrict } from "../base/bodyFields.ts"
import { cacheAnonymousAnswers, repeatFirstAnswer, type Served } from "../base/cachedAnswers.ts"
import { bodyDecoder, pathProblems, queryDecoder, WrongInput } from "../base/decode.ts"
import { showChange } from "../base/dryRun.ts"
import { withErrorKeys } from "../base/errorKeys.ts"
import { answerTo, type HandlerError, wrongBody } from "../base/errors.ts"
import { PublicUrl, withPublicUrl } from "../base/PublicUrl.ts"
import { type PageQuery, pageOf } from "../base/pages.ts"
import { type Listed, Shown } from "../base/wireAnswers.ts"
import { authorizeRequest } from "./admission.ts"
import { queryIn } from "./guard.ts"

import { withSignedBody } from "./signedBody.ts"

// BOUNDARY: at run time, the kinds of shapes distinguish the types of `Handle`.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Some = any

/** The input of an endpoint handler. */
export interface HandlerInput<A extends LoadedAction, Body, Query> {
  /** The proof that the actor is allowed to do the action on the resource. */
  readonly proof: Proof<A>
  readonly params: ParamsOf<A>
  readonly query: Query
  readonly body: Body
  /** The requested page; the first page if the endpoint has no pagination. */
  readonly page: PageRequest
  /** Whether the request is a dry run, which returns only the consequences of the change. */
  readonly dryRun: boolean
  /** The request itself, for endpoints that read a body as a stream or return a stream. */
  readonly request: HttpServerRequest.HttpServerRequest
}

export { type Listed, shown, shownAll, shownOne, shownPage } from "../base/wireAnswers.ts"

/** Applies a function to each row of a page. */
export const mapRows = <Row, T, E, R>(
  answer: Effect.Effect<Listed<Row>, E, R>,
  change: (row: Row) => T
): Effect.Effect<Listed<T>, E, R> => Effect.map(answer, (page) => ({ ...page, rows: page.rows.map(change) }))

/** Returns the value; fails with `ResourceNotFound` if it is undefined. */
export const orMissing = <T>(thing: T | undefined): Effect.Effect<T, ResourceNotFound> =>
  thing === undefined ? Effect.fail(new ResourceNotFound()) : Effect.succeed(thing)

/** The result of a dry run: the permissions that a change would grant and revoke. */
export class Preview {
  readonly changes: Page<AccessPreview.Change>
  constructor(changes: Page<AccessPreview.Change>) {
    this.changes = changes
  }
}

/** Applies a change; with `dryRun`, returns its access preview instead. */
export const orPreview = <A, E, R, E2, R2>(
  { dryRun, page }: { readonly dryRun: boolean; readonly page: PageRequest },
  preview: (page: PageRequest) => Effect.Effect<Page<AccessPreview.Change>, E, R>,
  act: Effect.Effect<A, E2, R2>
): Effect.Effect<A | Preview, E | E2, R | R2> =>
  dryRun ? Effect.map(preview(page), (changes) => new Preview(changes)) : act

interface Outcomes<T> {
  readonly one: T
  readonly page: Listed<T>
  readonly search: Listed<T>
  readonly all: ReadonlyArray<T>
  // The result of the use case is not shown.
  readonly nothing: unknown
  readonly check: boolean
  readonly raw: HttpServerResponse.HttpServerResponse
}

type Outcome<K extends ShapeKind, Answer, Row> = [Row] extends [never]
  ? Outcomes<Answer>[K] | Shown<Outcomes<Answer>[K]>
  : Outcomes<Row>[K] | Shown<Outcomes<Answer>[K]>

/** The errors that occur while a handler reads a request body. */
export type UnreadBody = BodiesFull | BodyNotJson | BodyTooLarge | BodyTooSlow | WrongInput

type Handler<A extends LoadedAction, S, Row> =
  S extends Shape<infer K, infer B, infer Q, infer T, infer D>
    ? (
        asked: HandlerInput<A, B, Q>
      ) => Effect.Effect<
        Outcome<K, T, Row> | HttpServerResponse.HttpServerResponse | (D extends true ? Preview : never),
        HandlerError | UnreadBody,
        unknown
      >
    : never

type Handlers<G extends Shapes, Row> = { readonly [A in keyof G & LoadedAction]: Handler<A, G[A], Row> }

type ServicesOf<H> = {
  readonly [A in keyof H]: H[A] extends (...args: never) => Effect.Effect<unknown, unknown, infer R> ? R : never
}[keyof H]

type AnswerOf<G extends Shapes> = {
  readonly [A in keyof G]: G[A] extends Shape<ShapeKind, unknown, unknown, infer T, boolean> ? T : never
}[keyof G]

type ResourceOf<G extends Shapes> = Proof<keyof G & LoadedAction>["resource"]

type ProvidedServices = HttpRouter.Provided
type Needs<R> = Exclude<R, ProvidedServices> | Effect.Services<ReturnType<typeof authorizeRequest>> | SiteSettings

type Handled<R> = Layer.Layer<never, never, HttpRouter.HttpRouter | Exclude<Needs<R>, ProvidedServices>>

interface Handle {
  /** Resources are converted to responses by `showTo`, which depends on the actor. */
  <const Name extends string, const G extends Shapes, Row, R, H extends Handlers<G, Row>>(
    group: Endpoints<Name, G>,
    handlers: H & Handlers<G, Row>,
    how: { readonly showTo: (resource: ResourceOf<G>) => Effect.Effect<(row: Row) => AnswerOf<G>, never, R> }
  ): Handled<ServicesOf<H> | R>
  /** All resources of a response are converted together by `showAllTo`, which can read related rows in one query. */
  <const Name extends string, const G extends Shapes, Row, R, H extends Handlers<G, Row>>(
    group: Endpoints<Name, G>,
    handlers: H & Handlers<G, Row>,
    how: {
      readonly showAllTo: (
        resource: ResourceOf<G>,
        rows: ReadonlyArray<Row>
      ) => Effect.Effect<ReadonlyArray<AnswerOf<G>>, never, R>
    }
  ): Handled<ServicesOf<H> | R>
  /** Resources are converted to responses by `show`, in the same way for all callers. */
  <const Name extends string, const G extends Shapes, Row, H extends Handlers<G, Row>>(
    group: Endpoints<Name, G>,
    handlers: H & Handlers<G, Row>,
    how: { readonly show: (row: Row) => AnswerOf<G> }
  ): Handled<ServicesOf<H>>
  /** Handlers return resources that are already in the response format. */
  <const Name extends string, const G extends Shapes, H extends Handlers<G, never>>(
    group: Endpoints<Name, G>,
    handlers: H & Handlers<G, never>
  ): Handled<ServicesOf<H>>
}

// A separate type, not another overload of `handle`: the compiler would try it for every group.
type HandleCached = <const Name extends string, const G extends Shapes, H extends Handlers<G, never>>(
  group: Endpoints<Name, G>,
  handlers: H & Handlers<G, never>
) => Handled<ServicesOf<H>>

type ShowTo = (resource: Some) => Effect.Effect<(row: Some) => unknown, never, Some>
type ShowAllTo = (resource: Some, rows: ReadonlyArray<Some>) => Effect.Effect<ReadonlyArray<unknown>, never, Some>

const encodeChange = encoderOf(AccessChanges)

const tooDeep = `Pages have numbers for the first ${numberedUpTo} rows of a list: for later rows, follow \`Link\` with \`rel="next"\``

const listed = (
  { more, next, total }: Listed<unknown>,
  page: PageRequest,
  data: ReadonlyArray<unknown>,
  wrap: (data: ReadonlyArray<unknown>, total: number | undefined) => unknown
) =>
  Effect.contextWith((services: Context.Context<HttpServerRequest.HttpServerRequest | PublicUrl>) => {
    const { url } = Context.get(services, HttpServerRequest.HttpServerRequest)
    const { rootUrl } = Context.get(services, PublicUrl)
    if (total === undefined && isTooDeep(page)) return Effect.fail(new WrongInput({ problems: { page: [tooDeep] } }))
    const known = total ?? { more: more ?? next !== undefined, next }
    const headers = pageHeaders(`${rootUrl}${url}`, page, known, "limit")
    return Effect.succeed(HttpServerResponse.jsonUnsafe(wrap(data, total), { headers }))
  })

const wraps = { page: (data: unknown) => data, search: (data: unknown) => ({ ok: true, data }) } as const

/** Returns a function that builds the response body from the rows of a page. */
const wrapOf = (kind: "page" | "search", { counted, field }: Pick<AnyShape, "counted" | "field">) => {
  if (field === undefined) return wraps[kind]
  return (data: unknown, total: number | undefined) =>
    counted && total !== undefined ? { total_count: total, [field]: data } : { [field]: data }
}

const missingAnswer = answerTo(new ResourceNotFound())

/** Returns a function that builds the response of an endpoint from the result of its handler. */
const answererOf = (shape: AnyShape, showAllTo: ShowAllTo | undefined) => {
  const { kind, status } = shape
  const encoder = lazily(() => encoderOf(shape.answer))
  const nothing = Effect.succeed(HttpServerResponse.empty({ status }))
  return (
    outcome: Some,
    { page, proof }: HandlerInput<LoadedAction, unknown, unknown>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, WrongInput, Some> => {
    if (HttpServerResponse.isHttpServerResponse(outcome)) return Effect.succeed(outcome)
    if (outcome instanceof Preview) {
      const data = encodeChange(outcome.changes.rows.map(showChange)) as ReadonlyArray<unknown>
      return listed(outcome.changes, page, data, wraps.page)
    }
    if (kind === "nothing") return nothing
    if (kind === "check") return outcome === true ? nothing : missingAnswer
    const ready = outcome instanceof Shown
    const value = ready ? outcome.answer : outcome
    const many = kind === "page" || kind === "search" ? value.rows : kind === "all" ? value : [value]
    const showing: Effect.Effect<ReadonlyArray<unknown>, never, Some> = ready || showAllTo === undefined
      ? Effect.succeed(many)
      : showAllTo(proof.resource, many)
    return Effect.flatMapEager(showing, (rows) => {
      const data = rows.map(encoder())
      if (kind === "page" || kind === "search") return listed(value, page, data, wrapOf(kind, shape))
      if (ready && outcome.paged !== undefined) {
        return listed({ rows: [], total: outcome.paged.total }, page, data, () => data[0])
      }
      return Effect.succeed(HttpServerResponse.jsonUnsafe(kind === "all" ? data : data[0], { status }))
    })
  }
}

const answerFailure = (
  error: HandlerError | UnreadBody
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Some> =>
  error._tag in wrongBody ? (wrongBody as Record<string, Some>)[error._tag](error) : answerTo(error as HandlerError)

/** Adds the fields `ok` and `error`, which clients expect from searches, to an error response. */
const asSearchFailure = (response: HttpServerResponse.HttpServerResponse) =>
  withErrorKeys(response, (error) => ({ ok: false, error }))

/** Adds the header `X-SVC-Warning` with the ignored body fields to a response. */
const warned = <E, R>(
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  ignored: ReadonlyArray<string>
) => Effect.map(answer, HttpServerResponse.setHeader("x-svc-warning", ignoredWarning(ignored)))

/** Returns the complete route handler of an endpoint: authorization, input, the handler itself and the response. */
const serving = (
  { action, method, path, shape }: EndpointRoute,
  handler: Some,
  showAllTo: ShowAllTo | undefined,
  cached: boolean
) => {
  const answer = answererOf(shape, showAllTo)
  const { body: expected } = shape
  const decodeQuery = lazily(() => queryDecoder(queryFieldsOf(shape)))
  const decodeBody = expected && lazily(() => bodyDecoder(expected))
  const handled = (proof: Proof<LoadedAction>, bytes: Uint8Array | undefined) =>
    Effect.contextWith(
      (services: Context.Context<HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext | SiteSettings>) => {
        const request = Context.get(services, HttpServerRequest.HttpServerRequest)
        const { params } = Context.get(services, HttpRouter.RouteContext)
        const { api } = Context.get(services, SiteSettings)
        return Effect.flatMapEager(decodeQuery()(queryIn(request.url)), (decoded) => {
          const query = decoded as PageQuery & { readonly dry_run?: "true" | "false" | "1" | "0" }
          const answering = (body: unknown) => {
            const page = pageOf(query, api)
            const asked = { proof, params, query, body, page, dryRun: isYes(query.dry_run), request }
            return Effect.flatMap(handler(asked), (outcome) => answer(outcome, asked as never))
          }
          if (decodeBody === undefined) return answering(undefined)
          const strict = prefersStrict(request.headers["prefer"])
          return Effect.flatMap(
            Effect.flatMap(parsed(bytes, method), (input) => decodeBody()(input, { params, strict })),
            ({ body, ignored }) => (ignored.length === 0 ? answering(body) : warned(answering(body), ignored))
          )
        })
      }
    )
  // Created once: V8 keeps the closures of each request longer than the request.
  const atOnce = authorizeRequest(action)
  const answering = cached ? repeatFirstAnswer(`${prefix}${path}`, handled) : handled
  const serve = (signed: Uint8Array | undefined) =>
    guardRoute({
      takesBody: decodeBody !== undefined && !shape.streams,
      largest: shape.largest,
      admit: (before: Proof<LoadedAction> | undefined, body = signed) =>
        before === undefined && body === undefined
          ? atOnce
          : authorizeRequest(action, { before: before?.resource.actor, body }),
      handle: (proof, bytes) => forShares(sharesOf(proof.resource))(answering(proof, bytes))
    })
  const served = shape.streams ? withSignedBody(serve) : serve(undefined)
  return Effect.contextWith((services: Context.Context<HttpRouter.RouteContext>) => {
    const problems = pathProblems(Context.get(services, HttpRouter.RouteContext).params)
    return noProblems(problems) ? served : Effect.fail(new WrongInput({ problems }))
  }).pipe(
    Effect.catch((error) => {
      const failed = answerFailure(error as HandlerError | UnreadBody)
      return shape.kind === "search" ? Effect.map(failed, asSearchFailure) : failed
    })
  )
}

/** Authorizes a request again. Handlers that read a stream call this before they store the content. */
export const recheckAuthorization = <A extends LoadedAction>({
  proof
}: Pick<HandlerInput<A, unknown, unknown>, "proof">): Effect.Effect<
  void,
  HandlerError,
  Effect.Services<ReturnType<typeof authorizeRequest>>
> =>
  Effect.flatMap(authorizeRequest(proof.action as LoadedAction, { before: proof.resource.actor }), (again) =>
    HttpServerResponse.isHttpServerResponse(again) ? Effect.fail(new ResourceNotFound()) : Effect.void
  )

/** Whether the request path has a value for the wildcard `*` of its route. */
const hasRest = Effect.map(HttpRouter.RouteContext, ({ params }) => params["*"] !== undefined)

/** The handler of a route, and the path with the parameter names that the handler expects. */
interface ServedRoute {
  readonly path: string
  readonly answer: Served
}

const parameter = /:(\w+)/g

/** Returns the key by which the router distinguishes routes: method and path, without parameter names. */
const shapeOf = (method: string, path: string): string => `${method} ${path.replace(parameter, ":")}`

const namesIn = (path: string): ReadonlyArray<string> => [...path.matchAll(parameter)].map(([, name = ""]) => name)

/** Returns a handler for the same route under a path with other parameter names. */
const renamed = (path: string, { answer, path: own }: ServedRoute): Served =>
  Effect.updateService(answer, HttpRouter.RouteContext, (context) => {
    const values = namesIn(path).map((name) => context.params[name])
    return { ...context, params: Object.fromEntries(namesIn(own).map((name, at) => [name, values[at]])) }
  })

/** Parses a JSON request body; the body of a PUT may be empty. */
const parsed = (bytes: Uint8Array | undefined, method: string) =>
  Effect.flatMap(textOf(bytes ?? new Uint8Array()), (text) => parseJson(text === "" && method === "PUT" ? "{}" : text))

/**
 * Makes the layer that serves a group of endpoints. Each handler gets the proof of its action and the decoded input, and returns the resources for the response.
 */
export const handle: Handle = (
  group: Endpoints<string, Shapes>,
  handlers: Readonly<Record<string, Some>>,
  how: {
    readonly show?: (row: Some) => unknown
    readonly showTo?: ShowTo
    readonly showAllTo?: ShowAllTo
    readonly cached?: boolean
  } = {}
) => {
  const { show, showTo = show === undefined ? undefined : () => Effect.succeed(show) } = how
  const each: ShowAllTo | undefined =
    showTo && ((resource, rows) => Effect.map(showTo(resource), (shows) => rows.map((row) => shows(row))))
  const { showAllTo = each } = how
  return HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const services = yield* Effect.context<Some>()
      const provide = provideServices(services, withPublicUrl)
      const cache = how.cached === true ? cacheAnonymousAnswers(router, services) : undefined
      const served = new Map<string, ServedRoute>()
      for (const route of group.routes) {
        const effect = serving(route, handlers[route.action], showAllTo, how.cached === true)
        served.set(shapeOf(route.method, route.path), { path: route.path, answer: provide(effect) as Served })
      }
      for (const { method, path } of group.routes) {
        const own = served.get(shapeOf(method, path)) as ServedRoute
        // The router takes `/contents/*` for `/contents` too.
        const bare = path.endsWith("/*") ? served.get(shapeOf(method, path.slice(0, -2))) : undefined
        if (served.has(shapeOf(method, `${path}/*`))) continue
        const answer =
          bare === undefined ? own.answer : Effect.flatMap(hasRest, (has) => (has ? own.answer : renamed(path, bare)))
        yield* router.add(method, `${prefix}${path}`, cache === undefined ? answer : cache(`${prefix}${path}`, answer))
      }
    })
  ) as Some
}

/** Like `handle`, for a group with the same successful responses for all callers; the responses are cached. */
export const handleCached: HandleCached = (group, handlers) =>
  // BOUNDARY: no overload describes how answers are cached.
  (handle as Some)(group, handlers, { cached: true })
