import type { ActionName } from "@slipway/domain/forge/access"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import {
  type AnyShape,
  EndpointAction,
  EndpointShape,
  ForgeApi,
  type ForgeShapes,
  type ParamsOf,
  type Shape
} from "@slipway/http/api/forge"
import { type Brand, Context, Schema } from "effect"
import { HttpApi } from "effect/http-api"

/** A type without Effect's brands, which exist only for the compiler. */
type Plain<T> =
  T extends Brand.Brand<string>
    ? Brand.Brand.Unbranded<T>
    : T extends ReadonlyArray<infer Each>
      ? ReadonlyArray<Plain<Each>>
      : T extends object
        ? { readonly [K in keyof T]: Plain<T[K]> }
        : T

type Answer<Kind, T> = Kind extends "page" | "all" | "search"
  ? ReadonlyArray<T>
  : Kind extends "nothing"
    ? undefined
    : Kind extends "check"
      ? boolean
      : T

type PartOf<Name extends string, T> = [T] extends [undefined] ? unknown : { readonly [_ in Name]: Plain<T> }
type ParamsPart<P> = [keyof P] extends [never] ? unknown : { readonly params: P }
type QueryPart<Kind, Q> = {
  readonly query?: Partial<Q> &
    (Kind extends "page" | "search" ? { readonly page?: number; readonly limit?: number } : unknown)
}

type Input<A extends ActionName, Kind, Body, Query> = ParamsPart<ParamsOf<A>> &
  PartOf<"body", Body> &
  QueryPart<Kind, Query>

/** An API method that performs one action with the caller's permissions. */
export type Method<A extends keyof ForgeShapes, Failing> =
  ForgeShapes[A] extends Shape<infer Kind, infer Body, infer Query, infer T, boolean>
    ? unknown extends ParamsPart<ParamsOf<A>> & PartOf<"body", Body>
      ? (input?: Input<A, Kind, Body, Query>) => Promise<Outcome<Answer<Kind, T>, Failing>>
      : (input: Input<A, Kind, Body, Query>) => Promise<Outcome<Answer<Kind, T>, Failing>>
    : never

/** The result of a method: the response data; with errors as values, an object with either the data or the error. */
export type Outcome<T, Failing> = Failing extends "values"
  ? { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ForgeError }
  : T

type Served = keyof ForgeShapes & LoadedAction
type Head<Name extends string> = Name extends `${infer First}.${string}` ? First : Name
type Tail<Name extends string, First extends string> = Name extends `${First}.${infer Rest}` ? Rest : never

/**
 * All API methods, grouped by the parts of their action names.
 *
 * For example, the action `organization.repository.create` is `forge.organization.repository.create(…)`.
 */
export type Methods<Failing, Names extends string = Served, Before extends string = ""> = {
  readonly [First in Head<Names>]: (`${Before}${First}` extends Served
    ? Method<`${Before}${First}`, Failing>
    : unknown) &
    ([Tail<Names, First>] extends [never] ? unknown : Methods<Failing, Tail<Names, First>, `${Before}${First}.`>)
}

/** Reports that an API method was denied or failed, with the HTTP status and the message. */
export class ForgeError extends Error {
  override readonly name = "ForgeError"
  readonly status: number
  /** The fields of the error response except its message. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, details: Readonly<Record<string, unknown>>) {
    super(typeof details.message === "string" ? details.message : `the forge answered ${status}`)
    this.status = status
    this.details = details
  }
}

interface MethodInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** The HTTP request that an API method sends. */
export interface MethodRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Sends the HTTP request of an API method. */
export type Send = (request: MethodRequest) => Promise<Response>

const parameter = (params: MethodInput["params"], name: string): string => {
  const value = params?.[name]
  if (value === undefined) throw new TypeError(`the parameter \`${name}\` is missing`)
  return name === "*" ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value)
}

const pathOf = (template: string, { params, query }: MethodInput): string => {
  const path = template.replace(/:(\w+)|\*/g, (all, name?: string) => parameter(params, name ?? all))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of [value].flat()) if (each !== undefined) search.append(name, String(each))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

const read = async ({ answer, field, kind }: AnyShape, response: Response): Promise<unknown> => {
  if (kind === "nothing") return undefined
  if (kind === "check") return true
  if (kind === "raw" && answer === undefined) return new Uint8Array(await response.arrayBuffer())
  const json: unknown = await response.json()
  const within = kind === "search" ? "data" : field
  const value = within === undefined ? json : (json as Readonly<Record<string, unknown>>)[within]
  const schema = answer as Schema.Codec<unknown>
  const whole = kind === "page" || kind === "all" || kind === "search" ? Schema.Array(schema) : schema
  return Schema.decodeUnknownSync(whole as Schema.Codec<unknown>)(value)
}

const failure = async (response: Response): Promise<ForgeError> => {
  const text = await response.text()
  try {
    return new ForgeError(response.status, JSON.parse(text) as Readonly<Record<string, unknown>>)
  } catch {
    return new ForgeError(response.status, { message: text })
  }
}

interface Endpoint {
  readonly action: string
  readonly method: string
  readonly path: string
  readonly shape: AnyShape
}

/** The HTTP endpoint of each action; if an action has several routes, the first one. */
const endpoints: ReadonlyArray<Endpoint> = (() => {
  const known = new Map<string, Endpoint>()
  HttpApi.reflect(ForgeApi, {
    onGroup() {},
    onEndpoint({ endpoint: { annotations, method, path } }) {
      const action = Context.getUnsafe(annotations, EndpointAction)
      const shape = Context.getUnsafe(annotations, EndpointShape)
      if (!known.has(action)) known.set(action, { action, method, path, shape })
    }
  })
  // A longer name is nested below a shorter one, which may be a method itself.
  return [...known.values()].toSorted((one, other) => one.action.length - other.action.length)
})()

const methodOf =
  ({ method, path, shape }: Endpoint, send: Send, values: boolean) =>
  async (input: MethodInput = {}): Promise<unknown> => {
    const response = await send({ method, path: pathOf(path, input), body: input.body })
    const isNo = shape.kind === "check" && response.status === 404
    if (!response.ok && !isNo) {
      const error = await failure(response)
      if (values) return { ok: false, error }
      throw error
    }
    const value = isNo ? false : await read(shape, response)
    return values ? { ok: true, value } : value
  }

/** Creates the API methods of one caller; `send` sends their requests. */
export const methodsOf = <Failing extends "thrown" | "values">(send: Send, failing: Failing): Methods<Failing> => {
  const root: Record<string, unknown> = {}
  for (const endpoint of endpoints) {
    const names = endpoint.action.split(".")
    const last = names.pop() ?? ""
    let place = root
    for (const name of names) {
      place[name] ??= {}
      place = place[name] as Record<string, unknown>
    }
    place[last] = Object.assign(methodOf(endpoint, send, failing === "values"), place[last])
  }
  // BOUNDARY: the tree has the methods of all actions that the types name.
  return root as Methods<Failing>
}
