import { Context, Effect, Schema } from "effect"
import type { RegistryCredentials } from "../engine/ContainerEngine.ts"

/** Reports that the credentials of registries can't be read, and why, without anything of what they are. */
export class LoginsUnreadable extends Schema.TaggedError<LoginsUnreadable>()("LoginsUnreadable", {
  because: Schema.String
}) {}

/** The credentials that the platform may use at registries. */
export interface Logins {
  /**
   * Reads the credentials as they are now, since they may be changed while the platform runs. Each is for a registry, or a
   * place in one, as `registryOf` returns it.
   */
  readonly read: Effect.Effect<ReadonlyArray<RegistryCredentials>, LoginsUnreadable>
  /** The advice for a failed deployment when the credentials of a registry are missing. */
  readonly advice: string
}

/** Reads none, for a platform that has no passwords. */
export const noLogins: Logins["read"] = Effect.succeed([])

/** The operator's user names and passwords for registries; none by default. */
export const RegistryLogins = Context.Reference<Logins>("@slipway/domain/deploy/RegistryLogins", {
  defaultValue: () => ({ read: noLogins, advice: "whoever runs the platform can give it one" })
})
