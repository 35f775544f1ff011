import type { Redacted } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"

/** The owner of a container: an application, the deployment that created it, and the compose service, if any. */
export interface Owner {
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
  readonly service: string | null
}

/** Environment variables or build arguments, in order; values may be secret. */
export type Pairs = ReadonlyArray<readonly [name: string, value: Redacted.Redacted]>

/** A port mapping from the server to a container. */
export interface PortMapping {
  /** The address of the server to listen on; null is all of them. */
  readonly address: string | null
  readonly host: number
  readonly container: number
  readonly protocol: "tcp" | "udp"
}

/** The resource limits of a container; null is the engine's default. */
export interface Limits {
  /** Bytes. */
  readonly memory: number | null
  /** Bytes of memory and swap together; -1 is unlimited swap. */
  readonly memorySwap: number | null
  /** The memory reservation in bytes. */
  readonly memoryReservation: number | null
  readonly memorySwappiness: number | null
  /** Billionths of a CPU. */
  readonly nanoCpus: number | null
  /** The CPUs by number, such as `0-2,4`. */
  readonly cpuset: string | null
  readonly cpuShares: number | null
}

/** The restart policy of a container after its main process exits. */
export type RestartPolicy =
  | { readonly _tag: "Never" | "Always" | "UnlessStopped" }
  | { readonly _tag: "OnFailure"; readonly times: number }

/** A mount of a volume or a server path in a container. */
export interface Mount {
  readonly source:
    | { readonly _tag: "Volume"; readonly name: string }
    /** A path of the server, if the instance allows it. */
    | { readonly _tag: "Host"; readonly path: string }
    | { readonly _tag: "Memory"; readonly bytes: number | null; readonly mode: number | null }
  readonly target: string
  readonly readOnly: boolean
}

/** A file that a container has from its creation on; its content may be secret. */
export interface ContainerFile {
  /** An absolute path; missing directories are created. */
  readonly path: string
  readonly text: Redacted.Redacted
}

/** A bound on a resource of the processes in a container, by its name in `ulimit`. */
export interface Ulimit {
  readonly name: string
  readonly soft: number
  readonly hard: number
}

/** The options of `docker run` that an application can set; unset ones are null or empty. */
export interface RunOptions {
  readonly init: boolean
  readonly readOnly: boolean
  readonly hostname: string | null
  readonly user: string | null
  readonly workdir: string | null
  readonly entrypoint: ReadonlyArray<string> | null
  readonly stopSignal: string | null
  /** Seconds; null for `usualStopTimeout`. */
  readonly stopTimeout: number | null
  /** Bytes. */
  readonly shmSize: number | null
  readonly pidsLimit: number | null
  readonly oomScoreAdj: number | null
  readonly dns: ReadonlyArray<string>
  readonly dnsSearch: ReadonlyArray<string>
  readonly dnsOptions: ReadonlyArray<string>
  /** Host names and their addresses. */
  readonly extraHosts: ReadonlyArray<readonly [name: string, address: string]>
  readonly groups: ReadonlyArray<string>
  readonly ulimits: ReadonlyArray<Ulimit>
  readonly sysctls: ReadonlyArray<readonly [name: string, value: string]>
  readonly capDrop: ReadonlyArray<string>
  readonly noNewPrivileges: boolean
  readonly restart: RestartPolicy | null
  /** Memory mounts, and the application's volumes by their names in the application. */
  readonly mounts: ReadonlyArray<Mount>
  /** The options that only an instance with host access accepts. */
  readonly dangerous: DangerousOptions
}

/** The options of `docker run` that give access to the server. */
export interface DangerousOptions {
  readonly privileged: boolean
  readonly capAdd: ReadonlyArray<string>
  readonly devices: ReadonlyArray<{ readonly host: string; readonly container: string; readonly permissions: string }>
  readonly mounts: ReadonlyArray<Mount>
  readonly securityOptions: ReadonlyArray<string>
  readonly pid: "host" | null
  readonly ipc: "host" | null
  readonly network: "host" | null
  readonly gpus: "all" | number | null
}

/** The health check that the engine runs; times in seconds. */
export interface ContainerHealthCheck {
  /** The command and its arguments, without a shell. */
  readonly command: ReadonlyArray<string>
  readonly interval: number
  readonly timeout: number
  readonly retries: number
  readonly startPeriod: number
}

/** A network that a container is attached to, and its aliases there. */
export interface Attachment {
  readonly network: string
  readonly aliases: ReadonlyArray<string>
}

/** The complete configuration of a container: a closed record, independent of any engine. */
export interface ContainerSpec {
  readonly owner: Owner
  readonly name: string
  /** The id, tag or digest of an existing image. */
  readonly image: string
  /** The command and its arguments, which replace those of the image; null keeps the image's. */
  readonly entrypoint: ReadonlyArray<string> | null
  readonly command: ReadonlyArray<string> | null
  readonly environment: Pairs
  /** The user's labels; none can begin with `slipway.`. */
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>
  readonly networks: ReadonlyArray<Attachment>
  readonly ports: ReadonlyArray<PortMapping>
  readonly mounts: ReadonlyArray<Mount>
  readonly files: ReadonlyArray<ContainerFile>
  readonly limits: Limits
  readonly restart: RestartPolicy
  /** Null selects the default of the image. */
  readonly healthCheck: ContainerHealthCheck | null
  readonly options: RunOptions
}

/** A specification without limits. */
export const noLimits: Limits = {
  memory: null,
  memorySwap: null,
  memoryReservation: null,
  memorySwappiness: null,
  nanoCpus: null,
  cpuset: null,
  cpuShares: null
}

/** The default stop timeout in seconds, equal to that of engines. */
export const usualStopTimeout = 10

/** A specification without options of `docker run`. */
export const noOptions: RunOptions = {
  init: false,
  readOnly: false,
  hostname: null,
  user: null,
  workdir: null,
  entrypoint: null,
  stopSignal: null,
  stopTimeout: null,
  shmSize: null,
  pidsLimit: null,
  oomScoreAdj: null,
  dns: [],
  dnsSearch: [],
  dnsOptions: [],
  extraHosts: [],
  groups: [],
  ulimits: [],
  sysctls: [],
  capDrop: [],
  noNewPrivileges: false,
  restart: null,
  mounts: [],
  dangerous: {
    privileged: false,
    capAdd: [],
    devices: [],
    mounts: [],
    securityOptions: [],
    pid: null,
    ipc: null,
    network: null,
    gpus: null
  }
}

/** Returns the specification of a container with only its owner, name and image set. */
export const containerSpec = (
  least: Pick<ContainerSpec, "owner" | "name" | "image"> & Partial<ContainerSpec>
): ContainerSpec => ({
  entrypoint: null,
  command: null,
  environment: [],
  labels: [],
  networks: [],
  ports: [],
  mounts: [],
  files: [],
  limits: noLimits,
  restart: { _tag: "Never" },
  healthCheck: null,
  options: noOptions,
  ...least
})
