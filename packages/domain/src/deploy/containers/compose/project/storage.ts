import { Schema } from "effect"
import { bytesOf } from "../../engine/amounts.ts"
import type { Mount } from "../../engine/ContainerSpec.ts"
import { readers } from "../../engine/options/readers.ts"
import { inside } from "./build.ts"
import { withFile } from "./files.ts"
import { type ComposeLocation, shown } from "./location.ts"
import { type Draft, type Reader, setOption, supportedField } from "./rows.ts"
import { all, listOf, oneOrMore, Scalar, Text } from "./shapes.ts"

const Volume = Schema.Union([
  Text,
  Schema.Struct({
    type: Schema.Literals(["volume", "bind", "tmpfs"]),
    source: Schema.optionalKey(Text),
    target: Text,
    read_only: Schema.optionalKey(Schema.Boolean),
    consistency: Schema.optionalKey(Text),
    volume: Schema.optionalKey(Schema.Struct({ nocopy: Schema.optionalKey(Schema.Boolean) })),
    bind: Schema.optionalKey(
      Schema.Struct({
        create_host_path: Schema.optionalKey(Schema.Boolean),
        selinux: Schema.optionalKey(Schema.Literals(["z", "Z"]))
      })
    ),
    tmpfs: Schema.optionalKey(Schema.Struct({ size: Schema.optionalKey(Scalar), mode: Schema.optionalKey(Scalar) }))
  })
])
type Volume = Exclude<typeof Volume.Type, string>

const harmless = ["rw", "z", "Z", "nocopy", "cached", "delegated", "consistent"]

/** Parses `[source:]target[:mode]`, the short volume syntax of compose files. */
const fromText = (text: string, at: ComposeLocation): Volume | undefined => {
  const parts = text.split(":")
  const [source, target, mode = "rw"] = parts.length === 1 ? [undefined, ...parts] : parts
  const modes = mode.split(",")
  if (target === undefined || parts.length > 3 || modes.some((each) => each !== "ro" && !harmless.includes(each))) {
    at.say("Must be [source:]target[:ro].")
    return undefined
  }
  const type = source?.startsWith("/") === true ? "bind" : "volume"
  return { type, target, read_only: modes.includes("ro"), ...(source === undefined ? {} : { source }) }
}

/** Returns the generated name of an anonymous volume; it is the same for each deployment, so its data is kept. */
const anonymousName = (service: string, target: string): string =>
  `${service}${target.replaceAll(/[^A-Za-z0-9.-]/g, "_")}`.slice(0, 100)

const mounting = (draft: Draft, mount: Mount): Draft => ({
  ...draft,
  options: { ...draft.options, mounts: [...draft.options.mounts, mount] }
})

const isTarget = (path: string) => /^\/[^\0:,]{0,4095}$/.test(path)

const memory = (draft: Draft, { read_only = false, target, tmpfs = {} }: Volume, at: ComposeLocation): Draft => {
  const bytes = tmpfs.size === undefined ? null : bytesOf(String(tmpfs.size))
  const mode = tmpfs.mode === undefined ? null : Number(tmpfs.mode)
  if (bytes === undefined) at.within("tmpfs.size").say("Must be an amount of memory, such as 64m.")
  else if (mode !== null && !(Number.isInteger(mode) && mode >= 0 && mode <= 0o7777)) {
    at.within("tmpfs.mode").say("Must be the mode of a file, such as 0755.")
  } else return mounting(draft, { source: { _tag: "Memory", bytes, mode }, target, readOnly: read_only })
  return draft
}

const noFiles = "A compose text has no files: use a named volume, or a config with `content`."

const host = (draft: Draft, { read_only = false, source = "", target }: Volume, at: ComposeLocation): Draft => {
  const path = shown(source)
  const within = inside(at.context.directory, source)
  if (!source.startsWith("/")) at.say(`\`${path}\` must be an absolute path of the server.`)
  else if (within !== undefined) {
    if (at.context.isText) at.say(noFiles)
    else if (read_only) return withFile(draft, { path: within, text: null, target, owner: null }, at)
    else at.say("Files of the repository are mounted read-only: add `:ro`.")
  } else if (!at.context.allowed.hostAccess) {
    at.say(`Mounts the server's path \`${path}\` in the service ${at.service}, which this instance does not allow.`)
  } else return setOption(draft, readers.hostPath, `${source}:${target}${read_only ? ":ro" : ""}`, at)
  return draft
}

const mounted = (draft: Draft, volume: Volume, at: ComposeLocation): Draft => {
  if (!isTarget(volume.target)) {
    at.say("Must be an absolute path, without `:` and `,`.")
    return draft
  }
  if (volume.type === "tmpfs") return memory(draft, volume, at)
  if (volume.type === "bind") return host(draft, volume, at)
  const isAnonymous = volume.source === undefined || volume.source === ""
  const name = isAnonymous ? anonymousName(at.service, volume.target) : (volume.source ?? "")
  const mount = mounting(draft, {
    source: { _tag: "Volume", name },
    target: volume.target,
    readOnly: volume.read_only ?? false
  })
  return isAnonymous
    ? { ...mount, anonymous: [...mount.anonymous, name] }
    : { ...mount, volumes: [...mount.volumes, name] }
}

/**
 * Reads the field `volumes` of a compose service: volumes of the application, tmpfs mounts, and server paths if the
 * instance allows them.
 */
export const volumes = supportedField(listOf(Volume), (draft, value, at) =>
  value.reduce((before: Draft, each, n) => {
    const here = at.within(n)
    const volume = typeof each === "string" ? fromText(each, here) : each
    return volume === undefined ? before : mounted(before, volume, here)
  }, draft)
)

/** Reads the field `tmpfs` of a compose service: directories that are kept in memory. */
export const tmpfs = supportedField(oneOrMore(Text), (draft, value, at) =>
  all(value).reduce((before, each) => setOption(before, readers.tmpfs, each, at), draft)
)

const Ulimits = Schema.Record(
  Schema.String,
  Schema.Union([Scalar, Schema.Struct({ soft: Scalar, hard: Scalar }), Schema.Struct({ single: Scalar })])
)

const boundsOf = (value: (typeof Ulimits.Type)[string]): string => {
  if (typeof value !== "object") return String(value)
  return "single" in value ? String(value.single) : `${value.soft}:${value.hard}`
}

/** Reads the field `ulimits` of a compose service: limits of its processes, by `ulimit` name. */
export const ulimits = supportedField(Ulimits, (draft, value, at) =>
  Object.entries(value).reduce(
    (before, [name, bounds]) => setOption(before, readers.ulimit, `${name}=${boundsOf(bounds)}`, at),
    draft
  )
)

const Device = Schema.Union([
  Text,
  Schema.Struct({ source: Text, target: Schema.optionalKey(Text), permissions: Schema.optionalKey(Text) })
])

/** Reads the field `devices` of a compose service: devices of the server, if the instance allows them. */
export const devices: { readonly read: Reader } = supportedField(listOf(Device), (draft, value, at) =>
  value.reduce((before: Draft, each, n) => {
    const text =
      typeof each === "string" ? each : [each.source, each.target ?? each.source, each.permissions ?? "rwm"].join(":")
    return setOption(before, readers.device, text, at.within(n))
  }, draft)
)
