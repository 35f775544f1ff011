import { Result, Schema } from "effect"
import { isImageName } from "../../../apps/fields/docker.ts"
import { isOwnImage } from "../../../base/images/imageNames.ts"
import { wordsOf } from "../../../base/words/words.ts"
import { bytesOf } from "../../engine/amounts.ts"
import { isOwnLabel } from "../../engine/names.ts"
import { readers } from "../../engine/options/readers.ts"
import { ComposeCondition } from "../ComposeProject.ts"
import { type ComposeLocation, shown } from "./location.ts"
import { type Draft, limit, type Reader, restart, setOption, supportedField } from "./rows.ts"
import { AnyContent, listOf, Names, pairsOf, Scalar, secondsOf, Text, withoutExtensions } from "./shapes.ts"

const fromRecord = (row: { readonly read: Reader }): { readonly read: Reader } => ({
  read: (draft, value, at) => row.read(draft, withoutExtensions(value), at)
})

/** Reads the field `image`; rejects the names of images that the platform builds for applications (invariant I22). */
export const image = supportedField(Text, (draft, value, at) => {
  if (!isImageName(value)) at.say("Must be the name of an image, such as nginx:alpine.")
  else if (isOwnImage(value)) at.say("Must be an image of a registry.")
  return { ...draft, image: value }
})

const Words = Schema.Union([Text, listOf(Scalar)])

const wordsIn = (value: typeof Words.Type, at: ComposeLocation): ReadonlyArray<string> | null => {
  if (typeof value !== "string") return value.map(String)
  const words = wordsOf(value)
  if (Result.isSuccess(words)) return words.success
  at.say(`${words.failure}.`)
  return null
}

/** Reads the field `command` of a compose service: a list of words, or a line that is split without a shell. */
export const command = supportedField(Words, (draft, value, at) => ({ ...draft, command: wordsIn(value, at) }))
/** Reads the field `entrypoint` of a compose service: a list of words, or a line that is split without a shell. */
export const entrypoint = supportedField(Words, (draft, value, at) => ({ ...draft, entrypoint: wordsIn(value, at) }))

/** Reads the field `environment` of a compose service; omits names that neither the file nor the application sets. */
export const environment = supportedField(Names, (draft, names, at) => ({
  ...draft,
  environment: pairsOf(names, at).flatMap(([name, value]) => {
    if (name === "" || name.includes("=") || name.includes("\0")) at.say("A variable needs a name, without `=`.")
    return value === null ? [] : [[name, value] as const]
  })
}))

/** Reads the field `labels` of a compose service; rejects labels that begin with `slipway.` (invariant I22). */
export const labels = supportedField(Names, (draft, names, at) => ({
  ...draft,
  labels: pairsOf(names, at).map(([name, value]) => {
    if (isOwnLabel(name.trim())) at.say(`The label \`${shown(name)}\` is reserved for the platform.`)
    return [name, value ?? ""] as const
  })
}))

const Dependency = Schema.Struct({
  condition: Schema.optionalKey(ComposeCondition),
  required: Schema.optionalKey(Schema.Boolean),
  restart: Schema.optionalKey(Schema.Boolean)
})
const Dependencies = Schema.Union([Schema.Record(Schema.String, Dependency), listOf(Text)])

const depending = (draft: Draft, more: Draft["dependsOn"]): Draft => ({
  ...draft,
  dependsOn: [
    ...draft.dependsOn,
    ...more.filter(({ service }) => draft.dependsOn.every((each) => each.service !== service))
  ]
})

/** Reads the field `depends_on` of a compose service: the services that start before it, and the awaited states. */
export const dependsOn = supportedField(Dependencies, (draft, value) => {
  const named: ReadonlyArray<readonly [string, typeof Dependency.Type]> = Array.isArray(value)
    ? (value as ReadonlyArray<string>).map((service) => [service, {}])
    : Object.entries(value as Readonly<Record<string, typeof Dependency.Type>>)
  return {
    ...draft,
    dependsOn: named.map(([service, { condition = "service_started" }]) => ({ service, condition })),
    optional: named.flatMap(([service, { required = true }]) => (required ? [] : [service]))
  }
})

/**
 * Reads the field `links` of a compose service. A link only makes the service start later, because services in a common
 * network already reach each other by name.
 */
export const links = supportedField(listOf(Text), (draft, value, at) =>
  depending(
    draft,
    value.map((link) => {
      const [service = "", alias = service] = link.split(":")
      if (alias !== service) at.say("Use `aliases` of a network for another name.")
      return { service, condition: "service_started" as const }
    })
  )
)

const HealthCheck = Schema.Struct({
  test: Schema.optionalKey(Words),
  interval: Schema.optionalKey(Text),
  timeout: Schema.optionalKey(Text),
  retries: Schema.optionalKey(Scalar),
  start_period: Schema.optionalKey(Text),
  start_interval: Schema.optionalKey(Text),
  disable: Schema.optionalKey(Schema.Boolean)
})

const usualInterval = 30
const usualRetries = 3
const longestSpan = 86_400

const span = (text: string | undefined, usual: number, at: ComposeLocation): number => {
  const seconds = text === undefined ? usual : secondsOf(text)
  if (seconds !== undefined && seconds <= longestSpan) return seconds
  at.say("Must be a duration of at most a day, such as 1m30s.")
  return usual
}

const programOf = (test: typeof Words.Type, at: ComposeLocation): ReadonlyArray<string> | null => {
  const [kind, ...words] = typeof test === "string" ? ["CMD-SHELL", test] : test.map(String)
  if (kind === "NONE") return null
  if (kind === "CMD" && words.length > 0) return words
  if (kind === "CMD-SHELL" && words.length === 1) return ["/bin/sh", "-c", ...words]
  at.within("test").say("Must be a text, or a list that begins with CMD or CMD-SHELL.")
  return null
}

/** Reads the field `healthcheck` of a compose service. */
export const healthCheck = fromRecord(
  supportedField(HealthCheck, (draft, value, at) => {
    const { disable = false, test } = value
    const isOff = disable || (typeof test === "object" && test[0] === "NONE")
    if (isOff) return { ...draft, healthCheck: "disabled" }
    if (test === undefined) {
      at.note("without a test, the health check of the image stays unchanged.")
      return draft
    }
    const program = programOf(test, at)
    const retries = Number(value.retries ?? usualRetries)
    if (!Number.isInteger(retries) || retries < 0 || retries > 1_000) {
      at.within("retries").say("Must be a whole number up to 1000.")
    }
    return program === null
      ? draft
      : {
          ...draft,
          healthCheck: {
            command: program,
            interval: span(value.interval, usualInterval, at.within("interval")),
            timeout: span(value.timeout, usualInterval, at.within("timeout")),
            retries: retries === 0 ? usualRetries : retries,
            startPeriod: span(value.start_period, 0, at.within("start_period"))
          }
        }
  })
)

/** Reads the field `stop_grace_period` of a compose service: a duration such as `1m30s`. */
export const stopGrace = supportedField(Text, (draft, value, at) => {
  const seconds = secondsOf(value)
  return setOption(draft, readers.stopTimeout, seconds === undefined ? value : String(Math.ceil(seconds)), at)
})

const Amounts = Schema.Struct({
  cpus: Schema.optionalKey(Scalar),
  memory: Schema.optionalKey(Scalar),
  pids: Schema.optionalKey(Scalar)
})
const Deploy = Schema.Struct({
  mode: Schema.optionalKey(Schema.Literals(["replicated", "replicated-job"])),
  replicas: Schema.optionalKey(Scalar),
  resources: Schema.optionalKey(
    Schema.Struct({ limits: Schema.optionalKey(Amounts), reservations: Schema.optionalKey(Amounts) })
  ),
  restart_policy: Schema.optionalKey(
    Schema.Struct({
      condition: Schema.optionalKey(Schema.Literals(["none", "on-failure", "any"])),
      max_attempts: Schema.optionalKey(Scalar),
      delay: Schema.optionalKey(AnyContent),
      window: Schema.optionalKey(AnyContent)
    })
  ),
  placement: Schema.optionalKey(AnyContent),
  labels: Schema.optionalKey(AnyContent),
  endpoint_mode: Schema.optionalKey(AnyContent),
  update_config: Schema.optionalKey(AnyContent),
  rollback_config: Schema.optionalKey(AnyContent)
})

const ofSwarms = ["labels", "endpoint_mode", "update_config", "rollback_config"] as const
const bytes = limit("memory", bytesOf, "Must be an amount of memory, such as 64m.")
const reserved = limit("memoryReservation", bytesOf, "Must be an amount of memory, such as 64m.")
const cpus = limit(
  "nanoCpus",
  (text) => (/^\d{1,4}(?:\.\d{1,9})?$/.test(text) && Number(text) > 0 ? Math.round(Number(text) * 1e9) : undefined),
  "Must be a number of CPUs, such as 0.5."
)

const mostReplicas = 50

/** Reads the number of replicas of a service. */
export const readReplicas = (draft: Draft, value: unknown, at: ComposeLocation): Draft => {
  const replicas = Number(value)
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > mostReplicas) {
    at.say(`Must be a whole number from 1 to ${mostReplicas}.`)
    return draft
  }
  const { replicas: _, ...one } = draft
  return replicas === 1 ? one : { ...one, replicas }
}

/** Reads the field `deploy` of a compose service; supports only the options that apply to one server. */
export const deploy = fromRecord(
  supportedField(Deploy, (draft, value, at) => {
    const { mode, placement, replicas, resources, restart_policy: policy } = value
    if (mode === "replicated-job") at.within("mode").say("A service runs in one container.")
    for (const name of ofSwarms)
      if (value[name] !== undefined) at.within(name).note("it has no effect on a single server.")
    if (placement !== undefined && JSON.stringify(placement) !== "{}") {
      at.within("placement").note("it has no effect on a single server.")
    }
    const inner = at.within("resources").within("limits")
    let nextDraft = replicas === undefined ? draft : readReplicas(draft, replicas, at.within("replicas"))
    const limits = resources?.limits ?? {}
    if (limits.memory !== undefined) nextDraft = bytes.read(nextDraft, limits.memory, inner.within("memory"))
    if (limits.cpus !== undefined) nextDraft = cpus.read(nextDraft, limits.cpus, inner.within("cpus"))
    if (limits.pids !== undefined && Number(limits.pids) > 0) {
      nextDraft = setOption(nextDraft, readers.pidsLimit, String(limits.pids), inner.within("pids"))
    }
    const reservation = resources?.reservations?.memory
    if (reservation !== undefined)
      nextDraft = reserved.read(nextDraft, reservation, at.within("resources").within("reservations"))
    if (policy === undefined) return nextDraft
    const times = policy.max_attempts === undefined ? "" : `:${policy.max_attempts}`
    const name = { none: "no", "on-failure": `on-failure${times}`, any: "unless-stopped" }[policy.condition ?? "any"]
    return restart(nextDraft, name, at.within("restart_policy"))
  })
)
