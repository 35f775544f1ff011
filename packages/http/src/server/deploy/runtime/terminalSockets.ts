import { authorizeNamed } from "@slipway/deploy/entry"
import { Terminals } from "@slipway/deploy/runtime"
import { largestTerminal } from "@slipway/domain/deploy/containers"
import { type TerminalInput, TooManyTerminals, terminalEnds, terminalLimits } from "@slipway/domain/deploy/runtime"
import { Effect, Schema, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { CloseEvent, type Reader, type Writer } from "effect/socket/Socket"
import { ShutdownSignal } from "../../shutdown.ts"
import { limitStreams } from "../../wire/streamLimit.ts"
import { toHttpErrors } from "../base/errors.ts"
import { type Browser, browser, queryOf } from "../identity/browser.ts"

const actions = {
  applications: "application.terminal",
  databases: "database.terminal",
  services: "service.terminal"
} as const
type Kind = keyof typeof actions

/** The paths to which browsers connect for a terminal. */
export const terminalPaths = [
  "/terminal/applications/:uuid",
  "/terminal/databases/:uuid",
  "/terminal/services/:uuid"
] as const

const kindOf = (path: (typeof terminalPaths)[number]): Kind => path.split("/")[2] as Kind

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: largestTerminal }))
const Size = Schema.Struct({ columns: Amount, rows: Amount })
/** The text messages of a browser. Typed keys are binary messages. */
const Message = Schema.fromJsonString(
  Schema.Union([
    Size,
    Schema.Struct({
      shown: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: terminalLimits.unconfirmed * 4 }))
    })
  ])
)
const decodeMessage = Schema.decodeUnknownEffect(Message)
const decodeSize = Schema.decodeUnknownOption(Size)

const usualSize = { columns: 80, rows: 24 }

/** The close codes of the WebSocket: the terminal ended as intended, or it could not be opened. */
const closeCodes = { ended: 4000, refused: 4001 } as const

/** The maximum length of the reason in a close frame, in bytes. */
const longestReason = 123

const reasonOf = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  return bytes.length <= longestReason
    ? text
    : new TextDecoder().decode(bytes.subarray(0, longestReason - 3)).replace(/\uFFFD?$/, "…")
}

const inputOf = (message: string | Uint8Array) =>
  typeof message === "string"
    ? Effect.map(
        decodeMessage(message),
        (decoded): TerminalInput =>
          "shown" in decoded ? { _tag: "Shown", bytes: decoded.shown } : { _tag: "Resize", size: decoded }
      )
    : Effect.succeed<TerminalInput>({ _tag: "Keys", bytes: message })

/** Returns the browser at the other end of a WebSocket. Its input ends when the socket closes or sends bad messages. */
const clientOf = (reader: Reader, writer: Writer) => ({
  input: Stream.fromIterableEffectRepeat(reader.pull).pipe(Stream.mapEffect(inputOf)),
  send: writer.write
})

const sizeIn = (query: URLSearchParams) => {
  const wanted = decodeSize({ columns: Number(query.get("columns")), rows: Number(query.get("rows")) })
  return wanted._tag === "Some" ? wanted.value : usualSize
}

/** Refuses the WebSocket handshake with a response. */
const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.jsonUnsafe({ message }, { status, headers })

/** Layer with the WebSocket endpoints of terminals. Only browser sessions of pages of this site can open them. */
export const terminalRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const limit = limitStreams(terminalLimits.inAll)
    const take = (account: string) =>
      limit(account, terminalLimits.account, (reached) =>
        reached === "all"
          ? new TooManyTerminals({ most: terminalLimits.inAll, of: "process" })
          : new TooManyTerminals({ most: terminalLimits.account, of: "account" })
      )
    /** Connects an authorized browser until its terminal ends. The last message has the reason. */
    const serveTerminal = Effect.fnUntraced(function* (asking: Browser, proof: Terminals.TerminalProof) {
      const { caller } = proof.resource
      const shutdown = yield* ShutdownSignal
      const socket = yield* asking.request.upgrade
      const reader = yield* socket.reader
      const writer = yield* socket.writer
      const query = queryOf(asking)
      const wanted = { container: query.get("container"), size: sizeIn(query) }
      const opened = Effect.gen(function* () {
        yield* take(caller.accountUuid ?? caller.tokenUuid)
        return yield* Terminals.run(proof, wanted, clientOf(reader, writer), shutdown)
      })
      const close = yield* Effect.scoped(opened).pipe(
        toHttpErrors,
        Effect.match({
          onSuccess: (end) => new CloseEvent(closeCodes.ended, reasonOf(terminalEnds[end])),
          onFailure: (error) => new CloseEvent(closeCodes.refused, reasonOf(error.message))
        })
      )
      yield* writer.write(close)
    }, Effect.scoped)
    const handle = (kind: Kind) =>
      Effect.gen(function* () {
        const asking = yield* browser
        const { caller, request, rootUrl } = asking
        if (request.headers.upgrade?.toLowerCase() !== "websocket") {
          return refused(426, "Connect with a WebSocket.", { upgrade: "websocket" })
        }
        // Browsers send the session cookie with WebSockets of other sites, too.
        if (request.headers.origin !== new URL(rootUrl).origin) return refused(403, "The origin is another site.")
        if (caller === undefined) return refused(401, "Unauthenticated.")
        const { params } = yield* HttpRouter.RouteContext
        const authorized = yield* Effect.result(authorizeNamed(caller, actions[kind], params))
        if (authorized._tag === "Failure") {
          return authorized.failure._tag === "NotAuthorized"
            ? refused(403, `${authorized.failure.because}.`)
            : refused(404, "Not found.")
        }
        // A connection that breaks needs no response.
        yield* Effect.ignore(serveTerminal(asking, authorized.success))
        return HttpServerResponse.empty()
      })
    for (const path of terminalPaths) yield* router.add("GET", path, handle(kindOf(path)))
  })
)
