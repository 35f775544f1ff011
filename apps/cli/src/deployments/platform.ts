import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, Effect, Option, Redacted, Schema } from "effect"
import type { CliError } from "effect/cli"
import { HttpClient, HttpClientRequest } from "effect/http"
import { userError } from "../forge/failures.ts"

const Access = Schema.fromJsonString(
  Schema.Struct({ url: Schema.String, token: Schema.String, domain: Schema.NullOr(Schema.String) })
)

/** The address and token of a deployment platform, and the domain for new applications. */
export interface PlatformAccess {
  readonly url: string
  readonly token: Redacted.Redacted
  readonly domain: string | null
}

const usualUrl = "http://127.0.0.1:8000"
const localFile = join(".slipway", "deploy.json")

const readLocal = (path: string): Option.Option<string> => {
  try {
    return Option.some(readFileSync(path, "utf8"))
  } catch {
    return Option.none()
  }
}

/** Returns the access that the environment names, or that `npm start` stored in the working directory. */
export const platformAccess = (url: Option.Option<string>, file: string = localFile) =>
  Effect.gen(function* () {
    const token = yield* Config.option(Config.Redacted("DEPLOY_TOKEN"))
    if (Option.isSome(token)) {
      const access: PlatformAccess = { url: Option.getOrElse(url, () => usualUrl), token: token.value, domain: null }
      return access
    }
    const text = readLocal(file)
    if (Option.isNone(text)) {
      return yield* userError(
        `set DEPLOY_TOKEN to a token of the platform: ${file}, which \`npm start\` writes, is missing`
      )
    }
    const local = yield* Effect.mapError(Schema.decodeEffect(Access)(text.value), () =>
      userError(`${file} is damaged: remove it and set DEPLOY_TOKEN`)
    )
    if (Option.isSome(url) && url.value !== local.url) {
      return yield* userError(`set DEPLOY_TOKEN to a token of ${url.value}: ${file} is about ${local.url}`)
    }
    const access: PlatformAccess = { ...local, token: Redacted.make(local.token) }
    return access
  })

const Refusal = Schema.fromJsonString(
  Schema.Struct({
    message: Schema.String,
    errors: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
    choices: Schema.optionalKey(
      Schema.Record(Schema.String, Schema.Array(Schema.Struct({ uuid: Schema.String, name: Schema.String })))
    )
  })
)

/** Returns the lines of a refusal: the message, and each problem or choice. */
const refusalOf = (body: string): string => {
  const read = Schema.decodeOption(Refusal)(body)
  if (Option.isNone(read)) return body
  const { choices = {}, errors = {}, message } = read.value
  const problems = Object.entries(errors).flatMap(([field, each]) => each.map((sentence) => `${field}: ${sentence}`))
  const offered = Object.entries(choices).flatMap(([field, each]) =>
    each.map(({ name, uuid }) => `  --field ${field}=${uuid}  (${name})`)
  )
  return [message, ...problems, ...offered].join("\n")
}

/** The HTTP methods that commands use. */
type Method = "DELETE" | "GET" | "POST"

const request = Effect.fnUntraced(function* (
  { token, url }: Pick<PlatformAccess, "token" | "url">,
  method: Method,
  path: string,
  body: unknown
) {
  const plain = HttpClientRequest.make(method)(`${url}/api/v1${path}`).pipe(HttpClientRequest.bearerToken(token))
  const sent = body === undefined ? plain : HttpClientRequest.bodyText(plain, JSON.stringify(body), "application/json")
  const { status, text } = yield* HttpClient.execute(sent)
  return { status, text: yield* text }
}, Effect.provide(NodeHttpClient.layerUndici))

/** Calls the API of a platform, or of another service; fails with the reason that it answers. */
export const callService =
  (access: Pick<PlatformAccess, "token" | "url">, service = "platform") =>
  <A>(
    answer: Schema.Codec<A, unknown>,
    method: Method,
    path: string,
    body?: unknown
  ): Effect.Effect<A, CliError.UserError> =>
    Effect.gen(function* () {
      const { status, text } = yield* Effect.mapError(request(access, method, path, body), ({ message }) =>
        userError(`the ${service} ${access.url} cannot be reached: ${message}`)
      )
      if (status > 299) return yield* userError(refusalOf(text))
      return yield* Effect.mapError(Schema.decodeEffect(Schema.fromJsonString(answer))(text), () =>
        userError(`the ${service} ${access.url} gives an unexpected answer`)
      )
    })

/** Calls the API of a platform. */
export type Call = ReturnType<typeof callService>
