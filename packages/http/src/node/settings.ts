import { Config, Data, Effect, Option, type Redacted, Result, Schema } from "effect"
import { IpNetwork } from "effect/net"

/** The error for an invalid setting; names the variable but not its value, which may be secret. */
export class SettingInvalid extends Data.TaggedError("SettingInvalid")<{
  readonly variable: string
  readonly problem: string
}> {
  override get message(): string {
    return `the setting \`${this.variable}\` ${this.problem}`
  }
}

/** Reports several invalid settings, one per line. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message(): string {
    return this.problems.join("\n")
  }
}

type Readings = Readonly<Record<string, Effect.Effect<unknown, { readonly message: string }>>>
type ErrorOf<R extends Readings> = Effect.Error<R[keyof R]>

/** Reads several settings; fails with the errors of all invalid settings together. */
export const readTogether = <const R extends Readings>(
  readings: R
): Effect.Effect<{ readonly [K in keyof R]: Effect.Success<R[K]> }, ErrorOf<R> | SettingsInvalid> =>
  Effect.flatMap(Effect.all(readings as Readings, { mode: "result" }), (results) => {
    const failures = Object.values(results).flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
    const messages = failures.flatMap((failure) =>
      failure instanceof SettingsInvalid ? failure.problems : [failure.message]
    )
    const problems = [...new Set(messages)]
    if (problems.length > 1) return Effect.fail(new SettingsInvalid({ problems }))
    const [failure] = failures
    return failure === undefined
      ? Effect.succeed(
          Object.fromEntries(Object.entries(results).map(([name, result]) => [name, Result.getOrThrow(result)]))
        )
      : Effect.fail(failure)
  }) as never

const optional = <A>(variable: string, config: Config.Config<A>, problem: string) =>
  Config.option(config).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.mapError(() => new SettingInvalid({ variable, problem }))
  )

/** Reads a setting from the environment; an empty variable counts as unset. */
export const textSetting = (variable: string): Effect.Effect<string | undefined, SettingInvalid> =>
  optional(variable, Config.String(variable), "can't be read")

/** Reads a secret setting; an empty variable counts as unset. */
export const secretSetting = (variable: string): Effect.Effect<Redacted.Redacted | undefined, SettingInvalid> =>
  optional(variable, Config.Redacted(variable), "can't be read")

const PortNumber = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 }))

/** The address on which a service listens. */
export interface Listening {
  readonly host: string
  readonly port: number
  /** The variable that sets the port. */
  readonly portSetting: string
}

/** Reads the host and port on which a service listens, from `HOST` and `portSetting`; port 0 selects a free port. */
export const listeningSettings = (portSetting: string, port: number): Effect.Effect<Listening, SettingInvalid> =>
  Effect.gen(function* () {
    const problem = "must be a port from 0 (selects a free one) to 65535"
    const chosen = yield* optional(portSetting, Config.schema(PortNumber, portSetting), problem)
    const host = yield* textSetting("HOST")
    return { host: host ?? "127.0.0.1", port: chosen ?? port, portSetting }
  })

/** Reads a boolean setting. */
export const flagSetting = (variable: string, unlessSet: boolean): Effect.Effect<boolean, SettingInvalid> =>
  optional(variable, Config.Boolean(variable), "must be true or false").pipe(Effect.map((flag) => flag ?? unlessSet))

/** Reads a setting with a whole number in a range. */
export const numberSetting = (
  variable: string,
  unlessSet: number,
  { maximum, minimum }: { readonly minimum: number; readonly maximum: number }
): Effect.Effect<number, SettingInvalid> => {
  const Whole = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))
  const problem = `must be a whole number from ${minimum} to ${maximum}`
  return optional(variable, Config.schema(Whole, variable), problem).pipe(Effect.map((number) => number ?? unlessSet))
}

/** Reads a retention period in days; if it is unset, data is kept forever. */
export const retentionSetting = (
  variable: string,
  unlessSet: number
): Effect.Effect<number | undefined, SettingInvalid> =>
  Effect.map(numberSetting(variable, unlessSet, { minimum: 0, maximum: 36_500 }), (days) =>
    days === 0 ? undefined : days
  )

/** Reads a list of IP networks (CIDR), separated by commas; empty by default. */
export const networksSetting = (variable: string): Effect.Effect<ReadonlyArray<IpNetwork.IpNetwork>, SettingInvalid> =>
  Effect.flatMap(textSetting(variable), (text) =>
    Effect.forEach(text?.split(",") ?? [], (each) =>
      Effect.mapError(
        Effect.fromResult(IpNetwork.fromString(each.trim())),
        () => new SettingInvalid({ variable, problem: "must be comma-separated networks, such as 10.0.0.0/8" })
      )
    )
  )
