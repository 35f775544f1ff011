import { Schema } from "effect"
import type {
  ContainerHealthCheck,
  Limits,
  Mount,
  PortMapping,
  RestartPolicy,
  RunOptions
} from "../engine/ContainerSpec.ts"

const Texts = Schema.Array(Schema.String)
const TextPairs = Schema.Array(Schema.Tuple([Schema.String, Schema.String]))
const Text = Schema.NullOr(Schema.String)
const Amount = Schema.NullOr(Schema.Number)

const MountSchema: Schema.Codec<Mount> = Schema.Struct({
  source: Schema.Union([
    Schema.TaggedStruct("Volume", { name: Schema.String }),
    Schema.TaggedStruct("Host", { path: Schema.String }),
    Schema.TaggedStruct("Memory", { bytes: Amount, mode: Amount })
  ]),
  target: Schema.String,
  readOnly: Schema.Boolean
})

const PortSchema: Schema.Codec<PortMapping> = Schema.Struct({
  address: Text,
  host: Schema.Number,
  container: Schema.Number,
  protocol: Schema.Literals(["tcp", "udp"])
})

const LimitsSchema: Schema.Codec<Limits> = Schema.Struct({
  memory: Amount,
  memorySwap: Amount,
  memoryReservation: Amount,
  memorySwappiness: Amount,
  nanoCpus: Amount,
  cpuset: Text,
  cpuShares: Amount
})

const RestartSchema: Schema.Codec<RestartPolicy> = Schema.Union([
  Schema.Struct({ _tag: Schema.Literals(["Never", "Always", "UnlessStopped"]) }),
  Schema.TaggedStruct("OnFailure", { times: Schema.Number })
])

const HealthCheckSchema: Schema.Codec<ContainerHealthCheck> = Schema.Struct({
  command: Texts,
  interval: Schema.Number,
  timeout: Schema.Number,
  retries: Schema.Number,
  startPeriod: Schema.Number
})

const OptionsSchema: Schema.Codec<RunOptions> = Schema.Struct({
  init: Schema.Boolean,
  readOnly: Schema.Boolean,
  hostname: Text,
  user: Text,
  workdir: Text,
  entrypoint: Schema.NullOr(Texts),
  stopSignal: Text,
  stopTimeout: Amount,
  shmSize: Amount,
  pidsLimit: Amount,
  oomScoreAdj: Amount,
  dns: Texts,
  dnsSearch: Texts,
  dnsOptions: Texts,
  extraHosts: TextPairs,
  groups: Texts,
  ulimits: Schema.Array(Schema.Struct({ name: Schema.String, soft: Schema.Number, hard: Schema.Number })),
  sysctls: TextPairs,
  capDrop: Texts,
  noNewPrivileges: Schema.Boolean,
  restart: Schema.NullOr(RestartSchema),
  mounts: Schema.Array(MountSchema),
  dangerous: Schema.Struct({
    privileged: Schema.Boolean,
    capAdd: Texts,
    devices: Schema.Array(Schema.Struct({ host: Schema.String, container: Schema.String, permissions: Schema.String })),
    mounts: Schema.Array(MountSchema),
    securityOptions: Texts,
    pid: Schema.NullOr(Schema.Literal("host")),
    ipc: Schema.NullOr(Schema.Literal("host")),
    network: Schema.NullOr(Schema.Literal("host")),
    gpus: Schema.NullOr(Schema.Union([Schema.Literal("all"), Schema.Number]))
  })
})

/** The build settings of a compose service's image. */
export const ComposeBuild = Schema.Struct({
  /** The folder of the repository that is the build context; `.` is the entire repository. */
  context: Schema.String,
  /** The path of the Dockerfile, relative to the build context. */
  dockerfile: Schema.String,
  /** The text of an inline Dockerfile, which replaces the Dockerfile in the context; null if there is none. */
  dockerfileInline: Text,
  args: TextPairs,
  /** The build stage to stop at; null builds the last stage of the Dockerfile. */
  target: Text
})
export type ComposeBuild = typeof ComposeBuild.Type

/** A file that the platform adds to the image of a compose service, from the repository or from a text. */
export const ComposeFile = Schema.Struct({
  /** The path of a file or folder of the repository; null if `text` has the content. */
  path: Text,
  text: Text,
  target: Schema.String,
  /** The numeric user and group that own the file; null is root. */
  owner: Text
})
export type ComposeFile = typeof ComposeFile.Type

/** The content of a config or secret that a compose file declares: a path in the repository, or a text. */
export type DeclaredFile = Pick<ComposeFile, "path" | "text">

/** The state that a dependency (another service) must reach before a compose service starts. */
export const ComposeCondition = Schema.Literals([
  "service_started",
  "service_healthy",
  "service_completed_successfully"
])
export type ComposeCondition = typeof ComposeCondition.Type

/** One service of a compose project. */
export const ComposeService = Schema.Struct({
  name: Schema.String,
  /** The reference of the image to pull; null if the image is built and not pulled. */
  image: Text,
  /** The build settings; null if the image is pulled and not built. */
  build: Schema.NullOr(ComposeBuild),
  entrypoint: Schema.NullOr(Texts),
  command: Schema.NullOr(Texts),
  environment: TextPairs,
  labels: TextPairs,
  /** The ports that the service listens on; the proxy sends requests to the first one. */
  exposed: Schema.Array(Schema.Number),
  ports: Schema.Array(PortSchema),
  /** The networks of the application that the service joins, each with the service's host name aliases in it. */
  networks: Schema.Array(Schema.Struct({ name: Schema.String, aliases: Texts })),
  dependsOn: Schema.Array(Schema.Struct({ service: Schema.String, condition: ComposeCondition })),
  /** Null uses the default of the image; `disabled` runs none. */
  healthCheck: Schema.NullOr(Schema.Union([Schema.Literal("disabled"), HealthCheckSchema])),
  limits: LimitsSchema,
  /** The files that are added to the image of the service; absent in releases of earlier platform versions. */
  files: Schema.optionalKey(Schema.Array(ComposeFile)),
  /** The number of replicas; 1 if omitted. */
  replicas: Schema.optionalKey(Schema.Int),
  /** The restart policy; null if the compose files do not set it. */
  restart: Schema.NullOr(RestartSchema),
  options: OptionsSchema
})
export type ComposeService = typeof ComposeService.Type

/** The schema of evaluated compose files, limited to supported options. Its data may contain secrets in plain text. */
export const ComposeProject = Schema.Struct({
  /** The services in start order. */
  services: Schema.Array(ComposeService),
  /** The names of networks that the compose files declare; services without networks join `default`. */
  networks: Texts,
  /** The external networks that services join: pairs of the name in the compose files and the name on the server. */
  external: Schema.optionalKey(TextPairs),
  /** The names of volumes that the compose files declare. */
  volumes: Texts,
  /** Sentences for the user about options of the compose files that the platform ignores. */
  notes: Texts
})
export type ComposeProject = typeof ComposeProject.Type
