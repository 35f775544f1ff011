import { Result, type Schema } from "effect"
import type { ContainerSpec } from "../../engine/ContainerSpec.ts"
import { type Reader as OptionReader, readers } from "../../engine/options/readers.ts"
import type { ComposeService } from "../ComposeProject.ts"
import type { ComposeLocation } from "./location.ts"
import { all, Names, oneOrMore, pairsOf, readBySchema, Scalar } from "./shapes.ts"

/** A compose service while its fields are read one by one, with the volumes and services that it refers to. */
export interface Draft extends ComposeService {
  /** The names of the declared volumes that the service mounts. */
  readonly volumes: ReadonlyArray<string>
  /** The generated names of the service's volumes that have no name in the compose files. */
  readonly anonymous: ReadonlyArray<string>
  /** The names of services in `depends_on` that may be missing (`required: false`). */
  readonly optional: ReadonlyArray<string>
}

/** Reads the value of a compose field: returns the draft with the value, and reports problems to `at`. */
export type Reader = (draft: Draft, value: unknown, at: ComposeLocation) => Draft

/**
 * The handling of one compose service field: a reader, a note for an ignored field (`leftOut`), or the error for an
 * unsupported field (`refused`).
 */
export type Row = { readonly read: Reader } | { readonly leftOut: string | null } | { readonly refused: string }

/** The error message for an option that gives access to the server, on an instance that does not allow this. */
export const opensServer = "Gives the container access to the server, which this instance does not allow."

const sentence = (mustBe: string): string => `${mustBe.charAt(0).toUpperCase()}${mustBe.slice(1)}.`

/** Returns the reader of a supported compose field: it decodes the value with a schema, then calls `read`. */
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

/** Sets an option of a service from one value, with the reader of the equivalent `docker run` option. */
export const setOption = (draft: Draft, read: OptionReader, value: string, at: ComposeLocation): Draft => {
  const options = read(draft.options, value)
  if (Result.isSuccess(options)) return { ...draft, options: options.success }
  at.say(sentence(options.failure))
  return draft
}

/** Returns the reader of a compose field with one value, which is parsed like an option of `docker run`. */
export const option = (read: OptionReader) =>
  supportedField(Scalar, (draft, value, at) => setOption(draft, read, String(value), at))

const eachOption = (draft: Draft, read: OptionReader, values: ReadonlyArray<string>, at: ComposeLocation): Draft =>
  values.reduce((before, value) => setOption(before, read, value, at), draft)

/** Returns the reader of a compose field with one or more values, each parsed like an option of `docker run`. */
export const optionEach = (read: OptionReader) =>
  supportedField(oneOrMore(Scalar), (draft, value, at) => eachOption(draft, read, all(value).map(String), at))

/** Returns the reader of a compose field with names and values, each parsed like a `docker run` option `name=value`. */
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

/** Restricts a compose field to instances that give applications access to the server; others report an error. */
export const hostAccessField = (row: { readonly read: Reader }): Row => ({
  read: (draft, value, at) => {
    if (isOff(value)) return draft
    if (at.context.allowed.hostAccess) return row.read(draft, value, at)
    at.say(opensServer)
    return draft
  }
})

/**
 * Returns the reader of a compose field with some values that give access to the server: values for which `opens` is
 * true are accepted only by instances that allow host access, and are read with `opened`.
 */
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

/** Returns the reader of a compose field that sets the resource limit `key`; invalid values report `mustBe`. */
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

/** Sets the restart policy of a compose service, or reports that it is invalid. */
export const restart = (draft: Draft, policy: string, at: ComposeLocation): Draft => {
  const read = readers.restart(draft.options, policy)
  if (Result.isSuccess(read)) return { ...draft, restart: read.success.restart }
  at.say(sentence(read.failure))
  return draft
}

/** Declares a compose field that is ignored; a non-null `why` is reported to the user as a note. */
export const ignoredField = (why: string | null): Row => ({ leftOut: why })
/** Declares a compose field that is rejected with the error `why`. */
export const unsupportedField = (why: string): Row => ({ refused: why })
