import {
  type CallOptions,
  type Connection,
  connect,
  isRepeatable,
  nextPage,
  type Raw,
  type Sent
} from "./connection.ts"
import type { ConnectionError, ServiceError } from "./errors.ts"

/** A segment of a path. */
export type Segment = string | number

/** The errors of a call: those that the endpoint declares, those of reverse proxies, and a connection error. */
export type Failure<Bodies, Status extends number> =
  | { readonly [S in Status]: ServiceError<S, S extends keyof Bodies ? Bodies[S] : unknown> }[Status]
  | ServiceError<Exclude<500 | 502 | 503 | 504, Status>, unknown>
  | ConnectionError

/** The result of a call, with errors as values. */
export type Result<Answer, Error> =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly error: Error }

/** A pending answer. Awaiting it throws an error; `result` returns errors as values. */
export interface Reply<Answer, Error> extends PromiseLike<Answer> {
  readonly result: () => Promise<Result<Answer, Error>>
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The total number of rows of the list; undefined if the service does not count them. */
  readonly total: number | undefined
}

/** A pending list. Awaiting it returns the requested page; iterating over it returns all rows from that page on. */
export interface Listing<Row, Error> extends Reply<ReadonlyArray<Row>, Error>, AsyncIterable<Row> {
  readonly pages: () => AsyncIterableIterator<Page<Row>>
}

type Arguments<Input> = unknown extends Input
  ? [input?: undefined, options?: CallOptions]
  : Partial<Input> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions]

/** A method that returns one answer. */
export type Call<Input, Answer, Bodies, Status extends number> = (
  ...args: Arguments<Input>
) => Reply<Answer, Failure<Bodies, Status>>

/** A method that returns a list, page by page. */
export type List<Input, Row, Bodies, Status extends number> = (
  ...args: Arguments<Input>
) => Listing<Row, Failure<Bodies, Status>>

interface Given {
  readonly params?: Readonly<Record<string, Segment>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Encodes one segment of a path; throws for `.` and `..`, which change the path even if encoded. */
const step = (value: string): string => {
  if (value === "." || value === "..") throw new TypeError(`\`${value}\` is not a path segment`)
  return encodeURIComponent(value)
}

const pathOf = (template: string, params: Given["params"]): string =>
  template.replace(/\{(\w+)\}|\*/g, (whole, name: string = whole) => {
    const value = params?.[name]
    if (value === undefined) throw new TypeError(`the parameter \`${name}\` is missing`)
    return (name === "*" ? String(value).split("/") : [String(value)]).map(step).join("/")
  })

const queryOf = (query: Given["query"] = {}): URLSearchParams => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each !== undefined) search.append(name, String(each))
  }
  return search
}

const replyOf = <Answer>(answered: () => Promise<Answer>): Reply<Answer, unknown> => {
  let pending: Promise<Answer> | undefined
  const answer = () => {
    pending ??= answered()
    return pending
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a reply is awaited like a promise, and asks nothing before that
    then: (onFulfilled, failed) => answer().then(onFulfilled, failed),
    result: () =>
      answer().then(
        (value) => ({ ok: true as const, value }),
        (error: unknown) => ({ ok: false as const, error })
      )
  }
}

const bodyOf = async (response: Response): Promise<unknown> => {
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("application/json")) {
    const text = await response.text()
    return text === "" ? undefined : (JSON.parse(text) as unknown)
  }
  if (response.status === 204 || type === "") return response.body?.cancel()
  return type.startsWith("text/") && !type.startsWith("text/event-stream") ? response.text() : response
}

const methodOf = (connection: Connection, row: string) => {
  const [verb = "", template = "", kind = ""] = row.split(" ")
  const [, field] = kind.split(":")
  return (args: Given = {}, options: CallOptions = {}) => {
    const sent = (search: URLSearchParams): Sent => ({
      method: verb,
      path: pathOf(template, args.params),
      search,
      body: kind === "stream" || args.body === undefined ? (args.body as Raw | undefined) : JSON.stringify(args.body),
      isJson: kind !== "stream" && args.body !== undefined,
      repeats: isRepeatable(verb)
    })
    const ask = (search: URLSearchParams, also: ReadonlyArray<number> = []) => connection(sent(search), options, also)
    if (kind === "check") return replyOf(async () => (await ask(queryOf(args.query), [404])).status !== 404)
    if (!kind.startsWith("list")) return replyOf(async () => bodyOf(await ask(queryOf(args.query))))
    const rowsOf = async (response: Response): Promise<ReadonlyArray<unknown>> => {
      // A change that can be previewed answers with rows only if the query asks for the preview.
      if (response.status === 204) return []
      const whole = (await response.json()) as Readonly<Record<string, unknown>>
      return (field === undefined ? whole : whole[field]) as ReadonlyArray<unknown>
    }
    async function* pages(): AsyncIterableIterator<Page<unknown>> {
      for (let search: URLSearchParams | undefined = queryOf(args.query); search !== undefined; ) {
        const response: Response = await ask(search)
        const total = response.headers.get("x-total-count")
        yield { rows: await rowsOf(response), total: total === null ? undefined : Number(total) }
        search = nextPage(response)
      }
    }
    return {
      ...replyOf(async () => rowsOf(await ask(queryOf(args.query)))),
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const { rows } of pages()) yield* rows
      }
    }
  }
}

/** Creates the methods of a service from its routes: a dot in a name is one level of nesting. */
export const methodsOf = <Methods>(
  routes: Readonly<Record<string, string>>,
  options: Parameters<typeof connect>[0]
): Methods => {
  const connection = connect(options)
  const root: Record<string, unknown> = {}
  // A longer name is nested below a shorter one, which may be a method itself.
  for (const [name, row] of Object.entries(routes).sort(([one], [other]) => one.length - other.length)) {
    const steps = name.split(".")
    const last = steps.pop() ?? ""
    let place = root
    for (const step of steps) {
      place[step] ??= {}
      place = place[step] as Record<string, unknown>
    }
    place[last] = Object.assign(methodOf(connection, row), place[last])
  }
  // BOUNDARY: routes and types are generated by one program from one definition.
  return root as Methods
}
