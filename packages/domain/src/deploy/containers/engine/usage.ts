import type { Owner } from "./ContainerSpec.ts"

/** The network traffic of a machine or container since its start, in bytes. */
export interface NetworkUse {
  readonly received: number
  readonly sent: number
}

/** The CPU, memory and network use of a server. */
export interface HostUse {
  /** The CPU time since the start of the server, in clock ticks, summed over all processors. */
  readonly cpu: { readonly busy: number; readonly total: number }
  /** The memory in bytes; `used` excludes caches, which the kernel frees when programs need memory. */
  readonly memory: { readonly used: number; readonly total: number }
  /** The traffic of all network interfaces, except loopback and the virtual interfaces of containers. */
  readonly network: NetworkUse
}

/** The CPU, memory and network use of a running container. */
export interface ContainerUse {
  readonly name: string
  readonly owner: Owner
  /** The CPU use in percent of one processor, so it can exceed 100; null if the engine does not report it. */
  readonly cpuPercent: number | null
  /** The memory in bytes, without caches; `limit` is the limit of the container, or else the memory of the machine. */
  readonly memory: { readonly used: number; readonly limit: number }
  readonly network: NetworkUse
}

/** The disk usage of a container engine by type of data, in bytes. */
export interface DiskUse {
  readonly images: number
  /** The size of the files that containers wrote outside of volumes, in bytes. */
  readonly containers: number
  readonly volumes: number
  readonly buildCache: number
}

/** The used and free space of the disk that stores the engine's data, in bytes. */
export interface DiskSpace {
  readonly used: number
  /** The free space for normal users, without the space that the file system reserves for root. */
  readonly free: number
}

/** The paths of the Linux `/proc` files from which the use of a server is read. */
export const usageFiles = { cpu: "/proc/stat", memory: "/proc/meminfo", network: "/proc/net/dev" } as const

const virtual = /^(?:lo|veth|docker|podman|br-|cni|virbr|tun|tap)/

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, each) => all + each, 0)

/**
 * Parses the contents of {@link usageFiles}; undefined if a file does not have the expected format.
 *
 * @example
 * readHostUse({
 *   cpu: "cpu  10 0 20 60 10 0 0 0 0 0\ncpu0 …",
 *   memory: "MemTotal: 100 kB\nMemFree: 10 kB\nMemAvailable: 40 kB\n",
 *   network: "Inter-|…\n face |…\n    lo: 9 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n  eth0: 5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n"
 * }) // => { cpu: { busy: 30, total: 100 }, memory: { used: 61440, total: 102400 }, network: { received: 5, sent: 7 } }
 */
export const readHostUse = (files: { readonly [Name in keyof typeof usageFiles]: string }): HostUse | undefined => {
  const [, ticks] = /^cpu +([\d ]+)$/m.exec(files.cpu) ?? []
  const all = (ticks ?? "").trim().split(/ +/).map(Number).slice(0, 8)
  const memoryOf = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(files.memory)?.[1]) * 1_024
  const [total, available] = [memoryOf("MemTotal"), memoryOf("MemAvailable")]
  if (ticks === undefined || all.length < 5 || !Number.isFinite(total - available)) return undefined
  const [idle = 0, waiting = 0] = all.slice(3, 5)
  const devices = [...files.network.matchAll(/^ *([^\s:]+): *([\d ]+)$/gm)]
    .filter(([, name = ""]) => !virtual.test(name))
    .map(([, , numbers = ""]) => numbers.trim().split(/ +/).map(Number))
  return {
    cpu: { busy: sum(all) - idle - waiting, total: sum(all) },
    memory: { used: total - available, total },
    network: { received: sum(devices.map(([bytes = 0]) => bytes)), sent: sum(devices.map((each) => each[8] ?? 0)) }
  }
}

/**
 * Returns the CPU use between two measurements in percent of all processors; null without an earlier measurement, and
 * after a restart of the machine.
 *
 * @example
 * cpuPercentBetween({ busy: 10, total: 100 }, { busy: 60, total: 200 }) // => 50
 * cpuPercentBetween(undefined, { busy: 60, total: 200 }) // => null
 */
export const cpuPercentBetween = (before: HostUse["cpu"] | undefined, after: HostUse["cpu"]): number | null => {
  if (before === undefined || after.total <= before.total || after.busy < before.busy) return null
  return (100 * (after.busy - before.busy)) / (after.total - before.total)
}
