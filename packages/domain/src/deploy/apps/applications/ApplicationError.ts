import { Schema } from "effect"

/** Reports that there is no such application. */
export class ApplicationNotFound extends Schema.TaggedError<ApplicationNotFound>()("ApplicationNotFound", {}) {}
