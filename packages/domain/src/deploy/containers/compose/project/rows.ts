import { Result, type Schema } from "effect"
import type { ContainerSpec } from "../../engine/ContainerSpec.ts"
import { type Reader as OptionReader, readers } from "../../engine/options/readers.ts"
import type { ComposeService } from "../ComposeProject.ts"
import type { ComposeLocation } from "./location.ts"
import { all, Names, oneOrMore, pairsOf, readBySchema, Scalar } from "./shapes.ts"

/** A partly read service, with the resources that its project must have for it. */
export interface Draft extends ComposeService {
  /** The volumes that it mounts, by their names in the files. */
  readonly volumes: ReadonlyArray<string>
  /** The volumes without a name in the files. */
  readonly anonymous: ReadonlyArray<string>
  /** The optional dependencies: services that may be missing. */
  readonly optional: ReadonlyArray<string>
}

/** Reads a field into the service draft, and reports its problems. */
export type Reader = (draft: Draft, value: unknown, at: ComposeLocation) => Draft

/** One field of a service: its reader, or the reason why it is not supported. */
export type Row = { readonly read: Reader } | { readonly leftOut: string | null } | { readonly refused: string }

/** The problem of an option that exposes the server, if the instance does not allow it. */
export const opensServer = "Gives the container access to the server, which this instance does not allow."

const sentence = (mustBe: string): string => `${mustBe.charAt(0).toUpperCase()}${mustBe.slice(1)}.`

/** Reads a field with its schema. */
export const supportedField = <A>(
  schema: Schema.Codec<A, unknown>,
  read: (draft: Draft, value: A, at: ComposeLocation) => Draft
): { readonly read: Reader } => {
  const decode = readBySchema(schema)
  return {
    read: (draft, value, at) => {
      const decoded = decode(value, at)
      return decoded === undefined ? draft : read(draft, decoded, at)
    }
  }
}

/** Reads one value like the equivalent option of `docker run`. */
export const setOption = (draft: Draft, read: OptionReader, value: string, at: ComposeLocation): Draft => {
  const options = read(draft.options, value)
  if (Result.isSuccess(options)) return { ...draft, options: options.success }
  at.say(sentence(options.failure))
  return draft
}

/** Declares a field with one value, which is read like an option of `docker run`. */
export const option = (read: OptionReader) =>
  supportedField(Scalar, (draft, value, at) => setOption(draft, read, String(value), at))

const eachOption = (draft: Draft, read: OptionReader, values: ReadonlyArray<string>, at: ComposeLocation): Draft =>
  values.reduce((before, value) => setOption(before, read, value, at), draft)

/** Declares a field with one or more values; each is read like an option of `docker run`. */
export const optionEach = (read: OptionReader) =>
  supportedField(oneOrMore(Scalar), (draft, value, at) => eachOption(draft, read, all(value).map(String), at))

/** A field with names and values, like that option of `docker run` with `name=value`. */
export const optionPairs = (read: OptionReader) =>
  supportedField(Names, (draft, names, at) =>
    eachOption(
      draft,
      read,
      pairsOf(names, at).map(([name, value]) => (value === null ? name : `${name}=${value}`)),
      at
    )
  )

const isOff = (value: unknown): boolean =>
  value === false || value === "false" || (Array.isArray(value) && !value.length)

/** Makes a field that only instances with host access for applications accept. */
export const hostAccessField = (row: { readonly read: Reader }): Row => ({
  read: (draft, value, at) => {
    if (isOff(value)) return draft
    if (at.context.allowed.hostAccess) return row.read(draft, value, at)
    at.say(opensServer)
    return draft
  }
})

/** A field with values that expose the server, which only some instances allow. */
export const openingWhen = (opens: (value: string) => boolean, usual: OptionReader, opened: OptionReader): Row =>
  supportedField(oneOrMore(Scalar), (draft, values, at) =>
    all(values)
      .map(String)
      .reduce((before, value) => {
        if (!opens(value)) return setOption(before, usual, value, at)
        if (at.context.allowed.hostAccess) return setOption(before, opened, value, at)
        at.say(opensServer)
        return before
      }, draft)
  )

/** A limit of the container. */
export const limit = <Key extends keyof ContainerSpec["limits"]>(
  key: Key,
  read: (value: string) => ContainerSpec["limits"][Key] | undefined,
  mustBe: string
): { readonly read: Reader } =>
  supportedField(Scalar, (draft, value, at) => {
    const found = read(String(value))
    if (found !== undefined) return { ...draft, limits: { ...draft.limits, [key]: found } }
    at.say(mustBe)
    return draft
  })

/** Reads the restart policy of a container. */
export const restart = (draft: Draft, policy: string, at: ComposeLocation): Draft => {
  const read = readers.restart(draft.options, policy)
  if (Result.isSuccess(read)) return { ...draft, restart: read.success.restart }
  at.say(sentence(read.failure))
  return draft
}

/** A field that is ignored, with the reason that is reported; null reports nothing. */
export const ignoredField = (why: string | null): Row => ({ leftOut: why })
/** An unsupported field, with the reason. */
export const unsupportedField = (why: string): Row => ({ refused: why })
