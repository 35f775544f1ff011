import { Schema } from "effect"

/** The maximum number of log streams that one process sends concurrently, in total and per application. */
export const mostStreams = { inAll: 100, application: 20, team: 20 } as const

/** The maximum number of log lines and characters in one response. */
export const mostInAnswer = { lines: 10_000, characters: 8_388_608 } as const

/** The maximum number of containers of an application from which logs are read. */
export const mostContainers = 50

/** Reports that the maximum number of streams is open. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {
  most: Schema.Number,
  of: Schema.Literals(["application", "team", "process"])
}) {}

/** The seconds after which a client should retry when the maximum number of streams is open. */
export const retryStreamsAfter = 10
