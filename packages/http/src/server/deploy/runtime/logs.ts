import { ApplicationLogs, DeploymentLogs } from "@slipway/deploy/runtime"
import { InvalidInput } from "@slipway/domain"
import { momentOf, readCursor } from "@slipway/domain/deploy/containers"
import { Effect, Layer, Stream } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import type { QueryFlag } from "../../../api/deploy/base/schemas.ts"
import { LogsApi } from "../../../api/deploy/runtime/logs.ts"
import { eventStream, type StreamedEvent } from "../../wire/eventStream.ts"
import { toHttpErrors } from "../base/errors.ts"
import { isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { OpenStreams } from "../base/streams.ts"

class Api extends HttpApi.make("deploy").add(LogsApi).prefix("/api/v1") {}

interface Query {
  readonly lines?: number
  readonly since?: string
  readonly container?: string
  readonly service?: string
  readonly after?: string
}

const defaultLines = 100

/**
 * Returns the cursor after which a log stream continues: the header `Last-Event-ID`, or else the parameter `after`.
 *
 * A browser that reconnects sends the header together with the original URL.
 */
const resumed = (headers: { readonly "last-event-id"?: string }, after: string | undefined) => {
  const { "last-event-id": last = "" } = headers
  return last === "" ? { name: "after", text: after ?? "" } : { name: "last-event-id", text: last }
}

const noId = (name: string) => new InvalidInput({ problems: { [name]: ["Must be the id of a line or an event."] } })

const wantedOf = Effect.fnUntraced(function* (query: Query, headers: { readonly "last-event-id"?: string } = {}) {
  const { name, text } = resumed(headers, query.after)
  const after = text === "" ? null : readCursor(text)
  if (after === undefined) return yield* noId(name)
  return {
    lines: query.lines ?? defaultLines,
    since: momentOf(query.since ?? "") ?? null,
    container: query.container ?? null,
    service: query.service ?? null,
    after
  } satisfies ApplicationLogs.LogLinesRequest
})

const numberOf = Effect.fnUntraced(function* (headers: { readonly "last-event-id"?: string }, after = 0) {
  const { name, text } = resumed(headers, String(after))
  return /^\d{1,12}$/.test(text) ? Number(text) : yield* noId(name)
})

const showLine = ({ at, container, id, service, stream, text }: ApplicationLogs.Line) => ({
  id,
  at,
  stream,
  container,
  service,
  text
})

/** Reads log lines of an application, a service or a service part, both as one text and as a list of lines. */
export const readLogs = Effect.fnUntraced(function* (
  proof: Parameters<typeof ApplicationLogs.read>[0],
  query: Query & { readonly show_timestamps?: typeof QueryFlag.Type }
) {
  const { lines, lost } = yield* ApplicationLogs.read(proof, yield* wantedOf(query))
  const isDated = isSet(query.show_timestamps)
  const logs = lines.map(({ at, text }) => (isDated ? `${at} ${text}` : text)).join("\n")
  return { logs, lines: lines.map(showLine), lost }
})

const applicationEvent = (event: ApplicationLogs.Event): StreamedEvent => {
  switch (event._tag) {
    case "Line":
      return { id: event.cursor, event: "message", data: showLine(event.line) }
    case "LinesLost":
      return { event: "lost", data: { container: event.container, message: event.because } }
    case "Unreachable":
      return { event: "unreachable", data: { message: event.because } }
    case "End":
      return { event: "end", data: { reason: event.reason } }
  }
}

const deploymentEvent = (event: DeploymentLogs.Event): StreamedEvent => {
  if (event._tag === "Line") return { id: String(event.line.id), event: "message", data: event.line }
  const { reason, status } = event
  return { event: event._tag === "Status" ? "status" : "end", data: { status, reason } }
}

/** The handlers of logs. */
export const layerLogs = HttpApiBuilder.group(
  Api,
  "logs",
  Effect.fnUntraced(function* (handlers) {
    const streams = yield* OpenStreams
    return handlers.handleAll({
      application: ({ query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.logs")
            return yield* readLogs(proof, query)
          })
        ),
      followApplication: ({ headers, query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.logs")
            const { uuid } = proof.resource.application
            const wanted = yield* wantedOf(query, headers)
            yield* streams.enter("application", uuid)
            const events = yield* ApplicationLogs.follow(proof, wanted)
            return yield* eventStream(Stream.map(events, applicationEvent))
          })
        ),
      followDeployment: ({ headers, query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("deployment.read")
            const { deployment } = proof.resource
            const after = yield* numberOf(headers, query.after)
            yield* streams.enter("application", deployment.applicationUuid)
            const events = DeploymentLogs.follow(proof, after)
            return yield* eventStream(Stream.map(events, deploymentEvent))
          })
        )
    })
  })
).pipe(Layer.provide(OpenStreams.layer))
