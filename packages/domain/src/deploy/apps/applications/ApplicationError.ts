import { Schema } from "effect"

/** The error for an application that does not exist. */
export class ApplicationNotFound extends Schema.TaggedError<ApplicationNotFound>()("ApplicationNotFound", {}) {}
