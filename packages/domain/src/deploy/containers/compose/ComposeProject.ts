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
  /** The folder of the repository that is sent as context; `.` is the entire repository. */
  context: Schema.String,
  /** The path of the Dockerfile in the context. */
  dockerfile: Schema.String,
  /** The text of an inline Dockerfile, in place of the one in the context. */
  dockerfileInline: Text,
  args: TextPairs,
  /** The target stage; null is the last one. */
  target: Text
})
export type ComposeBuild = typeof ComposeBuild.Type

/** A file that is added to the image of a service. */
export const ComposeFile = Schema.Struct({
  /** The path of a file or folder of the repository; null if the content is a text. */
  path: Text,
  text: Text,
  target: Schema.String,
  /** The numeric user and group that own it; null is root. */
  owner: Text
})
export type ComposeFile = typeof ComposeFile.Type

/** The source of a file that compose files declare: a path in the repository, or a text. */
export type DeclaredFile = Pick<ComposeFile, "path" | "text">

/** The state that another service must reach before one starts. */
export const ComposeCondition = Schema.Literals([
  "service_started",
  "service_healthy",
  "service_completed_successfully"
])
export type ComposeCondition = typeof ComposeCondition.Type

/** One service of a compose project. */
export const ComposeService = Schema.Struct({
  name: Schema.String,
  /** The reference of the image to pull; null if it is only built. */
  image: Text,
  /** The build settings; null if the image is only pulled. */
  build: Schema.NullOr(ComposeBuild),
  entrypoint: Schema.NullOr(Texts),
  command: Schema.NullOr(Texts),
  environment: TextPairs,
  labels: TextPairs,
  /** The ports that it listens on; requests are routed to the first. */
  exposed: Schema.Array(Schema.Number),
  ports: Schema.Array(PortSchema),
  /** The networks of the application that it joins, with its aliases there. */
  networks: Schema.Array(Schema.Struct({ name: Schema.String, aliases: Texts })),
  dependsOn: Schema.Array(Schema.Struct({ service: Schema.String, condition: ComposeCondition })),
  /** Null uses the default of the image. */
  healthCheck: Schema.NullOr(HealthCheckSchema),
  limits: LimitsSchema,
  /** Files that are added to its image; releases of earlier versions have none. */
  files: Schema.optionalKey(Schema.Array(ComposeFile)),
  /** The number of replicas; one by default. */
  replicas: Schema.optionalKey(Schema.Int),
  /** Null if the files don't specify it. */
  restart: Schema.NullOr(RestartSchema),
  options: OptionsSchema
})
export type ComposeService = typeof ComposeService.Type

/** The supported part of compose files; plain data, which may contain secrets. */
export const ComposeProject = Schema.Struct({
  /** The services in start order. */
  services: Schema.Array(ComposeService),
  /** The networks of the application, by their names in the files; services without networks join `default`. */
  networks: Texts,
  /** The server networks that the instance allows applications to join, by their names in the files. */
  external: Schema.optionalKey(TextPairs),
  /** The volumes of the application, by their names in the files. */
  volumes: Texts,
  /** The ignored options, as sentences. */
  notes: Texts
})
export type ComposeProject = typeof ComposeProject.Type
