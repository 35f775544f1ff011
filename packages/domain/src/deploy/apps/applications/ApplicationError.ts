import { Schema } from "effect"

/** Reports that the application does not exist. */
export class ApplicationNotFound extends Schema.TaggedError<ApplicationNotFound>()("ApplicationNotFound", {}) {}
