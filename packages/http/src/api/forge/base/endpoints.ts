import { countedUpTo } from "@slipway/domain"
import { type Action, type ActionName, actions } from "@slipway/domain/forge/access"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { smallBody } from "../../bodySizes.ts"
import { describeAccess, EndpointAction } from "./access.ts"
import { AccessChanges } from "./accessChanges.ts"
import { guardErrors, InvalidBody, NotFoundBody, TooLargeBody, UnavailableBody } from "./errors.ts"
import { pageQuery, QueryFlag } from "./schemas.ts"

/**
 * The kind of response of an endpoint.
 *
 * A response is one resource, a page of a list, a complete list, a page of a search, empty, a yes or no by status
 * (`check`), or built by the handler (`raw`).
 */
export type ShapeKind = "one" | "page" | "all" | "search" | "nothing" | "check" | "raw"

/** The types and limits of an endpoint; path, method and permissions are in the access table row of its action. */
export interface Shape<out K extends ShapeKind, out Body, out Query, out Answer, out D extends boolean = false> {
  readonly kind: K
  readonly body: Schema.Constraint | undefined
  readonly query: Schema.Struct.Fields
  readonly answer: Schema.Constraint | undefined
  readonly status: number
  /** Whether the query accepts `dry_run`, which returns only the consequences of the change. */
  readonly dryRun: D
  /** The maximum size of the body in bytes; for a stream, the maximum that its handler reads. */
  readonly largest: number
  readonly streams: boolean
  readonly errors: ReadonlyArray<Schema.Constraint>
  readonly contentType: string | undefined
  readonly others: ReadonlyArray<Schema.Constraint>
  /** The name of the response field that contains the page; undefined if the response itself is the array. */
  readonly field: string | undefined
  /** Whether the response has the field `total_count` with the number of rows, if known. */
  readonly counted: boolean
  readonly "~types"?: { readonly body: Body; readonly query: Query; readonly answer: Answer }
}

/** A `Shape` with any types. */
export type AnyShape = Shape<ShapeKind, unknown, unknown, unknown, boolean>

/** The annotation of an endpoint with its `Shape`, which clients read. */
export class EndpointShape extends Context.Service<EndpointShape, AnyShape>()("@slipway/http/forge/EndpointShape") {}

type NoFields = Readonly<Record<never, Schema.Constraint>>

/** The options of every endpoint. */
interface Common<Q extends Schema.Struct.Fields> {
  /** The query parameters; `page`, `limit` and `dry_run` are added automatically for the kinds that have them. */
  readonly query?: Q
  /** The errors of this endpoint, in addition to those that every endpoint may return. */
  readonly errors?: ReadonlyArray<Schema.Constraint>
  readonly status?: number
}

/** The options of an endpoint that takes a body. */
interface WithBody<B extends Schema.Constraint, Q extends Schema.Struct.Fields, D extends boolean> extends Common<Q> {
  readonly body?: B
  /** The maximum size of the body in bytes; 64 KiB by default. */
  readonly largest?: number
  readonly dryRun?: D
}

/** The type of the request body that a handler receives: fields with the value `null` are removed. */
export type BodyOf<B extends Schema.Constraint> = [Schema.Schema.Type<B>] extends [never]
  ? undefined
  : Schema.Schema.Type<B> extends infer T extends object
    ? { readonly [K in keyof T]: Exclude<T[K], null> }
    : Schema.Schema.Type<B>

type QueryOf<Q extends Schema.Struct.Fields> = Schema.Struct.Type<Q>

const shape = <S extends AnyShape>(
  kind: S["kind"],
  answer: Schema.Constraint | undefined,
  status: number,
  said: WithBody<Schema.Constraint, Schema.Struct.Fields, boolean> & {
    readonly streams?: boolean
    readonly contentType?: string
    readonly others?: ReadonlyArray<Schema.Constraint>
    readonly field?: string
    readonly counted?: boolean
  } = {}
): S =>
  ({
    kind,
    answer,
    body: said.body,
    query: said.query ?? {},
    status: said.status ?? status,
    dryRun: said.dryRun ?? false,
    largest: said.largest ?? smallBody,
    streams: said.streams ?? false,
    errors: said.errors ?? [],
    contentType: said.contentType,
    others: said.others ?? [],
    field: said.field,
    counted: said.counted ?? false
  }) as unknown as S

/** Declares an endpoint that returns one page of a list, with the headers `X-Total-Count` and `Link`. */
export const list = <A extends Schema.Constraint, const Q extends Schema.Struct.Fields = NoFields>(
  row: A,
  said?: Common<Q> & {
    /** The field of an object that contains the page. */
    readonly field?: string
    /** Whether the response has `total_count` in addition to `field`. */
    readonly counted?: boolean
  }
): Shape<"page", undefined, QueryOf<Q>, A["Type"]> => shape("page", row, 200, said)

/** Declares an endpoint that returns one page of search results, as `{ "ok": true, "data": [] }`. */
export const search = <A extends Schema.Constraint, const Q extends Schema.Struct.Fields = NoFields>(
  row: A,
  said?: Common<Q>
): Shape<"search", undefined, QueryOf<Q>, A["Type"]> => shape("search", row, 200, said)

/** Declares an endpoint that returns a complete list, without pagination; only for short lists. */
export const all = <
  A extends Schema.Constraint,
  B extends Schema.Constraint = Schema.Never,
  const Q extends Schema.Struct.Fields = NoFields
>(
  row: A,
  said?: WithBody<B, Q, false>
): Shape<"all", BodyOf<B>, QueryOf<Q>, A["Type"]> => shape("all", row, 200, said)

/** Declares an endpoint that returns one resource. */
export const read = <A extends Schema.Constraint, const Q extends Schema.Struct.Fields = NoFields>(
  answer: A,
  said?: Common<Q>
): Shape<"one", undefined, QueryOf<Q>, A["Type"]> => shape("one", answer, 200, said)

/** Declares an endpoint that creates a resource and returns it with status 201. */
export const create = <
  A extends Schema.Constraint,
  B extends Schema.Constraint = Schema.Never,
  const Q extends Schema.Struct.Fields = NoFields,
  D extends boolean = false
>(
  answer: A,
  said?: WithBody<B, Q, D>
): Shape<"one", BodyOf<B>, QueryOf<Q>, A["Type"], D> => shape("one", answer, 201, said)

/** Declares an endpoint that changes a resource and returns it with status 200. */
export const edit = <
  A extends Schema.Constraint,
  B extends Schema.Constraint = Schema.Never,
  const Q extends Schema.Struct.Fields = NoFields,
  D extends boolean = false
>(
  answer: A,
  said?: WithBody<B, Q, D>
): Shape<"one", BodyOf<B>, QueryOf<Q>, A["Type"], D> => shape("one", answer, 200, said)

/** Declares an endpoint that performs its action and returns status 204 without a body. */
export const done = <
  B extends Schema.Constraint = Schema.Never,
  const Q extends Schema.Struct.Fields = NoFields,
  D extends boolean = false
>(
  said?: WithBody<B, Q, D>
): Shape<"nothing", BodyOf<B>, QueryOf<Q>, undefined, D> => shape("nothing", undefined, 204, said)

/** Declares an endpoint that removes a resource and returns status 204. */
export const remove = done

/** Declares an endpoint that answers a yes-or-no question: 204 for yes, 404 for no. */
export const check = <const Q extends Schema.Struct.Fields = NoFields>(
  said?: Common<Q>
): Shape<"check", undefined, QueryOf<Q>, undefined> => shape("check", undefined, 204, said)

/**
 * Declares an endpoint with a handler that builds the whole response; with `streams` the handler reads the body too.
 */
export const raw = <B extends Schema.Constraint = Schema.Never, const Q extends Schema.Struct.Fields = NoFields>(
  said?: WithBody<B, Q, false> & {
    readonly streams?: boolean
    /** The content type of the response, if it is not JSON. */
    readonly contentType?: string
    /** The schema of the response, if it is JSON. */
    readonly answer?: Schema.Constraint
    /** The schemas of the other possible responses. */
    readonly others?: ReadonlyArray<Schema.Constraint>
  }
): Shape<"raw", BodyOf<B>, QueryOf<Q>, unknown> => shape("raw", said?.answer, 200, said)

/** The shapes of a group of endpoints, by their actions. */
export type Shapes = { readonly [A in LoadedAction]?: AnyShape }

type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : P extends `${string}*`
    ? "*"
    : never

/** The parameters of the path of an action. */
export type ParamsOf<A extends ActionName> = { readonly [_ in Names<(typeof actions)[A]["path"]>]: string }

type TypesOf<S> =
  S extends Shape<ShapeKind, infer B, infer Q, infer T, boolean>
    ? { readonly body: B; readonly query: Q; readonly answer: T }
    : never

/** The types that a client of a group of endpoints sends and receives, by action. */
export type Contract<G extends Shapes> = {
  readonly [A in keyof G & LoadedAction]: { readonly params: ParamsOf<A> } & TypesOf<G[A]>
}

/** A route of an endpoint: its method, its path in router syntax (`/repos/:owner`), and its action. */
export interface EndpointRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: `/${string}`
  readonly action: LoadedAction
  readonly shape: AnyShape
}

/** A group of endpoints, both for the OpenAPI document (`group`) and for a server (`routes`). */
export interface Endpoints<out Name extends string, out G extends Shapes> {
  readonly name: Name
  readonly shapes: G
  readonly routes: ReadonlyArray<EndpointRoute>
  readonly group: HttpApiGroup.HttpApiGroup<Name, HttpApiEndpoint.Constraint>
}

const safe = ["GET"] as const
const unsafe = ["POST", "PUT", "PATCH", "DELETE"] as const

/**
 * Returns the HTTP methods to register for a catalogue route; HEAD is omitted, because the router handles it by GET.
 */
const methodsOf = (method: string, { access }: Action): ReadonlyArray<EndpointRoute["method"]> => {
  if (method === "ANY") return access === "read" ? safe : unsafe
  return method === "HEAD" ? [] : [method as EndpointRoute["method"]]
}

const routesOf = (action: LoadedAction, shape: AnyShape): ReadonlyArray<EndpointRoute> => {
  const row: Action = actions[action]
  return row.routes.flatMap((route) => {
    const [method = "", template = ""] = route.split(" ")
    const path = template.replace(/\{(\w+)\}/g, ":$1") as `/${string}`
    return methodsOf(method, row).map((each) => ({ method: each, path, action, shape }))
  })
}

const flag = QueryFlag.annotate({
  description: "Returns 200 with the users who would lose or gain access, and changes nothing."
})

/** Returns all parameters of an endpoint's query. */
export const queryFieldsOf = ({ dryRun, kind, query }: AnyShape): Schema.Struct.Fields => ({
  ...query,
  ...(dryRun ? { dry_run: Schema.optionalKey(flag) } : {}),
  ...(dryRun || kind === "page" || kind === "search" ? pageQuery : {})
})

const totalCount = Schema.optionalKey(Schema.Int).annotate({
  description: `The total; omitted for lists with more than ${countedUpTo} rows.`
})

const answersOf = ({
  answer,
  contentType,
  counted,
  dryRun,
  field,
  kind,
  status
}: AnyShape): ReadonlyArray<Schema.Constraint> => {
  const nothing = HttpApiSchema.Empty(status)
  if (kind === "raw" && contentType !== undefined) {
    return [Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }), HttpApiSchema.status(status))]
  }
  if (answer === undefined) return dryRun ? [nothing, AccessChanges] : [nothing]
  const rows = Schema.Array(answer as Schema.Top)
  const whole = {
    one: answer as Schema.Top,
    raw: answer as Schema.Top,
    page:
      field === undefined ? rows : Schema.Struct({ ...(counted ? { total_count: totalCount } : {}), [field]: rows }),
    all: rows,
    search: Schema.Struct({ ok: Schema.Literal(true), data: rows }),
    nothing: undefined,
    check: undefined
  }[kind]
  if (whole === undefined) return [nothing]
  const shown = dryRun ? Schema.Union([whole, AccessChanges]) : whole
  return [shown.pipe(HttpApiSchema.status(status))]
}

const errorsOf = ({ body, errors, streams }: AnyShape): ReadonlyArray<Schema.Constraint> => [
  ...new Set([
    ...guardErrors,
    NotFoundBody,
    InvalidBody,
    ...(body === undefined && !streams ? [] : [TooLargeBody, UnavailableBody]),
    ...errors
  ])
]

const makers = {
  GET: HttpApiEndpoint.get,
  POST: HttpApiEndpoint.post,
  PUT: HttpApiEndpoint.put,
  PATCH: HttpApiEndpoint.patch,
  DELETE: HttpApiEndpoint.delete
} as const

const parametersIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)

/** The prefix of all paths of the API. */
export const prefix = "/api/v1"

/** Declares one route for Effect's HttpApi, without static types: `Shape` has the types. */
const declare = ({ action, method, path, shape }: EndpointRoute, alone: boolean): HttpApiEndpoint.Constraint => {
  const params = Object.fromEntries(parametersIn(path).map((name) => [name, Schema.String]))
  const query = queryFieldsOf(shape)
  const make = makers[method] as unknown as (
    id: string,
    path: string,
    options: Readonly<Record<string, unknown>>
  ) => HttpApiEndpoint.Top
  return make(alone ? action : `${action} ${method}`, `${prefix}${path}`, {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(shape.body === undefined ? {} : { payload: shape.body }),
    success: [...answersOf(shape), ...shape.others],
    error: errorsOf(shape)
  })
    .annotate(EndpointAction, action)
    .annotate(EndpointShape, shape)
    .annotate(OpenApi.Identifier, alone ? action : `${action}.${method.toLowerCase()}`)
    .annotate(OpenApi.Summary, (actions[action] as Action).summary)
    .annotate(OpenApi.Deprecated, action.endsWith("-deprecated"))
    .annotate(OpenApi.Override, { "x-access": describeAccess(action) })
}

/**
 * Returns a group of endpoints, one for each action, from their shapes.
 *
 * Path, method, path parameters, permissions and summary come from the action's row in the catalogue.
 */
export const endpoints = <const Name extends string, const G extends Shapes>(
  name: Name,
  description: string,
  shapes: G
): Endpoints<Name, G> => {
  const routes = Object.entries(shapes).flatMap(([action, shape]) => {
    const each = routesOf(action as LoadedAction, shape as AnyShape)
    return each.map((route) => ({ route, alone: each.length === 1 }))
  })
  const [first, ...others] = routes.map(({ alone, route }) => declare(route, alone))
  if (first === undefined) throw new Error(`the group of endpoints \`${name}\` has none`)
  const group = HttpApiGroup.make(name).add(first, ...others)
  return {
    name,
    shapes,
    routes: routes.map(({ route }) => route),
    group: group.annotate(OpenApi.Description, description)
  }
}
