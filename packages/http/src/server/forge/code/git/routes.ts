import { clonePath, protocolOf } from "@slipway/domain/forge/code"
import { GitClients } from "@slipway/forge/code"
import { ProposedPulls } from "@slipway/forge/collaboration"
import { Effect, Stream } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { gitHeaders, plainly } from "./answers.ts"
import { enterGit, unavailable } from "./enterGit.ts"

/** The routes of git's smart HTTP protocol, below the path of a repository. */
export const gitPaths = {
  refs: "/:owner/:repository/info/refs",
  fetch: "/:owner/:repository/git-upload-pack",
  push: "/:owner/:repository/git-receive-pack"
} as const

const pathOf = Effect.map(HttpRouter.RouteContext, ({ params }) => `/${params.owner ?? ""}/${params.repository ?? ""}`)

/** Authorizes a client that fetches from a repository or its wiki. */
const enterFetch = (path: string) =>
  clonePath(path)?.wiki === true ? enterGit("git.wiki.fetch", path) : enterGit("git.fetch", path)

const fetchFrom = Effect.fnUntraced(function* (path: string, request: GitClients.ClientRequest) {
  const { again, proof } = yield* enterFetch(path)
  return yield* GitClients.fetch(proof, again, request)
})

/** Authorizes a client that pushes to a repository or its wiki. */
const enterPush = (path: string) =>
  clonePath(path)?.wiki === true ? enterGit("git.wiki.push", path) : enterGit("git.push", path)

const encoder = new TextEncoder()

/** Returns the request body as a stream; an interrupted body ends without error, and git reports the missing part. */
const bodyOf = (request: HttpServerRequest.HttpServerRequest): Stream.Stream<Uint8Array> =>
  Stream.catch(request.stream, () => Stream.empty)

const streamed = (output: Stream.Stream<Uint8Array>, contentType: string) =>
  HttpServerResponse.stream(output, { contentType, headers: gitHeaders })

const protocolIn = ({ headers }: HttpServerRequest.HttpServerRequest) => protocolOf(headers["git-protocol"])

const dumb =
  "this server only supports git's smart HTTP protocol: use git 1.6.6 or newer, without a proxy that breaks the protocol"

/** Reads and discards git's error output, because git blocks if its output is not read. */
const unheard = (said: Stream.Stream<Uint8Array>) => Effect.forkScoped(Stream.runDrain(said))

const refs = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const service = new URLSearchParams(request.url.split("?")[1] ?? "").get("service")
  const protocol = protocolIn(request)
  const path = yield* pathOf
  if (service !== "git-upload-pack" && service !== "git-receive-pack") {
    yield* enterFetch(path)
    return plainly(403, dumb)
  }
  const asked = { exchange: "advertise", protocol, input: Stream.empty } as const
  const answer =
    service === "git-upload-pack"
      ? yield* fetchFrom(path, asked)
      : yield* GitClients.beginPush((yield* enterPush(path)).proof, asked)
  yield* unheard(answer.said)
  const isSecondVersion = protocol?.includes("version=2") === true && service === "git-upload-pack"
  const announced = isSecondVersion ? [] : [GitClients.packetLine(`# service=${service}\n`), encoder.encode("0000")]
  return streamed(
    Stream.concat(Stream.fromIterable(announced), answer.output),
    `application/x-${service}-advertisement`
  )
})

/** Returns whether the content type is git's own, which HTML forms cannot send; prevents cross-site pushes (CSRF). */
const isOf = ({ headers }: HttpServerRequest.HttpServerRequest, service: string): boolean =>
  headers["content-type"] === `application/x-git-${service}-request`

const wrongType = plainly(415, "this URL only accepts POST requests of git clients")

const fetching = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isOf(request, "upload-pack")) return wrongType
  const answer = yield* fetchFrom(yield* pathOf, {
    exchange: "answer",
    protocol: protocolIn(request),
    input: bodyOf(request)
  })
  yield* unheard(answer.said)
  return streamed(answer.output, "application/x-git-upload-pack-result")
})

const pushing = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isOf(request, "receive-pack")) return wrongType
  const { again, edit, proof, propose } = yield* enterPush(yield* pathOf)
  const answer = yield* GitClients.push(
    proof,
    { push: again, edit, propose, open: ProposedPulls.open },
    {
      exchange: "answer",
      protocol: protocolIn(request),
      input: bodyOf(request)
    }
  )
  yield* unheard(answer.said)
  return streamed(answer.output, "application/x-git-receive-pack-result")
})

/** The maximum size of a request body, in bytes; git itself enforces the smaller limit for pushed packs. */
const largestBody = 4 * 1024 ** 4

const answered = <E, R>(
  route: Effect.Effect<HttpServerResponse.HttpServerResponse, E | HttpServerResponse.HttpServerResponse, R>
) =>
  route.pipe(
    Effect.catch((failure) =>
      HttpServerResponse.isHttpServerResponse(failure)
        ? Effect.succeed(failure)
        : Effect.succeed(unavailable(failure as never))
    ),
    HttpMiddleware.decompression({ maxDecompressedSize: largestBody })
  )

/** Layer with the routes of git's smart HTTP protocol, below the URLs of repositories. */
export const gitRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", gitPaths.refs, answered(refs))
    yield* router.add("POST", gitPaths.fetch, answered(fetching))
    yield* router.add("POST", gitPaths.push, answered(pushing))
  })
)
