import { Schema } from "effect"
import type { ComposeLocation } from "./location.ts"
import { AnyContent, readBySchema, Text, withoutExtensions } from "./shapes.ts"

const External = Schema.Union([Schema.Boolean, Schema.Record(Schema.String, Schema.Unknown)])

const Network = Schema.Struct({
  name: Schema.optionalKey(Text),
  external: Schema.optionalKey(External),
  driver: Schema.optionalKey(Text),
  driver_opts: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  ipam: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  internal: Schema.optionalKey(Schema.Boolean),
  enable_ipv4: Schema.optionalKey(Schema.Boolean),
  enable_ipv6: Schema.optionalKey(Schema.Boolean),
  attachable: Schema.optionalKey(AnyContent),
  labels: Schema.optionalKey(AnyContent)
})

const Volume = Schema.Struct({
  name: Schema.optionalKey(Text),
  external: Schema.optionalKey(External),
  driver: Schema.optionalKey(Text),
  driver_opts: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  labels: Schema.optionalKey(AnyContent)
})

const networkOf = readBySchema(Network)
const volumeOf = readBySchema(Volume)

const isEmpty = (record: Readonly<Record<string, unknown>> | undefined): boolean =>
  record === undefined || Object.values(record).every((value) => value === null)

const isExternal = (external: typeof External.Type | undefined) => external !== undefined && external !== false

const notOwn = "External networks and volumes are not supported: they belong to other applications."

/**
 * Checks a network that the compose files declare, and reports unsupported options.
 *
 * Returns the server's name of an external network that the instance allows applications to join. Returns undefined for
 * all other networks: the platform creates these for the application only (invariant I22).
 */
export const checkNetwork = (name: string, value: unknown, at: ComposeLocation): string | undefined => {
  const network = networkOf(withoutExtensions(value ?? {}), at)
  if (network === undefined) return
  if (isExternal(network.external)) {
    const { external } = network
    const inner = typeof external === "object" && typeof external.name === "string" ? external.name : undefined
    const shared = network.name ?? inner ?? name
    if (at.context.allowed.networks?.includes(shared)) return shared
    at.within("external").say(notOwn)
  }
  if (!["bridge", "default", "", undefined].includes(network.driver)) at.within("driver").say("Must be bridge.")
  if (!isEmpty(network.driver_opts)) at.within("driver_opts").say("Options of networks are not supported.")
  if (!isEmpty(network.ipam)) at.within("ipam").say("The server assigns addresses.")
  if (network.internal === true) at.within("internal").say("Internal networks are not supported.")
  if (network.enable_ipv6 === true) at.within("enable_ipv6").say("The server assigns addresses.")
  if (network.enable_ipv4 === false) at.within("enable_ipv4").say("The server assigns addresses.")
  return undefined
}

/**
 * Reports unsupported options of a volume that the compose files declare. The platform creates each volume for the
 * application only (invariant I22).
 */
export const checkVolume = (value: unknown, at: ComposeLocation): void => {
  const volume = volumeOf(withoutExtensions(value ?? {}), at)
  if (volume === undefined) return
  if (isExternal(volume.external)) at.within("external").say(notOwn)
  if (!["local", "default", "", undefined].includes(volume.driver)) at.within("driver").say("Must be local.")
  // With an option of the local driver, any path of the server could be a volume.
  if (!isEmpty(volume.driver_opts)) at.within("driver_opts").say("Options of volumes are not supported.")
}
