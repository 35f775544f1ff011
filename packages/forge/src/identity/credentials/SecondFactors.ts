import { makeUuid, Transaction, Uuid, Vault } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  hashOf,
  OneTimeCodes,
  recoveryCodeCount,
  SecondFactorOff,
  SecondFactorOn,
  SecondFactorStore,
  secondFactorOwner,
  signedInUser,
  type UserId,
  UserNotFound,
  UserStore,
  WrongCode
} from "@slipway/domain/forge/identity"
import { Effect, Redacted } from "effect"
import { audited } from "../../base/events/record.ts"
import { matchingStep } from "../../entry/credentials/authenticate.ts"

/** The data that an authenticator app needs; returned only once. */
export interface Enrolment {
  readonly secret: Redacted.Redacted
  /** The secret as an `otpauth` URL. */
  readonly address: Redacted.Redacted
}

const locked = <A, E, R>(id: UserId, name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) =>
    transaction.run(
      Effect.gen(function* () {
        if ((yield* (yield* UserStore).lock(id)) === undefined) return yield* new UserNotFound({ name })
        return yield* effect
      })
    )
  )

/** Starts the enrolment of a second factor for the caller; `confirm` enables the factor after verifying a code. */
export const enrol = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.second-factor.enrol">) {
    const { id, name } = signedInUser(resource)
    const { title } = yield* SiteSettings
    const codes = yield* OneTimeCodes
    const factors = yield* SecondFactorStore
    const secret = yield* codes.makeSecret
    const sealed = yield* (yield* Vault).seal(secondFactorOwner(id), secret)
    yield* locked(
      id,
      name,
      Effect.gen(function* () {
        const present = yield* factors.find(id)
        if (present?.confirmed) return yield* new SecondFactorOn()
        yield* factors.write({ userId: id, secret: sealed, confirmed: false, lastStep: 0 })
      })
    )
    return { secret, address: Redacted.make(codes.address(secret, title, name)) } satisfies Enrolment
  })
)

const makeRecoveryCode = Effect.map(makeUuid(Uuid), (text) => text.replace(/(.{6})(?=.)/g, "$1-"))

const replaceCodes = Effect.fnUntraced(function* (id: UserId) {
  const codes = yield* Effect.forEach(Array.from({ length: recoveryCodeCount }), () => makeRecoveryCode)
  const hashes = yield* Effect.forEach(codes, (code) => hashOf(code.replaceAll("-", "")))
  yield* (yield* SecondFactorStore).writeRecoveryCodes(id, hashes)
  return codes.map((code) => Redacted.make(code))
})

/** Enables the caller's second factor, and returns the recovery codes once. */
export const confirm = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.second-factor.confirm">, code: Redacted.Redacted) {
    const { id, name } = signedInUser(resource)
    const factors = yield* SecondFactorStore
    return yield* locked(
      id,
      name,
      Effect.gen(function* () {
        const factor = yield* factors.find(id)
        if (factor === undefined) return yield* new SecondFactorOff()
        if (factor.confirmed) return yield* new SecondFactorOn()
        const step = yield* matchingStep(factor, Redacted.value(code).trim())
        if (step === undefined) return yield* new WrongCode()
        yield* factors.write({ ...factor, confirmed: true, lastStep: step })
        return yield* replaceCodes(id)
      })
    )
  })
)

/** Creates new recovery codes for the caller, and invalidates the old ones. */
export const renewRecoveryCodes = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.second-factor.recovery-codes.create">) {
    const { id, name } = signedInUser(resource)
    const factors = yield* SecondFactorStore
    return yield* locked(
      id,
      name,
      Effect.gen(function* () {
        if (!(yield* factors.find(id))?.confirmed) return yield* new SecondFactorOff()
        return yield* replaceCodes(id)
      })
    )
  })
)

/** Disables the caller's second factor and its recovery codes. */
export const disable = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.second-factor.delete">) {
    const { id } = signedInUser(resource)
    if (!(yield* (yield* SecondFactorStore).remove(id))) return yield* new SecondFactorOff()
  })
)

/** Disables the second factor of a user who lost it, on behalf of an administrator. */
export const disableOf = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.user.second-factor.delete">, name: string) {
    const found = yield* (yield* UserStore).named(name)
    if (found === undefined || found.renamed) return yield* new UserNotFound({ name })
    if (!(yield* (yield* SecondFactorStore).remove(found.user.id))) return yield* new SecondFactorOff()
    return found.user
  }),
  (user) => ({ user })
)

/** Returns whether the caller's second factor is on, and how many recovery codes are left. */
export const read = Effect.fnUntraced(function* ({ resource }: Proof<"account.second-factor.read">) {
  const { id, secondFactor } = signedInUser(resource)
  return {
    on: secondFactor,
    recoveryCodes: secondFactor ? yield* (yield* SecondFactorStore).countRecoveryCodes(id) : 0
  }
})
