import { Schema } from "effect"

/** The number of log streams that one process sends concurrently, in total and per application. */
export const mostStreams = { inAll: 100, ofApplication: 20 } as const

/** The maximum number of lines and characters in one response. */
export const mostInAnswer = { lines: 10_000, characters: 8_388_608 } as const

/** The maximum number of containers of an application that are read. */
export const mostContainers = 50

/** Reports that the maximum number of streams is open. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {
  most: Schema.Number,
  of: Schema.Literals(["application", "process"])
}) {}

/** The retry delay for a stream, in seconds. */
export const retryStreamsAfter = 10
