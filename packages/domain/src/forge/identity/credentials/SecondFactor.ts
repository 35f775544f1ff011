import { Context, type Effect, type Redacted, Schema } from "effect"
import type { Sealed } from "../../../Vault.ts"
import type { UserId } from "../users/User.ts"

/** A second factor of a user: a secret shared with an authenticator app that generates one-time codes. */
export interface SecondFactor {
  readonly userId: UserId
  readonly secret: Sealed
  /** Whether the user has confirmed the second factor with a code. Sign-ins require a code only after that. */
  readonly confirmed: boolean
  /**
   * The time step (period of 30 seconds) of the last accepted code. Codes of this and earlier steps are rejected, so
   * that no code is used twice (invariant I26).
   */
  readonly lastStep: number
}

/** Reports that a one-time code is wrong, already used or expired. */
export class WrongCode extends Schema.TaggedError<WrongCode>()("WrongCode", {}) {}
/** Reports that the second factor is already enabled. */
export class SecondFactorOn extends Schema.TaggedError<SecondFactorOn>()("SecondFactorOn", {}) {}
/** Reports that the user has no second factor that could be confirmed or removed. */
export class SecondFactorOff extends Schema.TaggedError<SecondFactorOff>()("SecondFactorOff", {}) {}

/** The length of a time step in seconds: each one-time code belongs to one step. */
export const stepLength = 30

/** Returns the number of the 30-second time step that contains a time in milliseconds since 1970. */
export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / stepLength)

/**
 * Makes one-time codes of six digits from a secret (RFC 6238: SHA-1, 30 seconds).
 *
 * Must:
 * - make the same code for the same secret and step
 * - make different codes for different secrets and steps
 */
export class OneTimeCodes extends Context.Service<
  OneTimeCodes,
  {
    /** Generates a new secret, as text that users can enter in an authenticator app. */
    readonly makeSecret: Effect.Effect<Redacted.Redacted>
    readonly code: (secret: Redacted.Redacted, step: number) => Effect.Effect<string>
    /** Returns the `otpauth:` URL from which authenticator apps read the secret, usually as a QR code. */
    readonly address: (secret: Redacted.Redacted, issuer: string, account: string) => string
  }
>()("@slipway/domain/forge/OneTimeCodes") {}

/**
 * Stores the second factors of users.
 *
 * Must:
 * - return the second factor last written for a user
 * - replace all recovery codes of a user
 * - remove a second factor with its recovery codes, and report when it is missing
 * - remove the second factor of a removed user
 */
export class SecondFactorStore extends Context.Service<
  SecondFactorStore,
  {
    readonly find: (user: UserId) => Effect.Effect<SecondFactor | undefined>
    readonly write: (factor: SecondFactor) => Effect.Effect<void>
    readonly remove: (user: UserId) => Effect.Effect<boolean>
    /** Replaces the recovery codes of the user; they are stored as hashes. */
    readonly writeRecoveryCodes: (user: UserId, hashes: ReadonlyArray<string>) => Effect.Effect<void>
    readonly countRecoveryCodes: (user: UserId) => Effect.Effect<number>
  }
>()("@slipway/domain/forge/SecondFactorStore") {}
