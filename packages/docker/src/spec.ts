import {
  type ContainerSpec,
  type EngineInfo,
  isOwnLabel,
  type Limits,
  labelsOf,
  type Mount,
  type PortMapping,
  type RestartPolicy,
  usualStopTimeout
} from "@slipway/domain/deploy/containers"
import { Redacted } from "effect"
import { healthTestOf } from "./healthCheck.ts"

const isBare = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && Object.keys(value).length === 0)

/** Removes empty values from a request, so that the engine uses its defaults. */
const filled = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isBare(value) && value !== false))

const restartOf = (restart: RestartPolicy) => {
  switch (restart._tag) {
    case "Never":
      return { Name: "no" }
    case "Always":
      return { Name: "always" }
    case "UnlessStopped":
      return { Name: "unless-stopped" }
    case "OnFailure":
      return { Name: "on-failure", MaximumRetryCount: restart.times }
  }
}

const limitsOf = (limits: Limits) => ({
  Memory: limits.memory,
  MemorySwap: limits.memorySwap,
  MemoryReservation: limits.memoryReservation,
  MemorySwappiness: limits.memorySwappiness,
  NanoCpus: limits.nanoCpus,
  CpusetCpus: limits.cpuset,
  CpuShares: limits.cpuShares
})

const keyOf = ({ container, protocol }: PortMapping): string => `${container}/${protocol}`

const bindingsOf = (ports: ReadonlyArray<PortMapping>) => {
  const bindings: Record<string, Array<{ HostIp: string; HostPort: string }>> = {}
  for (const port of ports) {
    const key = keyOf(port)
    bindings[key] ??= []
    bindings[key].push({ HostIp: port.address ?? "", HostPort: String(port.host) })
  }
  return bindings
}

const mountOf = ({ readOnly, source, target }: Mount) =>
  source._tag === "Volume"
    ? [{ Type: "volume", Source: source.name, Target: target, ReadOnly: readOnly }]
    : source._tag === "Host"
      ? [{ Type: "bind", Source: source.path, Target: target, ReadOnly: readOnly }]
      : []

const tmpfsOf = (mounts: ReadonlyArray<Mount>) =>
  Object.fromEntries(
    mounts.flatMap(({ readOnly, source, target }) =>
      source._tag === "Memory"
        ? [
            [
              target,
              [
                readOnly ? "ro" : "rw",
                ...(source.bytes === null ? [] : [`size=${source.bytes}`]),
                ...(source.mode === null ? [] : [`mode=${source.mode.toString(8)}`])
              ].join(",")
            ]
          ]
        : []
    )
  )

const nanoseconds = (seconds: number): number => seconds * 1_000_000_000

const securityOf = ({ dangerous, noNewPrivileges }: ContainerSpec["options"]) => [
  // Podman accepts only the name, Docker both forms.
  ...(noNewPrivileges ? ["no-new-privileges"] : []),
  ...dangerous.securityOptions
]

// The engine stores a container's output; without a bound it would fill the server (invariant I25).
const boundedLogs = { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } }

/** Returns all mounts of a container. */
export const mountsOf = ({ mounts, options }: ContainerSpec): ReadonlyArray<Mount> => [
  ...mounts,
  ...options.mounts,
  ...options.dangerous.mounts
]

const hostConfigOf = (spec: ContainerSpec) => {
  const { options } = spec
  const { dangerous } = options
  const mounts = mountsOf(spec)
  return filled({
    NetworkMode: dangerous.network ?? spec.networks[0]?.network,
    PortBindings: bindingsOf(spec.ports),
    RestartPolicy: restartOf(spec.restart),
    LogConfig: boundedLogs,
    ...limitsOf(spec.limits),
    Mounts: mounts.flatMap(mountOf),
    Tmpfs: tmpfsOf(mounts),
    Init: options.init,
    ReadonlyRootfs: options.readOnly,
    ShmSize: options.shmSize,
    PidsLimit: options.pidsLimit,
    OomScoreAdj: options.oomScoreAdj,
    Dns: options.dns,
    DnsSearch: options.dnsSearch,
    DnsOptions: options.dnsOptions,
    ExtraHosts: options.extraHosts.map(([name, address]) => `${name}:${address}`),
    GroupAdd: options.groups,
    Ulimits: options.ulimits.map(({ hard, name, soft }) => ({ Name: name, Soft: soft, Hard: hard })),
    Sysctls: Object.fromEntries(options.sysctls),
    CapDrop: options.capDrop,
    SecurityOpt: securityOf(options),
    Privileged: dangerous.privileged,
    CapAdd: dangerous.capAdd,
    Devices: dangerous.devices.map(({ container, host, permissions }) => ({
      PathOnHost: host,
      PathInContainer: container,
      CgroupPermissions: permissions
    })),
    PidMode: dangerous.pid,
    IpcMode: dangerous.ipc,
    DeviceRequests:
      dangerous.gpus === null
        ? []
        : [{ Driver: "", Count: dangerous.gpus === "all" ? -1 : dangerous.gpus, Capabilities: [["gpu"]] }]
  })
}

/** Returns the request body to create a container in the Docker Engine API, attached to the first of its networks. */
export const creationOf = (spec: ContainerSpec, product: Product): Readonly<Record<string, unknown>> => {
  const { healthCheck, options } = spec
  const [network] = options.dangerous.network === null ? spec.networks : []
  return filled({
    Image: spec.image,
    Entrypoint: spec.entrypoint,
    Cmd: spec.command,
    Env: spec.environment.map(([name, value]) => `${name}=${Redacted.value(value)}`),
    Labels: { ...Object.fromEntries(spec.labels.filter(([name]) => !isOwnLabel(name))), ...labelsOf(spec.owner) },
    Hostname: options.hostname,
    User: options.user,
    WorkingDir: options.workdir,
    StopSignal: options.stopSignal,
    // Without a value Podman waits for no time at all.
    StopTimeout: options.stopTimeout ?? usualStopTimeout,
    ExposedPorts: Object.fromEntries(spec.ports.map((port) => [keyOf(port), {}])),
    Healthcheck:
      healthCheck === null
        ? null
        : healthCheck === "disabled"
          ? { Test: ["NONE"] }
          : {
              Test: healthTestOf(healthCheck, product),
              Interval: nanoseconds(healthCheck.interval),
              Timeout: nanoseconds(healthCheck.timeout),
              Retries: healthCheck.retries,
              StartPeriod: nanoseconds(healthCheck.startPeriod)
            },
    HostConfig: hostConfigOf(spec),
    NetworkingConfig:
      network === undefined ? null : { EndpointsConfig: { [network.network]: { Aliases: network.aliases } } }
  })
}

/** The product name of a container engine: some requests differ between Docker and Podman. */
export type Product = EngineInfo["product"]
