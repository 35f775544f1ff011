import { Schema } from "effect"

/** The number of log streams that one process sends concurrently, in total and per application. */
export const mostStreams = { inAll: 100, ofApplication: 20 } as const

/** The maximum number of lines and characters in one answer. */
export const mostInAnswer = { lines: 10_000, characters: 8_388_608 } as const

/** The maximum number of containers of an application that are read. */
export const mostContainers = 50

/** Reports that as many streams are open as may be. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {
  most: Schema.Number,
  of: Schema.Literals(["application", "process"])
}) {}

/** The seconds after which to ask again for a stream. */
export const retryStreamsAfter = 10
