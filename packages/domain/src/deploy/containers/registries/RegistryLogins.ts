import { Context, Effect, Schema } from "effect"
import type { RegistryCredentials } from "../engine/ContainerEngine.ts"

/** Reports that registry credentials cannot be read, with the reason but without their content. */
export class LoginsUnreadable extends Schema.TaggedError<LoginsUnreadable>()("LoginsUnreadable", {
  because: Schema.String
}) {}

/** The platform's own credentials for container registries, which the operator configures. */
export interface Logins {
  /**
   * Reads the current credentials; they can change while the platform runs. Each entry is for a registry, or for a
   * namespace in a registry, as `registryOf` formats it.
   */
  readonly read: Effect.Effect<ReadonlyArray<RegistryCredentials>, LoginsUnreadable>
  /** The advice that a failed deployment shows if credentials for a registry are missing. */
  readonly advice: string
}

/** An implementation of `Logins.read` for a platform without registry credentials: it returns an empty list. */
export const noLogins: Logins["read"] = Effect.succeed([])

/** Provides the operator's credentials for container registries; none by default. */
export const RegistryLogins = Context.Reference<Logins>("@slipway/domain/deploy/RegistryLogins", {
  defaultValue: () => ({ read: noLogins, advice: "the operator of the platform can configure one" })
})
