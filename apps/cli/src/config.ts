import { settings as deploySettings } from "@slipway/deploy-app/config"
import { settingRows as deployRows } from "@slipway/deploy-app/help"
import { settings as forgeSettings } from "@slipway/forge-app/config"
import { settingRows as forgeRows } from "@slipway/forge-app/help"
import {
  MakesKeys,
  observabilitySettings,
  readTogether,
  type SettingRow,
  SettingsInvalid,
  textSetting
} from "@slipway/http/node"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { type Service, serviceFlag, services } from "./backup/places.ts"
import { explainFailures, userError } from "./forge/failures.ts"

const known = {
  forge: { rows: forgeRows, settings: forgeSettings },
  deploy: { rows: deployRows, settings: deploySettings }
} as const

/** A setting with its current value and source. */
interface Explained {
  readonly variable: string
  readonly value: string | null
  /** The variable that is set, usually the setting's own; null if none is. */
  readonly from: string | null
  readonly default: string | null
  readonly meaning: string
}

const hidden = "(hidden)"

/** Returns a URL without credentials and query; hides a value that is not a URL. */
const withoutSecrets = (text: string): string => {
  if (/^(?:memory|file):/i.test(text)) return text
  const { host, pathname, protocol } = URL.parse(text) ?? {}
  return host ? `${protocol}//${host}${pathname}` : hidden
}

/** Returns a value without its secret parts. */
const shown = (value: string, secret: SettingRow["secret"]): string =>
  secret === undefined ? value : secret === "all" ? hidden : withoutSecrets(value)

const shared = "DATABASE_URL"

const explain = Effect.fnUntraced(function* (variable: string, { meaning, secret, unlessSet }: SettingRow) {
  const set = yield* textSetting(variable)
  const common = set === undefined && variable.endsWith(`_${shared}`) ? yield* textSetting(shared) : undefined
  const configured = set ?? common
  const value = configured === undefined ? (unlessSet ?? null) : shown(configured, secret)
  const from = set !== undefined ? variable : common !== undefined ? shared : null
  return { variable, value, from, default: unlessSet ?? null, meaning } satisfies Explained
})

/** Returns the problems of a service's settings, as its start reports them. */
const problemsOf = (service: Service) =>
  readTogether({ own: known[service].settings, observed: observabilitySettings(service.toUpperCase()) }).pipe(
    Effect.provideService(MakesKeys, false),
    Effect.match({
      onFailure: (error) => (error instanceof SettingsInvalid ? error.problems : [error.message]),
      onSuccess: (): ReadonlyArray<string> => []
    })
  )

/** Returns the variables with a service's prefix that it does not read. */
const unknownOf = (service: Service): ReadonlyArray<string> =>
  Object.keys(process.env)
    .filter((name) => name.startsWith(`${service.toUpperCase()}_`) && !Object.hasOwn(known[service].rows, name))
    .sort()

const table = (settings: ReadonlyArray<Explained>): string => {
  const width = Math.max(...settings.map(({ variable }) => variable.length))
  return settings
    .map(({ from, meaning, value, variable }) => {
      const whence = from === null ? " (default)" : from === variable ? "" : ` (${from})`
      const is = value === null ? "is not set" : `${value}${whence}`
      return `${variable.padEnd(width)}  ${is}\n${"".padEnd(width)}    ${meaning}`
    })
    .join("\n")
}

const about = Effect.fnUntraced(function* (service: Service) {
  const settings = yield* Effect.forEach(Object.entries(known[service].rows), ([variable, row]) =>
    explain(variable, row)
  )
  return { service, settings, problems: yield* problemsOf(service), unknown: unknownOf(service) }
})

/** Explains the settings of the services, and reports all problems. */
export const config = Command.make(
  "config",
  {
    service: serviceFlag,
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
  },
  ({ json, service }) =>
    explainFailures(
      Effect.gen(function* () {
        const all = yield* Effect.forEach(service._tag === "Some" ? [service.value] : services, about)
        if (json) yield* Console.log(JSON.stringify(all, null, 2))
        else for (const { settings } of all) yield* Console.log(`${table(settings)}\n`)
        for (const { service, unknown } of all) {
          for (const name of unknown) yield* Console.error(`\`${name}\` is not a setting of ${service}`)
        }
        const problems = [...new Set(all.flatMap(({ problems }) => problems))]
        if (problems.length > 0) return yield* userError(problems.join("\n"))
      })
    )
).pipe(
  Command.withDescription("Explain each setting: value, source and default; exits with 1 if one is invalid"),
  Command.withExamples([{ command: "slipway config --service forge", description: "Check the settings of the forge" }])
)
