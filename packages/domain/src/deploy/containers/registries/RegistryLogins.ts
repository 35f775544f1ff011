import { Context, Effect, Schema } from "effect"
import type { RegistryCredentials } from "../engine/ContainerEngine.ts"

/** Reports that registry credentials cannot be read, with the reason but without their content. */
export class LoginsUnreadable extends Schema.TaggedError<LoginsUnreadable>()("LoginsUnreadable", {
  because: Schema.String
}) {}

/** The credentials of the platform at registries. */
export interface Logins {
  /**
   * Reads the current credentials, because they can change while the platform runs. Each is for a registry, or a
   * namespace in one, in the form of `registryOf`.
   */
  readonly read: Effect.Effect<ReadonlyArray<RegistryCredentials>, LoginsUnreadable>
  /** The advice for a failed deployment when the credentials of a registry are missing. */
  readonly advice: string
}

/** The `read` of a platform without registry credentials: returns an empty list. */
export const noLogins: Logins["read"] = Effect.succeed([])

/** The operator's user names and passwords for registries; none by default. */
export const RegistryLogins = Context.Reference<Logins>("@slipway/domain/deploy/RegistryLogins", {
  defaultValue: () => ({ read: noLogins, advice: "the operator of the platform can configure one" })
})
