import { line, text } from "@slipway/domain/deploy/apps"
import { bundleFormat, bundleVersion } from "@slipway/domain/deploy/runtime"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, optionalBody } from "../base/access.ts"
import {
  BadGatewayBody,
  BadRequestBody,
  bodyErrors,
  ConflictBody,
  DomainConflictsBody,
  ForbiddenBody,
  NotFoundBody
} from "../base/errors.ts"
import { Message, QueryFlag } from "../base/schemas.ts"

/** The passphrase of a bundle. A bundle contains secrets, so that a guessable passphrase would disclose them. */
const Passphrase = text(1_000).check(
  Schema.makeFilter((value: string) => (value.length < 16 ? "Must be at least 16 characters long." : undefined))
)

const local: ReadonlyArray<string> = ["localhost", "127.0.0.1", "[::1]"]

/** The URL of another instance. The request contains a token and a passphrase, so that it needs TLS. */
const TargetUrl = line(2_048).check(
  Schema.makeFilter((value: string) => {
    const url = URL.canParse(value) ? new URL(value) : undefined
    const isUsable = url?.protocol === "https:" || (url?.protocol === "http:" && local.includes(url.hostname))
    return isUsable && url.username === "" && url.search === "" && url.hash === ""
      ? undefined
      : "Must be the https URL of an instance, such as https://deploy.example.com."
  })
)

/** An option that only has the value true: containers and volumes on the server have names with the uuids. */
const Always = Schema.optionalKey(Schema.Literal(true))

/** An encrypted bundle: a file of the program `age` with a passphrase, which contains JSON compressed with gzip. */
export const TransferBundle = Schema.Struct({
  format: Schema.Literal(bundleFormat),
  version: Schema.Literal(bundleVersion),
  encrypted: Schema.Literal(true),
  encryption: Schema.Literal("age"),
  export_id: Schema.String,
  /** The file, as base64. */
  data: Schema.String
}).annotate({ identifier: "TransferBundle" })

/** The request body that imports a server. */
export const ServerImport = Schema.Struct({
  bundle: TransferBundle,
  passphrase: Passphrase,
  dry_run: Schema.optionalKey(Schema.Boolean),
  preserve_uuids: Always,
  adopt_mode: Always,
  claim: Schema.optionalKey(Schema.Boolean),
  write_remote: Schema.optionalKey(Schema.Boolean),
  rebind_sentinel: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ServerImport" })

const imported = {
  message: Schema.String,
  uuid: Schema.String,
  export_id: Schema.String,
  /** Whether this instance manages the server now. */
  claimed: Schema.Boolean,
  /** The reason why the server could not be claimed; null if it was claimed, or was not to be. */
  claim_error: Schema.NullOr(Schema.String),
  /** Whether the same bundle was imported before, so that nothing was changed. */
  repeated: Schema.Boolean,
  resources: Schema.Struct({ applications: Schema.Number, services: Schema.Number, databases: Schema.Number }),
  /** The projects with other names than in the bundle, because the team already uses these names. */
  renamed: Schema.Array(Schema.Struct({ type: Schema.Literal("project"), from: Schema.String, to: Schema.String }))
}

/** The result of an import. */
export const ImportedServer = Schema.Struct({ ...imported, dry_run: Schema.Literal(false) }).annotate({
  identifier: "ImportedServer"
})
/** The result that an import would have. */
export const TriedImport = Schema.Struct({ ...imported, dry_run: Schema.Literal(true) }).annotate({
  identifier: "TriedImport"
})

/** The request body that claims a server. */
export const ServerClaim = Schema.Struct({
  write_remote: Schema.optionalKey(Schema.Boolean),
  rebind_sentinel: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ServerClaim" })

/** The request body that transfers a server to another instance. */
export const ServerMigration = Schema.Struct({
  target_url: TargetUrl,
  target_token: line(1_000).check(
    Schema.makeFilter((value: string) => (/^[\x21-\x7e]+$/.test(value) ? undefined : "Must be a token."))
  ),
  write_remote: Schema.optionalKey(Schema.Boolean),
  rebind_sentinel: Schema.optionalKey(Schema.Boolean),
  preserve_uuids: Always,
  adopt_mode: Always
}).annotate({ identifier: "ServerMigration" })

const Completed = Schema.Struct({ message: Schema.String, uuid: Schema.String, export_id: Schema.String })

const params = { uuid: Schema.String }
const errors = [...bodyErrors, ForbiddenBody, NotFoundBody, ConflictBody] as const

/** The endpoints that move servers between instances. */
export class TransfersApi extends HttpApiGroup.make("transfers")
  .add(
    HttpApiEndpoint.get("export", "/servers/:uuid/export", {
      params,
      query: { passphrase: Passphrase, encrypt: Schema.optionalKey(QueryFlag) },
      success: TransferBundle,
      error: [BadRequestBody, NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Export a server as an encrypted bundle, without a change of the server")
      .annotate(
        OpenApi.Description,
        "Proxies may log the query with the passphrase: `POST` has it in the body. The bundle is always encrypted, because it contains secrets."
      )
      .pipe(access("server.export")),
    HttpApiEndpoint.post("begin", "/servers/:uuid/export", {
      params,
      payload: Schema.Struct({ passphrase: Passphrase }).annotate({ identifier: "ServerExport" }),
      success: TransferBundle,
      error: errors
    })
      .annotate(OpenApi.Summary, "Begin the transfer of a server, and export it as an encrypted bundle")
      .annotate(
        OpenApi.Description,
        "This instance does not connect to the server until the transfer is completed or cancelled. Containers keep running. A repeated request returns the current bundle of the same transfer."
      )
      .pipe(access("server.transfer")),
    HttpApiEndpoint.post("toMailbox", "/servers/:uuid/export/mailbox", {
      params,
      payload: Schema.Struct({ passphrase: Passphrase }).annotate({ identifier: "MailboxExport" }),
      success: Schema.Struct({ message: Schema.String, export_id: Schema.String, path: Schema.String }),
      error: [...errors, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Write the encrypted bundle of a server into a file on the server")
      .pipe(access("server.transfer")),
    HttpApiEndpoint.post("import", "/servers/import", {
      payload: ServerImport,
      success: [TriedImport, ImportedServer.pipe(HttpApiSchema.status(201))],
      error: [...bodyErrors, ForbiddenBody, NotFoundBody, ConflictBody, DomainConflictsBody]
    })
      .annotate(OpenApi.Summary, "Import a server from an encrypted bundle")
      .annotate(
        OpenApi.Description,
        "Imports everything or nothing. A repeated import of the same bundle changes nothing. With `dry_run`, the bundle is only checked. With `claim`, which is the default, this instance manages the server immediately if its engine responds."
      )
      .pipe(access("server.import")),
    HttpApiEndpoint.post("claim", "/servers/:uuid/claim", {
      params,
      payload: ServerClaim,
      success: Schema.Struct({ message: Schema.String, uuid: Schema.String, claimed: Schema.Literal(true) }),
      error: [...bodyErrors, NotFoundBody, ConflictBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Claim an imported server, so that this instance manages it")
      .annotate(
        OpenApi.Description,
        "With `write_remote`, the default for servers that are reached by SSH, writes the file `/data/slipway/owner.json` on the server. Without `rebind_sentinel`, disables the metrics of the server."
      )
      .pipe(optionalBody, access("server.transfer")),
    HttpApiEndpoint.post("complete", "/servers/:uuid/transfer/complete", {
      params,
      payload: Schema.Struct({
        export_id: Schema.optionalKey(Schema.NullOr(line(100))),
        target_instance_url: Schema.optionalKey(Schema.NullOr(line(2_048)))
      }).annotate({ identifier: "TransferCompletion" }),
      success: Completed,
      error: [...bodyErrors, NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Complete the transfer of a server: remove it here, and nothing from its machine")
      .pipe(optionalBody, access("server.transfer")),
    HttpApiEndpoint.delete("cancel", "/servers/:uuid/transfer", {
      params,
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Cancel the transfer of a server, so that this instance manages it again")
      .pipe(access("server.transfer")),
    HttpApiEndpoint.post("migrate", "/servers/:uuid/migrate", {
      params,
      payload: ServerMigration,
      success: Completed,
      error: [...errors, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Transfer a server to another instance in one request")
      .annotate(
        OpenApi.Description,
        "Begins the transfer, imports and claims the server there, and completes the transfer here. A repeated request continues an interrupted transfer; a rejection by the other instance cancels it."
      )
      .pipe(access("server.transfer"))
  )
  .annotate(OpenApi.Description, "The transfer of servers between instances and teams.") {}
