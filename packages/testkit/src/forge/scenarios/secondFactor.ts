import { assert } from "@effect/vitest"
import { stepAt, stepLength } from "@slipway/domain/forge/identity"
import { SecondFactors } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { at, codeFor } from "../testEnv.ts"
import {
  answer,
  basic,
  bearer,
  equal,
  may,
  password,
  present,
  type Scenario,
  tokenOf,
  user,
  whoAmI
} from "./support.ts"

const wrongCode = "InvalidCredentials one-time code"
const start = 1_767_225_600_000

/** Returns the one-time code of a secret, a number of seconds after the start of the test. */
const codeAt = (secret: Redacted.Redacted, seconds: number) => codeFor(secret, stepAt(start + seconds * 1_000))

/** Enables the second factor of a user at the start of the test. */
const enrolled = Effect.fnUntraced(function* (name: string) {
  yield* user(name)
  const { secret } = yield* Effect.flatMap(may("account.second-factor.enrol", basic(name)), SecondFactors.enrol)
  const recovery = yield* at(0)(
    Effect.flatMap(may("account.second-factor.confirm", basic(name)), (proof) =>
      SecondFactors.confirm(proof, Redacted.make(codeAt(secret, 0)))
    )
  )
  return { secret, recovery: recovery.map((code) => Redacted.value(code)) }
})

const needsCode = Effect.gen(function* () {
  const { secret } = yield* enrolled("bob")
  equal((yield* present("bob"))?.secondFactor, true)
  const signIn = (seconds: number, code?: string) => at(seconds)(whoAmI(basic("bob", password, code)))
  equal(yield* signIn(100), wrongCode)
  for (const code of ["", "000000x", "12345", codeAt(secret, 100 - 2 * stepLength), codeAt(secret, 200)]) {
    equal([code, yield* signIn(100, code)], [code, wrongCode])
  }
  equal(yield* at(100)(whoAmI(basic("bob", "wrong password", codeAt(secret, 100)))), "InvalidCredentials credentials")
  equal(yield* signIn(100, ` ${codeAt(secret, 100)} `), "bob")
})

const codesOnce = Effect.gen(function* () {
  const { secret } = yield* enrolled("bob")
  const signIn = (seconds: number, of: number) => at(seconds)(whoAmI(basic("bob", password, codeAt(secret, of))))
  // The code that enabled the second factor is used up.
  equal(yield* signIn(0, 0), wrongCode)
  equal(yield* signIn(0, stepLength), "bob")
  equal(yield* signIn(stepLength, stepLength), wrongCode)
  equal(yield* signIn(3 * stepLength, 3 * stepLength), "bob")
  equal(yield* signIn(3 * stepLength, 2 * stepLength), wrongCode)
  const attempts = Array.from({ length: 5 }, () => signIn(5 * stepLength, 5 * stepLength))
  const answers = yield* Effect.all(attempts, { concurrency: "unbounded" })
  equal(answers.filter((each) => each === "bob").length, 1)
})

const recoveryOnce = Effect.gen(function* () {
  const bob = yield* enrolled("bob")
  const cy = yield* enrolled("cy")
  equal(new Set([...bob.recovery, ...cy.recovery]).size, 20)
  const signIn = (name: string, code: string | undefined) => at(300)(whoAmI(basic(name, password, code)))
  const [first, second] = bob.recovery
  equal(yield* signIn("cy", first), wrongCode)
  equal(yield* signIn("bob", cy.recovery[0]), wrongCode)
  equal(yield* signIn("bob", first), "bob")
  equal(yield* signIn("bob", first), wrongCode)
  equal(yield* signIn("bob", second?.replaceAll("-", "").toUpperCase()), "bob")
  const left = yield* Effect.flatMap(
    may("account.second-factor.read", basic("bob", password, bob.recovery[2])),
    SecondFactors.read
  )
  equal(left, { on: true, recoveryCodes: 7 })
})

const renewed = Effect.gen(function* () {
  const { recovery } = yield* enrolled("bob")
  const codes = yield* Effect.flatMap(
    may("account.second-factor.recovery-codes.create", basic("bob", password, recovery[0])),
    SecondFactors.renewRecoveryCodes
  )
  equal(yield* whoAmI(basic("bob", password, recovery[1])), wrongCode)
  equal(yield* whoAmI(basic("bob", password, Redacted.value(codes[0] ?? Redacted.make("")))), "bob")
})

const taken = Effect.gen(function* () {
  yield* user("bob")
  const enrol = Effect.flatMap(may("account.second-factor.enrol", basic("bob")), SecondFactors.enrol)
  const confirm = (code: string) =>
    at(0)(
      answer(
        Effect.flatMap(may("account.second-factor.confirm", basic("bob")), (proof) =>
          SecondFactors.confirm(proof, Redacted.make(code))
        )
      )
    )
  equal(yield* confirm("000000"), "SecondFactorOff")
  const first = yield* enrol
  // Until the first code, sign-in requires none, and another enrolment replaces it.
  equal(yield* whoAmI(basic("bob")), "bob")
  const second = yield* enrol
  assert.notStrictEqual(Redacted.value(first.secret), Redacted.value(second.secret))
  assert.include(Redacted.value(second.address), Redacted.value(second.secret))
  equal(yield* confirm(codeAt(first.secret, 0)), "WrongCode")
  equal(yield* confirm(codeAt(second.secret, 90)), "WrongCode")
  assert.isArray(yield* confirm(codeAt(second.secret, 0)))
  equal(yield* whoAmI(basic("bob")), wrongCode)
})

const takenOff = Effect.gen(function* () {
  const { recovery } = yield* enrolled("bob")
  const again = Effect.flatMap(
    may("account.second-factor.enrol", basic("bob", password, recovery[0])),
    SecondFactors.enrol
  )
  equal(yield* answer(again), "SecondFactorOn")
  yield* Effect.flatMap(may("account.second-factor.delete", basic("bob", password, recovery[1])), SecondFactors.disable)
  equal(yield* whoAmI(basic("bob")), "bob")
  equal((yield* present("bob"))?.secondFactor, false)
  const twice = Effect.flatMap(may("account.second-factor.delete", basic("bob")), SecondFactors.disable)
  equal(yield* answer(twice), "SecondFactorOff")
})

/** Tests of the second factor (one-time codes). */
export const secondFactor: Scenario = {
  port: "a second factor",
  musts: {
    "a sign-in needs the second factor after it is enabled": needsCode,
    "a second factor is enabled by the first valid code": taken,
    "I26: each code is accepted once": codesOnce,
    "I26: each recovery code is accepted once, and only for its user": recoveryOnce,
    "new recovery codes replace the old ones": renewed,
    "a second factor can be disabled": takenOff,
    "a wrong code counts as a failed sign-in": Effect.gen(function* () {
      const { secret } = yield* enrolled("bob")
      for (let n = 0; n < 10; n++) yield* at(100)(whoAmI(basic("bob", password, "000000")))
      equal(yield* at(100)(whoAmI(basic("bob", password, codeAt(secret, 100)))), "SignInSlowed 1")
    }),
    "I5: a token needs no code and cannot change the second factor": Effect.gen(function* () {
      yield* enrolled("bob")
      const token = yield* tokenOf("bob")
      equal(yield* whoAmI(bearer(token)), "bob")
      for (const action of [
        "account.second-factor.read",
        "account.second-factor.enrol",
        "account.second-factor.confirm",
        "account.second-factor.delete",
        "account.second-factor.recovery-codes.create"
      ] as const) {
        equal(yield* answer(may(action, bearer(token))), "401 auth required")
        equal(yield* answer(may(action, basic("bob", token))), "401 auth required")
      }
    })
  }
}
