import type { Runner } from "@slipway/domain/forge/automation"
import { Runners } from "@slipway/forge/automation"
import { Data, Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { guardRoute } from "../../../guard.ts"
import { parseJson, textOf } from "../../../wire/bodies.ts"
import type { Requests, Responses } from "./schema.ts"

/** The error codes of the Connect RPC protocol, with their HTTP status. */
const codes = {
  deadline_exceeded: 504,
  failed_precondition: 400,
  invalid_argument: 400,
  not_found: 404,
  resource_exhausted: 429,
  unauthenticated: 401,
  unavailable: 503,
  unimplemented: 501
} as const

/** The error response to an RPC request of a runner. */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly code: keyof typeof codes
  readonly message: string
}> {}

const answerFailure = ({ code, message }: Pick<CallFailed, "code" | "message">) =>
  HttpServerResponse.jsonUnsafe({ code, message }, { status: codes[code] })

/** The content types of the message encodings. */
const types = { binary: "application/proto", json: "application/json" } as const

const typeOf = (header = ""): keyof typeof types | undefined => {
  const [type = ""] = header.split(";")
  const word = type.trim().toLowerCase()
  return word === types.binary ? "binary" : word === types.json ? "json" : undefined
}

// Loaded for the first runner: a site without runners never loads the protocol library.
const messages = Effect.promise(() => import("./messages.ts"))

const broken = (sentence: string) => new CallFailed({ code: "invalid_argument", message: sentence })

/** The caller of an RPC method: the authenticated runner, or undefined. */
interface Caller<R extends Runner | undefined> {
  readonly runner: R
}

const callerOf = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const token = Redacted.make(headers["x-runner-token"] ?? "")
  const runner = yield* Runners.authenticate(headers["x-runner-uuid"] ?? "", token)
  return runner === undefined
    ? answerFailure({ code: "unauthenticated", message: "unknown runner uuid or token" })
    : { runner }
})

const anybody = Effect.succeed<Caller<undefined>>({ runner: undefined })

/** An RPC method of the runner protocol: its message types and its handler. */
interface Call<Req extends keyof Requests, Res extends keyof Responses, C extends Runner | undefined, R> {
  readonly request: Req
  readonly response: Res
  /** The maximum size of the request, in bytes. */
  readonly largest: number
  readonly answer: (message: Requests[Req], runner: C) => Effect.Effect<Responses[Res], CallFailed, R>
}

const answering = <Req extends keyof Requests, Res extends keyof Responses, C extends Runner | undefined, R, R2>(
  { answer, largest, request: asked, response }: Call<Req, Res, C, R>,
  admit: Effect.Effect<Caller<C> | HttpServerResponse.HttpServerResponse, never, R2>
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const type = typeOf(headers["content-type"])
    if (type === undefined) {
      const accepted = Object.values(types)
      const body = `messages are ${accepted.join(" or ")}`
      return Effect.succeed(
        HttpServerResponse.text(body, { status: 415, headers: { "accept-post": accepted.join(", ") } })
      )
    }
    const encoding = headers["content-encoding"] ?? "identity"
    if (encoding !== "identity") {
      return Effect.succeed(answerFailure({ code: "unimplemented", message: "messages must not be compressed" }))
    }
    const handle = ({ runner }: Caller<C>, body: Uint8Array = new Uint8Array()) =>
      Effect.gen(function* () {
        const { readBinary, readJson, writeBinary, writeJson } = yield* messages
        const json = type === "json" ? yield* Effect.flatMap(textOf(body), parseJson) : undefined
        const message = yield* Effect.try({
          try: () => (type === "json" ? readJson(asked, json) : readBinary(asked, body)),
          catch: () => broken(`the body is not a valid ${asked}`)
        })
        const result = yield* answer(message, runner)
        return type === "json"
          ? HttpServerResponse.jsonUnsafe(writeJson(response, result))
          : HttpServerResponse.uint8Array(writeBinary(response, result), { contentType: types.binary })
      })
    return guardRoute({ takesBody: true, largest, admit: () => admit, handle })
  }).pipe(
    Effect.catchTags({
      BodyNotJson: ({ sentence }) => Effect.fail(broken(sentence)),
      BodyTooLarge: () =>
        Effect.fail(new CallFailed({ code: "resource_exhausted", message: `the body has more than ${largest} bytes` })),
      BodyTooSlow: () =>
        Effect.fail(new CallFailed({ code: "deadline_exceeded", message: "the body arrived too slowly" })),
      BodiesFull: () =>
        Effect.fail(new CallFailed({ code: "unavailable", message: "too many bodies are being read concurrently" }))
    }),
    Effect.catchTag("CallFailed", (failure) => Effect.succeed(answerFailure(failure)))
  )

/** Makes the handler of an RPC method that needs no authentication. */
export const open = <Req extends keyof Requests, Res extends keyof Responses, R>(call: Call<Req, Res, undefined, R>) =>
  answering(call, anybody)

/** Makes the handler of an RPC method that authenticates the runner first. */
export const ofRunner = <Req extends keyof Requests, Res extends keyof Responses, R>(call: Call<Req, Res, Runner, R>) =>
  answering(call, callerOf)
