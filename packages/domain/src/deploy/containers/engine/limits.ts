import { Result } from "effect"
import type { Configuration } from "../../apps/applications/Application.ts"
import { bytesOf } from "./amounts.ts"
import type { Limits, PortMapping } from "./ContainerSpec.ts"

// The kernel default, which need not be requested from engines that cannot set it.
const usualSwappiness = 60
const usualCpuShares = 1_024

const orNone = (bytes: number | undefined): number | null => (bytes === undefined || bytes === 0 ? null : bytes)

/** The names of the fields that limit the resources of a container. */
export const limitFields = [
  "limits_memory",
  "limits_memory_swap",
  "limits_memory_swappiness",
  "limits_memory_reservation",
  "limits_cpus",
  "limits_cpuset",
  "limits_cpu_shares"
] as const satisfies ReadonlyArray<keyof Configuration>
/** The part of a configuration that limits the resources of a container, such as memory and CPUs. */
export type LimitFields = Pick<Configuration, (typeof limitFields)[number]>

/** Returns the resource limits of an application or a database; 0 means no limit. */
export const limitsOf = (configuration: LimitFields): Limits => {
  const cpus = Number(configuration.limits_cpus)
  const { limits_cpu_shares: shares, limits_memory_swappiness: swappiness } = configuration
  return {
    memory: orNone(bytesOf(configuration.limits_memory)),
    memorySwap: configuration.limits_memory_swap === "-1" ? -1 : orNone(bytesOf(configuration.limits_memory_swap)),
    memoryReservation: orNone(bytesOf(configuration.limits_memory_reservation)),
    memorySwappiness: swappiness === usualSwappiness ? null : swappiness,
    nanoCpus: Number.isFinite(cpus) && cpus > 0 ? Math.round(cpus * 1_000_000_000) : null,
    cpuset:
      configuration.limits_cpuset === null || configuration.limits_cpuset === "" ? null : configuration.limits_cpuset,
    cpuShares: shares === 0 || shares === usualCpuShares ? null : shares
  }
}

const mostPorts = 1_000

const range = (text: string): readonly [from: number, count: number] => {
  const [from = 0, to = from] = text.split("-").map(Number)
  return [from, to - from + 1]
}

/**
 * Parses a comma-separated list of port mappings, `[address:]host:container[/protocol]`, including port ranges.
 *
 * Fails with all problems, such as ranges of different length. The schema of the field has already checked the syntax.
 */
export const readPortMappings = (text: string): Result.Result<ReadonlyArray<PortMapping>, ReadonlyArray<string>> => {
  const mappings: Array<PortMapping> = []
  for (const each of text.split(",").filter((part) => part.trim() !== "")) {
    const match = /^(?:(.+):)?([0-9-]+):([0-9-]+)(?:\/(tcp|udp))?$/.exec(each.trim())
    const [, address, hosts = "", containers = "", protocol = "tcp"] = match ?? []
    if (match === null) return Result.fail([`\`${each.slice(0, 100)}\` is not a port mapping.`])
    const [host, count] = range(hosts)
    const [container] = range(containers)
    if (mappings.length + count > mostPorts) return Result.fail([`Must map at most ${mostPorts} ports.`])
    for (let n = 0; n < count; n++) {
      mappings.push({
        address: address?.replace(/^\[(.*)\]$/, "$1") ?? null,
        host: host + n,
        container: container + n,
        protocol: protocol === "udp" ? "udp" : "tcp"
      })
    }
  }
  return Result.succeed(mappings)
}
