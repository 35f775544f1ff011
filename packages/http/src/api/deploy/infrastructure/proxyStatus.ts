import { Schema } from "effect"

/** The state of the proxy of a server, and the certificates of its HTTPS hosts. */
export const ProxyStatus = Schema.Struct({
  state: Schema.Literals(["idle", "none", "running", "unreachable"]).annotate({
    description: "`idle`: no application is served; `none`: the server has no proxy."
  }),
  message: Schema.NullOr(Schema.String).annotate({ description: "The reason why the proxy is unreachable." }),
  certificates: Schema.Array(
    Schema.Struct({
      application_uuid: Schema.String,
      host: Schema.String,
      valid_from: Schema.NullOr(Schema.String),
      valid_until: Schema.NullOr(Schema.String).annotate({ description: "Null if the proxy has no certificate." }),
      problem: Schema.NullOr(Schema.Literals(["expired", "expires", "missing"]))
    })
  )
}).annotate({ identifier: "ProxyStatus" })
