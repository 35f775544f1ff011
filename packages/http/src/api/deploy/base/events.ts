import { Schema } from "effect"

/** Returns the schema of a server-sent event with JSON data. */
export const eventOf = <Name extends string, Data extends Schema.Top>(event: Name, data: Data) =>
  // An event without an id keeps, for its readers, the id of the event before it.
  Schema.Struct({
    id: Schema.optionalKey(Schema.String),
    event: Schema.Literal(event),
    data: Schema.fromJsonString(data)
  })
