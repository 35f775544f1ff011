import { Result, Schema } from "effect"
import { readPortMappings } from "../../engine/limits.ts"
import { readers } from "../../engine/options/readers.ts"
import type { ComposeLocation } from "./location.ts"
import { type Draft, opensServer, type Row, setOption, supportedField } from "./rows.ts"
import { listOf, Scalar, Text } from "./shapes.ts"

/** The maximum number of ports of a compose service (invariant I25: all input has a limit). */
const mostPorts = 1_000
const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535
const noPort = "Must be a port from 1 to 65535."

const exposing = (draft: Draft, ports: ReadonlyArray<number>, at: ComposeLocation): Draft => {
  const joined = [...new Set([...draft.exposed, ...ports])]
  if (joined.length <= mostPorts) return { ...draft, exposed: joined }
  at.say(`Must have at most ${mostPorts} ports.`)
  return draft
}

const portsIn = (text: string, at: ComposeLocation): ReadonlyArray<number> => {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?(?:\/(?:tcp|udp))?$/.exec(text)
  const [from, to] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])]
  if (!isPort(from) || !isPort(to) || to < from) {
    at.say(noPort)
    return []
  }
  // Requests arrive over TCP.
  if (text.endsWith("/udp")) return []
  if (to - from < mostPorts) return Array.from({ length: to - from + 1 }, (_, n) => from + n)
  at.say(`Must have at most ${mostPorts} ports.`)
  return []
}

/** Reads the field `expose` of a compose service: the container ports that it listens on. */
export const exposeField = supportedField(listOf(Scalar), (draft, value, at) =>
  value.reduce((before: Draft, port) => exposing(before, portsIn(String(port), at), at), draft)
)

const Port = Schema.Union([
  Scalar,
  Schema.Struct({
    target: Scalar,
    published: Schema.optionalKey(Scalar),
    protocol: Schema.optionalKey(Schema.Literals(["tcp", "udp"])),
    mode: Schema.optionalKey(Schema.Literals(["ingress", "host"])),
    host_ip: Schema.optionalKey(Text),
    name: Schema.optionalKey(Text),
    app_protocol: Schema.optionalKey(Text)
  })
])

const textOf = (port: typeof Port.Type): string => {
  if (typeof port !== "object") return String(port)
  const { host_ip: ip = "", protocol = "tcp", published = "", target } = port
  if (published === "") return `${target}/${protocol}`
  const address = ip === "" ? "" : `${ip.includes(":") ? `[${ip}]` : ip}:`
  return `${address}${published}:${target}/${protocol}`
}

const mapped = (draft: Draft, text: string, at: ComposeLocation): Draft => {
  if (/^[\d-]+(?:\/(?:tcp|udp))?$/.test(text)) return exposing(draft, portsIn(text, at), at)
  const read = readPortMappings(text)
  const [only, ...others] = Result.isSuccess(read) ? read.success : []
  if (only === undefined || others.length > 0 || /[0-9]-[0-9]/.test(text)) {
    at.say("Must be [address:]host:container[/protocol], one port each.")
    return draft
  }
  if (!isPort(only.host) || !isPort(only.container)) at.say(noPort)
  else if (only.address !== null && !/^(?:[0-9.]{7,15}|[0-9a-fA-F:]{2,39})$/.test(only.address)) {
    at.say("Must name an IP address of the server.")
  } else if (draft.ports.length >= mostPorts) at.say(`Must have at most ${mostPorts} ports.`)
  else {
    const more = { ...draft, ports: [...draft.ports, only] }
    return only.protocol === "tcp" ? exposing(more, [only.container], at) : more
  }
  return draft
}

/** Reads the field `ports` of a compose service. A port without a server port is exposed but not published. */
export const ports = supportedField(listOf(Port), (draft, value, at) =>
  value.reduce((before: Draft, port, n) => mapped(before, textOf(port), at.within(n)), draft)
)

const Joined = Schema.Struct({
  aliases: Schema.optionalKey(Schema.NullOr(listOf(Text))),
  priority: Schema.optionalKey(Scalar),
  gw_priority: Schema.optionalKey(Scalar)
})
const Networks = Schema.Union([Schema.Record(Schema.String, Schema.NullOr(Joined)), listOf(Text)])

const mostAliases = 20
const aliasForm = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9_])?$/

const aliasesIn = (joined: typeof Joined.Type | null, at: ComposeLocation): ReadonlyArray<string> => {
  const aliases = joined?.aliases ?? []
  if (aliases.length > mostAliases) at.say(`Must have at most ${mostAliases} aliases.`)
  else if (!aliases.every((alias) => aliasForm.test(alias))) at.say("An alias must be a host name.")
  else return [...new Set(aliases)]
  return []
}

/** Reads the field `networks` of a compose service: the networks it joins, and its aliases in them. */
export const networks = supportedField(Networks, (draft, value, at) => {
  const named = Array.isArray(value)
    ? (value as ReadonlyArray<string>).map((name) => [name, null] as const)
    : Object.entries(value as Readonly<Record<string, typeof Joined.Type | null>>)
  if (named.length === 0) return draft
  return { ...draft, networks: named.map(([name, joined]) => ({ name, aliases: aliasesIn(joined, at.within(name)) })) }
})

/**
 * Reads the field `network_mode` of a compose service. It is restricted, because it can join the network of the server
 * or of other applications (invariant I22).
 */
export const networkMode: Row = supportedField(Text, (draft, value, at) => {
  if (value === "host") {
    if (at.context.allowed.hostAccess) return setOption({ ...draft, networks: [] }, readers.network, value, at)
    at.say(opensServer)
  } else if (value === "bridge") {
    // The value in the engine program's output for files of version 1, which has no networks.
    return draft
  } else if (/^(?:service|container):/.test(value)) at.say("A service cannot join the network of another container.")
  else at.say("Name a network in `networks` instead.")
  return draft
})
