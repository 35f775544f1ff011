import { Context, Effect, Schema } from "effect"
import type { RegistryCredentials } from "../engine/ContainerEngine.ts"

/** Reports that the credentials of registries can't be read, and why, without anything of what they are. */
export class LoginsUnreadable extends Schema.TaggedError<LoginsUnreadable>()("LoginsUnreadable", {
  because: Schema.String
}) {}

/** What the platform may say at registries. */
export interface Logins {
  /**
   * Reads the credentials as they are now, since they may be changed while the platform runs. Each is for a registry, or a
   * place in one, as `registryOf` returns it.
   */
  readonly read: Effect.Effect<ReadonlyArray<RegistryCredentials>, LoginsUnreadable>
  /** What to do where those of a registry are missing, for whoever reads why a deployment failed. */
  readonly advice: string
}

/** Reads none, for a platform that has no passwords. */
export const noLogins: Logins["read"] = Effect.succeed([])

/** The names and passwords that the operator has for registries; none unless it is said. */
export const RegistryLogins = Context.Reference<Logins>("@slipway/domain/deploy/RegistryLogins", {
  defaultValue: () => ({ read: noLogins, advice: "whoever runs the platform can give it one" })
})
