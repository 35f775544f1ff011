import { Result } from "effect"
import { wordsOf } from "../../../base/words/words.ts"
import { bytesOf } from "../amounts.ts"
import type { DangerousOptions, Mount, RestartPolicy, RunOptions, Ulimit } from "../ContainerSpec.ts"

/** Parses an option's value and returns the options with it; fails with a text such as "must be a number of bytes". */
export type Reader = (options: RunOptions, value: string) => Result.Result<RunOptions, string>

const whole = (value: string, minimum: number, maximum: number): number | undefined =>
  /^-?\d{1,9}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum ? Number(value) : undefined

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }

const setting =
  <Key extends keyof RunOptions>(
    key: Key,
    read: (value: string, present: RunOptions[Key]) => RunOptions[Key] | undefined,
    mustBe: string
  ): Reader =>
  (options, value) => {
    const found = read(value, options[key])
    if (found === undefined) return Result.fail(mustBe)
    const changed: Mutable<RunOptions> = { ...options }
    changed[key] = found
    return Result.succeed(changed)
  }

const endangering =
  <Key extends keyof DangerousOptions>(
    key: Key,
    read: (value: string, present: DangerousOptions[Key]) => DangerousOptions[Key] | undefined,
    mustBe: string
  ): Reader =>
  (options, value) => {
    const found = read(value, options.dangerous[key])
    if (found === undefined) return Result.fail(mustBe)
    const dangerous: Mutable<DangerousOptions> = { ...options.dangerous }
    dangerous[key] = found
    return Result.succeed({ ...options, dangerous })
  }

const appending =
  <A>(read: (value: string) => A | undefined) =>
  (value: string, present: ReadonlyArray<A>): ReadonlyArray<A> | undefined => {
    const found = read(value)
    return found === undefined ? undefined : [...present, found]
  }

const matching = (pattern: RegExp) => (value: string) => (pattern.test(value) ? value : undefined)
const isAddress = (value: string): boolean =>
  /^(?:\d{1,3}\.){3}\d{1,3}$/.test(value)
    ? value.split(".").every((part) => Number(part) < 256)
    : /^[0-9a-fA-F:]{2,39}$/.test(value) && value.includes(":")
const hostName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/
const innerPath = matching(/^\/[^\0:,]{0,4095}$/)

const truth = (value: string): boolean | undefined => (value === "true" ? true : value === "false" ? false : undefined)
const flagMust = "must be true or false"

const host = (value: string): readonly [string, string] | undefined => {
  const match = /^([^:=]+)[:=](.+)$/.exec(value)
  const [, name = "", address = ""] = match ?? []
  const plain = address.replace(/^\[(.*)\]$/, "$1")
  return hostName.test(name) && (plain === "host-gateway" || isAddress(plain)) ? [name, plain] : undefined
}

const limits = "core,cpu,data,fsize,locks,memlock,msgqueue,nice,nofile,nproc,rss,rtprio,rttime,sigpending,stack"
const ulimit = (value: string): Ulimit | undefined => {
  const match = /^([a-z]+)=(-1|\d{1,15})(?::(-1|\d{1,15}))?$/.exec(value)
  const [, name = "", soft = "", hard = soft] = match ?? []
  return limits.split(",").includes(name) ? { name, soft: Number(soft), hard: Number(hard) } : undefined
}

const sysctl = (value: string): readonly [string, string] | undefined => {
  const match = /^([a-z0-9_./-]+)=([^\0]{1,255})$/.exec(value)
  const [, name = "", set = ""] = match ?? []
  const isOwn = /^(?:net\.|fs\.mqueue\.|kernel\.(?:msgmax|msgmnb|msgmni|sem|shmall|shmmax|shmmni|shm_rmid_forced)$)/
  return isOwn.test(name) ? [name, set] : undefined
}

const restart = (value: string): RestartPolicy | undefined => {
  switch (value) {
    case "no":
      return { _tag: "Never" }
    case "always":
      return { _tag: "Always" }
    case "unless-stopped":
      return { _tag: "UnlessStopped" }
    default: {
      const [name, times = "10", ...more] = value.split(":")
      const count = whole(times, 1, 1_000)
      return name === "on-failure" && more.length === 0 && count !== undefined
        ? { _tag: "OnFailure", times: count }
        : undefined
    }
  }
}

const tmpfs = (value: string): Mount | undefined => {
  const [path = "", options = ""] = value.split(/:(.*)/s)
  const target = innerPath(path)
  if (target === undefined) return undefined
  let bytes: number | null = null
  let mode: number | null = null
  let readOnly = false
  for (const option of options === "" ? [] : options.split(",")) {
    const [name, set = ""] = option.split("=")
    if (name === "size") {
      const size = bytesOf(set)
      if (size === undefined) return undefined
      bytes = size
    } else if (name === "mode") {
      if (!/^[01]?[0-7]{3,4}$/.test(set)) return undefined
      mode = Number.parseInt(set, 8)
    } else if (option === "ro") readOnly = true
    else if (!["rw", "noexec", "nosuid", "nodev"].includes(option)) return undefined
  }
  return { source: { _tag: "Memory", bytes, mode }, target, readOnly }
}

/** Parses `source:target[:ro|rw]` as a mount. A source that begins with `/` is a path of the server, else a volume. */
export const volume = (value: string): Mount | undefined => {
  const match = /^(\/[^:,\0]*|[A-Za-z0-9][A-Za-z0-9_.-]{0,100}):(\/[^:,\0]+)(?::(ro|rw))?$/.exec(value)
  const [, source = "", target = "", mode] = match ?? []
  if (match === null) return undefined
  return {
    source: source.startsWith("/") ? { _tag: "Host", path: source } : { _tag: "Volume", name: source },
    target,
    readOnly: mode === "ro"
  }
}

const device = (value: string): DangerousOptions["devices"][number] | undefined => {
  const match = /^(\/dev\/[^:,\0]+)(?::(\/[^:,\0]+))?(?::([rwm]{1,3}))?$/.exec(value)
  const [, source = "", container = source, permissions = "rwm"] = match ?? []
  return match === null ? undefined : { host: source, container, permissions }
}

const capability = (value: string) => (/^(?:CAP_)?[A-Z_]{2,40}$/i.test(value) ? value.toUpperCase() : undefined)
const onlyHost = (value: string) => (value === "host" ? ("host" as const) : undefined)
const isHardening = (value: string) => /^no-new-privileges(?:[:=](?:true|false))?$/.test(value)

/** Returns whether a value of `--security-opt` only removes permissions: `no-new-privileges`. */
export const hardens = isHardening

/** The parsers of `docker run` options, by the field of {@link RunOptions} that they set. */
export const readers = {
  init: setting("init", truth, flagMust),
  readOnly: setting("readOnly", truth, flagMust),
  hostname: setting("hostname", matching(hostName), "must be a host name"),
  user: setting(
    "user",
    matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]*(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?$/),
    "must be user[:group]"
  ),
  workdir: setting("workdir", innerPath, "must be an absolute path"),
  entrypoint: setting(
    "entrypoint",
    (value) =>
      Result.getOrUndefined(
        Result.filterOrFail(
          wordsOf(value),
          (words) => words.length > 0,
          () => ""
        )
      ),
    "must be a command with its arguments"
  ),
  stopSignal: setting(
    "stopSignal",
    matching(/^(?:SIG[A-Z0-9+-]{2,12}|[1-9]\d?)$/),
    "must be a signal, such as SIGTERM"
  ),
  stopTimeout: setting("stopTimeout", (value) => whole(value, 0, 3_600), "must be a number of seconds up to 3600"),
  shmSize: setting("shmSize", bytesOf, "must be an amount of memory, such as 64m"),
  pidsLimit: setting("pidsLimit", (value) => whole(value, 1, 4_194_304), "must be a whole number of at least 1"),
  oomScoreAdj: setting("oomScoreAdj", (value) => whole(value, 0, 1_000), "must be a whole number from 0 to 1000"),
  dns: setting(
    "dns",
    appending((value) => (isAddress(value) ? value : undefined)),
    "must be an IP address"
  ),
  dnsSearch: setting("dnsSearch", appending(matching(hostName)), "must be a domain"),
  dnsOption: setting(
    "dnsOptions",
    appending(matching(/^[a-z0-9-]+(?::\d+)?$/)),
    "must be a resolver's option, such as ndots:2"
  ),
  extraHost: setting("extraHosts", appending(host), "must be name:address"),
  group: setting("groups", appending(matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/)), "must be a group"),
  ulimit: setting("ulimits", appending(ulimit), "must be name=soft[:hard], such as nofile=1024:2048"),
  sysctl: setting(
    "sysctls",
    appending(sysctl),
    "must be a namespaced kernel parameter, such as net.core.somaxconn=1024"
  ),
  capDrop: setting("capDrop", appending(capability), "must be a capability, such as ALL"),
  restart: setting("restart", restart, "must be no, always, unless-stopped or on-failure[:times]"),
  tmpfs: setting("mounts", appending(tmpfs), "must be path[:size=64m,mode=1777,ro]"),
  volume: setting("mounts", appending(volume), "must be name:path[:ro]"),
  noNewPrivileges: setting("noNewPrivileges", (value) => !value.endsWith("false"), ""),
  privileged: endangering("privileged", truth, flagMust),
  capAdd: endangering("capAdd", appending(capability), "must be a capability, such as NET_ADMIN"),
  device: endangering("devices", appending(device), "must be a device, such as /dev/fuse"),
  hostPath: endangering("mounts", appending(volume), "must be path:path[:ro]"),
  securityOption: endangering(
    "securityOptions",
    appending(matching(/^[a-z-]+(?:[:=][^\0]{1,1000})?$/)),
    "must be a security option"
  ),
  pid: endangering("pid", onlyHost, "must be host"),
  ipc: endangering("ipc", onlyHost, "must be host"),
  network: endangering("network", onlyHost, "must be host: the destination sets other networks"),
  gpus: endangering("gpus", (value) => (value === "all" ? "all" : whole(value, 1, 1_000)), "must be all or a number")
} as const satisfies Record<string, Reader>
