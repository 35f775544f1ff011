import type { Duplex } from "node:stream"
import { traced } from "@slipway/domain"
import {
  type EngineFailure,
  EngineRefused,
  EngineUnreachable,
  type ServerAccess
} from "@slipway/domain/deploy/containers"
import { Effect, Schema, type Scope, Stream } from "effect"
import {
  Headers,
  HttpBody,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import { openHijacked } from "./hijack.ts"
import { type Transport, transportTo } from "./transport.ts"

/** A request to the API of a container engine. */
export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** The path without the API version; names in it are encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly archive?: Stream.Stream<Uint8Array, unknown>
  /** Timeout of the response in seconds; null disables it. */
  readonly seconds?: number | null
}

/** A response of a container engine with any status. */
export interface Answer {
  readonly status: number
  /** The engine's error message; empty if there is none. */
  readonly because: string
  readonly body: string
}

/** The API of a connected container engine. */
export interface Api {
  readonly product: "docker" | "podman"
  /** Sends a request and reads the complete response. A response with an error status is not a failure. */
  readonly ask: (question: Question) => Effect.Effect<Answer, EngineUnreachable>
  /**
   * Sends a request and streams the response body. `refused` creates the error for a response with a status other than
   * 2xx.
   */
  readonly follow: <E>(
    question: Question,
    refused: (answer: Answer) => E
  ) => Stream.Stream<Uint8Array, EngineUnreachable | E>
  /** Opens a raw byte stream to the engine. */
  readonly stream: Effect.Effect<Duplex, EngineUnreachable>
  /** Sends a request that turns its connection into a raw byte stream, until the scope closes. */
  readonly hijack: (question: Pick<Question, "json" | "path">) => Effect.Effect<Duplex, EngineFailure, Scope.Scope>
  readonly spaceAt: Transport["spaceAt"]
  readonly readText: Transport["readText"]
}

/**
 * Encodes a name as part of an API path. The characters `/`, `:` and `@` of image names stay unencoded, as engines
 * require.
 */
export const inPath = (name: string): string =>
  encodeURIComponent(name).replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%40", "@")

/** Creates the error for a rejected request, for which a retry cannot succeed. */
export const refusal = ({ because, status }: Answer): EngineRefused =>
  new EngineRefused({ because: because === "" ? `the engine answered ${status}` : because })

const largestAnswer = 32 * 1_024 * 1_024
const usualSeconds = 60

const causeOf = (error: HttpClientError.HttpClientError): string => {
  const { reason } = error
  const cause: unknown = "cause" in reason ? reason.cause : undefined
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message
}
const unreachable = (error: HttpClientError.HttpClientError) => new EngineUnreachable({ because: causeOf(error) })

/** Reads a response body as text, up to `largestAnswer` bytes (invariant I25: bounded resources). */
const textOf = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.suspend(() => {
    let size = 0
    return response.stream.pipe(
      Stream.mapError(unreachable),
      Stream.tap((chunk) => {
        size += chunk.length
        return size > largestAnswer
          ? Effect.fail(new EngineUnreachable({ because: "the response of the engine is too long" }))
          : Effect.void
      }),
      Stream.mkUint8Array,
      Effect.map((bytes) => new TextDecoder().decode(bytes))
    )
  })

const Failure = Schema.fromJsonString(
  Schema.Struct({ message: Schema.optionalKey(Schema.String), cause: Schema.optionalKey(Schema.String) })
)
const decodeFailure = Schema.decodeUnknownOption(Failure)

const isGood = (status: number): boolean => status < 400

const answerOf = (status: number, body: string): Answer => {
  if (isGood(status)) return { status, because: "", body }
  const failure = decodeFailure(body)
  const because = failure._tag === "Some" ? (failure.value.message ?? failure.value.cause ?? "") : body.trim()
  return { status, because: because.slice(0, 4_000), body }
}

const bodyOf = ({ archive, json }: Question): HttpBody.HttpBody =>
  archive !== undefined
    ? HttpBody.stream(archive, "application/x-tar")
    : json !== undefined
      ? HttpBody.jsonUnsafe(json)
      : HttpBody.empty

// The newest version of the API that this client was written for.
const newest = [1, 47] as const

const Ping = Schema.Struct({ "api-version": Schema.String.check(Schema.isPattern(/^1\.\d{1,3}$/)) })

const versionOf = (shown: string): string => {
  const [, minor = 0] = shown.split(".").map(Number)
  return `v${newest[0]}.${Math.min(minor, newest[1])}`
}

/** Matches the headers with registry passwords. Their values must not appear in traces (invariant I15). */
const registryHeaders = /^x-registry-/

/** Connects to a container engine, and negotiates the API version. */
export const connect = Effect.fnUntraced(function* (access: ServerAccess) {
  const { base, client, readText, spaceAt, stream } = yield* transportTo(access)
  // A partially read answer closes its connection when the scope of the request closes.
  const scoped = HttpClient.withScope(client)
  const within =
    (seconds: number | null) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      seconds === null
        ? effect
        : Effect.timeoutOrElse(effect, {
            duration: seconds * 1_000,
            orElse: () => Effect.fail(new EngineUnreachable({ because: `no answer within ${seconds} seconds` }))
          })
  const send = (prefix: string, question: Question) =>
    Effect.mapError(
      scoped
        .execute(
          HttpClientRequest.make(question.method)(`${base}${prefix}${question.path}`, {
            urlParams: question.query,
            headers: question.headers,
            body: bodyOf(question)
          })
        )
        .pipe(Effect.updateService(Headers.CurrentRedactedNames, (names) => [...names, registryHeaders])),
      unreachable
    )

  const first = yield* send("", { method: "GET", path: "/_ping" }).pipe(Effect.scoped, within(access.connectionTimeout))
  const ping = yield* Effect.mapError(
    Schema.decodeUnknownEffect(Ping)(first.headers),
    () => new EngineUnreachable({ because: "the server at this address is not a container engine" })
  )
  const prefix = `/${versionOf(ping["api-version"])}`

  return {
    stream,
    spaceAt,
    readText,
    product: first.headers["libpod-api-version"] === undefined ? "docker" : "podman",
    ask: (question) =>
      send(prefix, question).pipe(
        Effect.flatMap((response) => Effect.map(textOf(response), (body) => answerOf(response.status, body))),
        Effect.scoped,
        within(question.seconds === undefined ? usualSeconds : question.seconds),
        traced("engine", { method: question.method, of: question.path.split("/")[1] ?? "", server: access.server })
      ),
    hijack: ({ json, path }) =>
      openHijacked(stream, `${prefix}${path}`, json).pipe(
        within(usualSeconds),
        Effect.flatMap(({ body, socket, status }) =>
          isGood(status) ? Effect.succeed(socket) : Effect.fail(refusal(answerOf(status, body)))
        )
      ),
    follow: (question, refused) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const response = yield* send(prefix, question)
          if (isGood(response.status)) return Stream.mapError(response.stream, unreachable)
          const body = yield* textOf(response)
          return yield* Effect.fail(refused(answerOf(response.status, body)))
        })
      )
  } satisfies Api as Api
})

/**
 * Returns a function that decodes the body of a successful response. It fails with an engine error if the body is
 * invalid.
 */
export const answerDecoder = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return (answer: Answer): Effect.Effect<A, EngineFailure> =>
    isGood(answer.status)
      ? Effect.mapError(
          decode(answer.body),
          (error) => new EngineRefused({ because: `unexpected answer: ${error.message}` })
        )
      : Effect.fail(refusal(answer))
}

/** Returns the schema of a field that engines omit or set to null. */
export const orNone = <A>(schema: Schema.Codec<A>) => Schema.optionalKey(Schema.NullOr(schema))
