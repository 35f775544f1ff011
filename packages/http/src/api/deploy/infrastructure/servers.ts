import { ComposeText, Frequency, line, text, whole } from "@slipway/domain/deploy/apps"
import { isReservedNetwork } from "@slipway/domain/deploy/containers"
import { EngineTransport, PrivateKeyUuid, ProxyType, TransferState } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, optionalBody } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { BadGatewayBody, BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, Description, listOf, Message, Name, pageQuery, QueryFlag, stamps } from "../base/schemas.ts"
import { ProxyStatus } from "./proxyStatus.ts"

const host = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/
// URL parsing leaves a host unchanged, unless it is a number in the form of a host.
const isHost = (value: string) =>
  host.test(value) && URL.canParse(`http://${value}`) && new URL(`http://${value}`).hostname === value.toLowerCase()
const isIpv6 = (value: string) => /^[0-9A-Fa-f:.]+$/.test(value) && URL.canParse(`http://[${value}]`)
const Address = line(253).check(
  Schema.makeFilter((value: string) =>
    isHost(value) || isIpv6(value) ? undefined : "Must be an IP address or a host name."
  )
)
const WildcardDomain = line(253).check(
  Schema.makeFilter((value: string) =>
    isHost(value) && !/^[0-9.]+$/.test(value) ? undefined : "Must be a host name, such as apps.example.com."
  )
)
const User = line(32).check(
  Schema.makeFilter((value: string) =>
    /^[a-z_][a-z0-9_-]*$/.test(value) ? undefined : "Must be the name of a user on the server."
  )
)
const Network = line(255).check(
  Schema.makeFilter((value: string) =>
    /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(value) && !isReservedNetwork(value)
      ? undefined
      : "Must be the name of a container network."
  )
)
const SocketPath = line(255).check(
  Schema.makeFilter((value: string) =>
    /^\/[A-Za-z0-9_.@/-]+$/.test(value) ? undefined : "Must be the path of a unix socket, such as /var/run/docker.sock."
  )
)
const pem = (what: RegExp, message: string) =>
  text(100_000).check(Schema.makeFilter((value: string) => (what.test(value) ? undefined : message)))
const Certificate = pem(/-----BEGIN CERTIFICATE-----/, "Must be a certificate in PEM.")
const EngineKey = pem(/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/, "Must be a private key in PEM, without a passphrase.")

const settings = {
  description: Description,
  port: whole(1, 65_535),
  user: User,
  private_key_uuid: Schema.NullOr(PrivateKeyUuid),
  is_build_server: Schema.Boolean,
  proxy_type: ProxyType,
  wildcard_domain: Schema.NullOr(WildcardDomain),
  concurrent_builds: whole(1, 1_000),
  deployment_queue_limit: whole(1, 100_000),
  dynamic_timeout: whole(1, 86_400),
  connection_timeout: whole(1, 300),
  engine_transport: EngineTransport,
  engine_socket: Schema.NullOr(SocketPath),
  engine_port: whole(1, 65_535),
  engine_authority: Schema.NullOr(Certificate),
  engine_certificate: Schema.NullOr(Certificate)
}
const optional = {
  description: Schema.optionalKey(settings.description),
  port: Schema.optionalKey(settings.port),
  user: Schema.optionalKey(settings.user),
  private_key_uuid: Schema.optionalKey(settings.private_key_uuid),
  is_build_server: Schema.optionalKey(settings.is_build_server),
  proxy_type: Schema.optionalKey(settings.proxy_type),
  wildcard_domain: Schema.optionalKey(settings.wildcard_domain),
  concurrent_builds: Schema.optionalKey(settings.concurrent_builds),
  deployment_queue_limit: Schema.optionalKey(settings.deployment_queue_limit),
  dynamic_timeout: Schema.optionalKey(settings.dynamic_timeout),
  connection_timeout: Schema.optionalKey(settings.connection_timeout),
  engine_transport: Schema.optionalKey(settings.engine_transport),
  engine_socket: Schema.optionalKey(settings.engine_socket),
  engine_port: Schema.optionalKey(settings.engine_port),
  engine_authority: Schema.optionalKey(settings.engine_authority),
  engine_certificate: Schema.optionalKey(settings.engine_certificate),
  engine_key: Schema.optionalKey(Schema.NullOr(EngineKey)),
  server_disk_usage_check_frequency: Schema.optionalKey(Frequency),
  server_disk_usage_notification_threshold: Schema.optionalKey(whole(1, 100))
}

/** The settings and last validation result of a server, in the object `settings` that Coolify clients expect. */
const ServerSettings = Schema.Struct({
  is_reachable: Schema.Boolean,
  is_usable: Schema.Boolean,
  is_build_server: Schema.Boolean,
  wildcard_domain: Schema.NullOr(Schema.String),
  concurrent_builds: Schema.Number,
  deployment_queue_limit: Schema.Number,
  dynamic_timeout: Schema.Number,
  connection_timeout: Schema.Number,
  server_disk_usage_check_frequency: Schema.String,
  server_disk_usage_notification_threshold: Schema.Number,
  validated_at: Schema.NullOr(Schema.String),
  validation_result: Schema.NullOr(Schema.String),
  /** Whether authorized users may open terminals in the containers of the server. */
  is_terminal_enabled: Schema.Boolean,
  /** Whether `POST /servers/{uuid}/validate` can install a container engine: none responds, and SSH is as `root`. */
  can_install_engine: Schema.Boolean
}).annotate({ identifier: "ServerSettings" })

/** The disk usage of a server at the last check, or the reason why it is unknown. */
const DiskCheck = Schema.Struct({
  at: Schema.String,
  percent: Schema.NullOr(Schema.Number),
  because: Schema.NullOr(Schema.String)
})

/** A transfer of a server. While it is `leaving`, or `imported` and not claimed, the platform does not connect to it. */
const ServerTransfer = Schema.Struct({
  state: TransferState,
  at: Schema.String,
  target_url: Schema.NullOr(Schema.String)
})

/** A server as returned by the API. */
export const Server = Schema.Struct({
  ...stamps,
  name: Schema.String,
  ip: Schema.String,
  ...settings,
  /** The domain of an application without its own domains; `{uuid}` stands for the UUID of the application. */
  generated_domain: Schema.String,
  proxy: Schema.Struct({ type: ProxyType }),
  /** The result of the last validation; null before the first validation. */
  validation_logs: Schema.NullOr(Schema.String),
  /** The result of the last disk check; null before the first check. */
  disk_check: Schema.NullOr(DiskCheck),
  /** Whether the disk usage was above the threshold at the last check. */
  high_disk_usage_notification_sent: Schema.Boolean,
  ...sameFields.server,
  /** The last transfer of the server to or from another instance; null if there was none. */
  transfer: Schema.NullOr(ServerTransfer),
  settings: ServerSettings
}).annotate({ identifier: "Server" })

/** The disk space that the engine of a server uses, in bytes. */
const DiskUse = Schema.Struct({
  images: Schema.Number,
  containers: Schema.Number,
  volumes: Schema.Number,
  build_cache: Schema.Number
})

/** An application on a server, with the fields that Coolify clients read. */
const ServerResource = Schema.Struct({
  uuid: Schema.String,
  name: Schema.NullOr(Schema.String),
  type: Schema.String,
  status: Schema.String
}).annotate({ identifier: "ServerResource" })

/** A server as returned by the endpoint for one server. */
export const ServerDetails = Schema.Struct({
  ...Server.fields,
  /** The disk space used by the container engine; null if the engine does not report it. */
  disk_use: Schema.NullOr(DiskUse),
  /** With `resources=true`: the first thousand applications on the server. */
  resources: Schema.optionalKey(Schema.Array(ServerResource))
}).annotate({ identifier: "ServerDetails" })

/** A destination as returned by the API. */
export const Destination = Schema.Struct({
  ...stamps,
  server_uuid: Schema.String,
  name: Schema.String,
  network: Schema.String,
  type: Schema.Literal("standalone")
}).annotate({ identifier: "Destination" })

/** The result of validating a server's engine. */
export const Validation = Schema.Struct({
  message: Schema.String,
  is_reachable: Schema.Boolean,
  is_usable: Schema.Boolean,
  engine: Schema.NullOr(
    Schema.Struct({
      product: Schema.Literals(["docker", "podman"]),
      version: Schema.String,
      api_version: Schema.String,
      operating_system: Schema.String,
      architecture: Schema.String,
      cpus: Schema.Number,
      memory: Schema.Number
    })
  ),
  host_keys: Schema.Array(Schema.Struct({ address: Schema.String, fingerprint: Schema.String }))
}).annotate({ identifier: "Validation" })

const instant_validate = Schema.optionalKey(Schema.Boolean)

/** The request body that creates a server. */
export const ServerCreation = Schema.Struct({ name: Name, ip: Address, ...optional, instant_validate })
/** The request body that changes a server. */
export const ServerChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  ip: Schema.optionalKey(Address),
  ...optional,
  is_terminal_enabled: Schema.optionalKey(Schema.Boolean),
  instant_validate
})

/** The proxy of a server as returned by the API. */
export const ServerProxy = Schema.Struct({
  proxy_type: ProxyType,
  /** The compose file that sets the proxy's container image; null for the default image of the instance. */
  configuration: Schema.NullOr(Schema.String),
  ...sameFields.proxy
}).annotate({ identifier: "ServerProxy" })

/** The result of storing the configuration of a proxy. */
export const ConfiguredProxy = Schema.Struct({ message: Schema.String, ...ServerProxy.fields }).annotate({
  identifier: "ConfiguredProxy"
})

/** The request body that changes the proxy of a server; Coolify clients write its type in capitals. */
export const ServerProxyChange = Schema.Struct({
  proxy_type: Schema.optionalKey(Schema.Union([ProxyType, Schema.Literals(["CADDY", "TRAEFIK", "NONE"])])),
  redirect_enabled: Schema.optionalKey(sameFields.proxy.redirect_enabled),
  redirect_url: Schema.optionalKey(sameFields.proxy.redirect_url),
  generate_exact_labels: Schema.optionalKey(sameFields.proxy.generate_exact_labels)
}).annotate({ identifier: "ServerProxyChange" })

const uuid = { uuid: Schema.String }
const destination = { destination: Schema.String }
const changeErrors = [...bodyErrors, NotFoundBody, ConflictBody] as const
const removalErrors = [NotFoundBody, ConflictBody] as const

/** A server in the list of servers, with its newest measurement of memory. */
export const ListedServer = Schema.Struct({
  ...Server.fields,
  memory_use: Schema.NullOr(
    Schema.Struct({
      percent: Schema.Finite.annotate({ description: "The used part of the memory in percent." }),
      at: Schema.String
    })
  ).annotate({ description: "Null if the server is not measured." })
}).annotate({ identifier: "ListedServer" })

/** The endpoints of servers and their destinations. */
export class ServersApi extends HttpApiGroup.make("servers")
  .add(
    HttpApiEndpoint.get("list", "/servers", {
      query: { ...pageQuery, private_key_uuid: Schema.optionalKey(PrivateKeyUuid) },
      success: listOf(ListedServer),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List servers, or those with a private key")
      .pipe(access("server.list")),
    HttpApiEndpoint.post("create", "/servers", { payload: ServerCreation, success: createdAnswer, error: bodyErrors })
      .annotate(OpenApi.Summary, "Create a server with a destination")
      .pipe(access("server.create")),
    HttpApiEndpoint.get("get", "/servers/:uuid", {
      params: uuid,
      query: { resources: Schema.optionalKey(QueryFlag) },
      success: ServerDetails,
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Read a server, with the applications on it if `resources` is true")
      .pipe(access("server.read")),
    HttpApiEndpoint.patch("update", "/servers/:uuid", {
      params: uuid,
      payload: ServerChange,
      // Coolify clients accept no other status for this change.
      success: Server.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a server")
      .pipe(access("server.update")),
    HttpApiEndpoint.delete("delete", "/servers/:uuid", { params: uuid, success: Message, error: removalErrors })
      .annotate(OpenApi.Summary, "Delete a server without running applications")
      .pipe(access("server.delete")),
    HttpApiEndpoint.get("validate", "/servers/:uuid/validate", {
      params: uuid,
      success: Validation,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Check whether the container engine of a server answers")
      .pipe(access("server.validate")),
    HttpApiEndpoint.post("startValidation", "/servers/:uuid/validate", {
      params: uuid,
      payload: Schema.Struct({ install: Schema.optionalKey(Schema.Boolean) }).annotate({
        identifier: "ServerValidationStart"
      }),
      success: Message.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Check whether the container engine of a server answers")
      .annotate(
        OpenApi.Description,
        "With `install`, and if no engine answers, starts to install Docker on a server with Debian or Ubuntu, through SSH as `root`. `validation_logs` of the server shows the steps and the result."
      )
      .pipe(optionalBody, access("server.validate")),
    HttpApiEndpoint.get("proxy", "/servers/:uuid/proxy", { params: uuid, success: ServerProxy, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read the proxy of a server")
      .pipe(access("server.read")),
    HttpApiEndpoint.patch("updateProxy", "/servers/:uuid/proxy", {
      params: uuid,
      payload: ServerProxyChange,
      success: ServerProxy,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Choose the proxy of a server")
      .pipe(access("server.update")),
    HttpApiEndpoint.put("configureProxy", "/servers/:uuid/proxy/configuration", {
      params: uuid,
      payload: Schema.Struct({ configuration: ComposeText }).annotate({ identifier: "ProxyConfiguration" }),
      success: ConfiguredProxy,
      error: [...changeErrors, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Choose the image of a server's proxy by a compose file, for its next restart")
      .pipe(access("server.update")),
    HttpApiEndpoint.get("proxyStatus", "/servers/:uuid/proxy/status", {
      params: uuid,
      success: ProxyStatus,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read the state of a server's proxy, and the certificates of its hosts")
      .pipe(access("server.resource.list")),
    HttpApiEndpoint.post("restartProxy", "/servers/:uuid/proxy/restart", {
      params: uuid,
      success: Message,
      error: [NotFoundBody, ConflictBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Restart the proxy of a server with its current routes")
      .pipe(access("server.proxy.restart")),
    HttpApiEndpoint.delete("forgetHostKeys", "/servers/:uuid/host-keys", {
      params: uuid,
      success: Message,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Forget the SSH host keys of a server, so that the next one is trusted")
      .pipe(access("server.update")),
    HttpApiEndpoint.get("listDestinations", "/servers/:uuid/destinations", {
      params: uuid,
      success: Schema.Array(Destination),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the destinations of a server")
      .pipe(access("server.destination.list")),
    HttpApiEndpoint.post("createDestination", "/servers/:uuid/destinations", {
      params: uuid,
      payload: Schema.Struct({
        name: Schema.optionalKey(Name),
        network: Network,
        type: Schema.optionalKey(Schema.Literal("standalone"))
      }),
      success: HttpApiSchema.WithHeaders(Destination.pipe(HttpApiSchema.status(201)), { location: Schema.String }),
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Create a destination on a server")
      .pipe(access("destination.create")),
    HttpApiEndpoint.delete("deleteDestination", "/servers/:uuid/destinations/:destination", {
      params: { ...uuid, destination: Schema.String },
      success: Message,
      error: removalErrors
    })
      .annotate(OpenApi.Summary, "Delete an unused destination")
      .pipe(access("destination.delete")),
    HttpApiEndpoint.get("listAllDestinations", "/destinations", {
      query: pageQuery,
      success: listOf(Destination),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List the destinations of all servers")
      .pipe(access("destination.list")),
    HttpApiEndpoint.get("getDestination", "/destinations/:destination", {
      params: destination,
      success: Destination,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a destination")
      .pipe(access("destination.read")),
    HttpApiEndpoint.patch("updateDestination", "/destinations/:destination", {
      params: destination,
      payload: Schema.Struct({ name: Schema.optionalKey(Name) }).annotate({ identifier: "DestinationChange" }),
      success: Destination,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Rename a destination")
      .pipe(access("destination.update")),
    HttpApiEndpoint.delete("deleteAnyDestination", "/destinations/:destination", {
      params: destination,
      success: Message,
      error: removalErrors
    })
      .annotate(OpenApi.Summary, "Delete an unused destination")
      .pipe(access("destination.delete"))
  )
  .annotate(OpenApi.Description, "Servers for applications, and their networks.") {}
