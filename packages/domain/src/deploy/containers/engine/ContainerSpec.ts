import type { Redacted } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"

/** The owner of a container or image: its application, the deployment that created it, and its compose service. */
export interface Owner {
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
  readonly service: string | null
}

/** Environment variables or build arguments, in order. Logs never show the values, because they may be secret. */
export type Pairs = ReadonlyArray<readonly [name: string, value: Redacted.Redacted]>

/** A port mapping from the server to a container. */
export interface PortMapping {
  /** The IP address of the server to listen on; null listens on all addresses. */
  readonly address: string | null
  readonly host: number
  readonly container: number
  readonly protocol: "tcp" | "udp"
}

/** The resource limits of a container; a field with null uses the default of the container engine. */
export interface Limits {
  /** The memory limit in bytes. */
  readonly memory: number | null
  /** The limit of memory plus swap, in bytes; -1 is unlimited swap. */
  readonly memorySwap: number | null
  /** The memory reservation in bytes. */
  readonly memoryReservation: number | null
  readonly memorySwappiness: number | null
  /** The CPU limit in billionths of a CPU; 1,000,000,000 is one CPU. */
  readonly nanoCpus: number | null
  /** The numbers of the CPUs that the container may use, such as `0-2,4`. */
  readonly cpuset: string | null
  readonly cpuShares: number | null
}

/** Whether the engine restarts a container after its main process exits; `times` is the maximum number of restarts. */
export type RestartPolicy =
  | { readonly _tag: "Never" | "Always" | "UnlessStopped" }
  | { readonly _tag: "OnFailure"; readonly times: number }

/** A mount of a volume or a server path in a container. */
export interface Mount {
  readonly source:
    | { readonly _tag: "Volume"; readonly name: string }
    /** A path of the server; only instances that allow host access accept it. */
    | { readonly _tag: "Host"; readonly path: string }
    | { readonly _tag: "Memory"; readonly bytes: number | null; readonly mode: number | null }
  readonly target: string
  readonly readOnly: boolean
}

/** A file that is written into a container when the container is created; its content may be secret. */
export interface ContainerFile {
  /** The absolute path of the file in the container; missing directories are created. */
  readonly path: string
  readonly text: Redacted.Redacted
  /** The user of the image that owns the file; omitted, or if the image has no such user, root owns it. */
  readonly owner?: string
  /** The permissions of the file; omitted for 0644. */
  readonly mode?: number
}

/** A limit for the processes in a container, such as `nofile`, as `docker run --ulimit` sets it. */
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
  /** The seconds between the stop signal and the kill; null uses `usualStopTimeout`. */
  readonly stopTimeout: number | null
  /** The size of the shared memory `/dev/shm` in bytes. */
  readonly shmSize: number | null
  readonly pidsLimit: number | null
  readonly oomScoreAdj: number | null
  readonly dns: ReadonlyArray<string>
  readonly dnsSearch: ReadonlyArray<string>
  readonly dnsOptions: ReadonlyArray<string>
  /** Additional host names with their IP addresses, for `/etc/hosts`. */
  readonly extraHosts: ReadonlyArray<readonly [name: string, address: string]>
  readonly groups: ReadonlyArray<string>
  readonly ulimits: ReadonlyArray<Ulimit>
  readonly sysctls: ReadonlyArray<readonly [name: string, value: string]>
  readonly capDrop: ReadonlyArray<string>
  readonly noNewPrivileges: boolean
  readonly restart: RestartPolicy | null
  /** The mounts in memory (tmpfs) and of volumes; a volume has its name in the application, without the uuid. */
  readonly mounts: ReadonlyArray<Mount>
  /** The options with access to the server, which only instances that allow it accept. */
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

/** The health check that the container engine runs in a container; all times are in seconds. */
export interface ContainerHealthCheck {
  /** The command and its arguments, without a shell. */
  readonly command: ReadonlyArray<string>
  readonly interval: number
  readonly timeout: number
  readonly retries: number
  readonly startPeriod: number
}

/** A network that a container is attached to, and the container's extra host names in this network. */
export interface Attachment {
  readonly network: string
  readonly aliases: ReadonlyArray<string>
}

/** The complete configuration of a container, independent of the engine (Docker or Podman). */
export interface ContainerSpec {
  readonly owner: Owner
  readonly name: string
  /** The id, tag or digest of an existing image. */
  readonly image: string
  /** The entrypoint and its arguments, which replace the entrypoint of the image; null keeps it. */
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
  /** Null selects the default of the image; `disabled` runs none. */
  readonly healthCheck: ContainerHealthCheck | "disabled" | null
  readonly options: RunOptions
}

/** Resource limits that are all unset: the engine's defaults apply. */
export const noLimits: Limits = {
  memory: null,
  memorySwap: null,
  memoryReservation: null,
  memorySwappiness: null,
  nanoCpus: null,
  cpuset: null,
  cpuShares: null
}

/** The default seconds between the stop signal and the kill of a container; the same default as in Docker. */
export const usualStopTimeout = 10

/** Options of `docker run` that are all unset. */
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
