import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { layer } from "@slipway/credentials"
import {
  CommonPasswords,
  OneTimeCodes,
  PasswordHasher,
  passwordProblem,
  SignInSlowed,
  stepAt
} from "@slipway/domain/forge/identity"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { Kdf, SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { TestClock } from "effect/testing"

const secret = (text: string) => Redacted.make(text)
const live = Effect.provide(layer())

describe("PasswordHasher", () => {
  it.effect("verify only the password that was hashed", () =>
    Effect.gen(function* () {
      const hasher = yield* PasswordHasher
      for (const password of ["correct horse battery", "Pässwört 😀", " leading and trailing "]) {
        const hash = yield* hasher.hash(secret(password))
        expect(yield* hasher.verify(secret(password), hash)).toBe(true)
        for (const other of ["", password.trim() + "x", password.toUpperCase(), `${password} `]) {
          expect(yield* hasher.verify(secret(other), hash)).toBe(false)
        }
      }
      // A character with two Unicode encodings counts as one character.
      const composed = yield* hasher.hash(secret("caf\u00e9 con leche"))
      expect(yield* hasher.verify(secret("cafe\u0301 con leche"), composed)).toBe(true)
    }).pipe(live)
  )

  it.effect("cache a successful verification for one minute, only for the same password and hash", () =>
    Effect.gen(function* () {
      let derived = 0
      // A different result for each password and salt, like a real function.
      const counting = Layer.succeed(Kdf.Kdf, {
        derive: (_, password, { length, salt }) => {
          derived += 1
          return Effect.succeed(
            Uint8Array.from({ length }, (__, at) => (password[0] ?? 0) ^ (salt[at % salt.length] ?? 0))
          )
        }
      })
      const counted = PasswordHasher.layer().pipe(
        Layer.provide([counting, NodeCrypto.layerDigest, SecureRandom.layerWebCrypto])
      )
      yield* Effect.gen(function* () {
        const hasher = yield* PasswordHasher
        const [hash, changed] = yield* Effect.all([
          hasher.hash(secret("a password")),
          hasher.hash(secret("b password"))
        ])
        const tried = Effect.fnUntraced(function* (password: string, against: string) {
          const before = derived
          const right = yield* hasher.verify(secret(password), against)
          return [right, derived - before]
        })
        expect(yield* tried("a password", hash)).toEqual([true, 1])
        expect(yield* tried("a password", hash)).toEqual([true, 0])
        for (const _ of [1, 2]) expect(yield* tried("wrong", hash)).toEqual([false, 1])
        expect(yield* tried("a password", changed)).toEqual([false, 1])
        yield* TestClock.adjust("59 seconds")
        expect(yield* tried("a password", hash)).toEqual([true, 0])
        yield* TestClock.adjust("1 second")
        expect(yield* tried("a password", hash)).toEqual([true, 1])
        // The cache is full, so the first entry is dropped.
        for (let n = 0; n < 1_000; n++) yield* hasher.verify(secret(`a${n}`), hash)
        expect(yield* tried("a password", hash)).toEqual([true, 1])
        expect(yield* tried("a999", hash)).toEqual([true, 0])
      }).pipe(Effect.provide(counted))
    })
  )

  it.effect("make a different hash of the same password each time", () =>
    Effect.gen(function* () {
      const hasher = yield* PasswordHasher
      const hashes = yield* Effect.all([hasher.hash(secret("same")), hasher.hash(secret("same"))])
      expect(hashes[0]).not.toBe(hashes[1])
      // The standard form of other readers: Argon2id with OWASP's costs.
      for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    }).pipe(live)
  )

  it.effect("take the same time to verify a password if there is no hash, such as for an unknown account", () =>
    Effect.gen(function* () {
      const derived: Array<readonly [number, number, number]> = []
      const counting = Layer.succeed(Kdf.Kdf, {
        derive: (algorithm, _, { length, salt }) => {
          if (algorithm._tag === "Argon2id") derived.push([algorithm.memory * algorithm.passes, salt.length, length])
          return Effect.succeed(new Uint8Array(length))
        }
      })
      const counted = PasswordHasher.layer().pipe(
        Layer.provide([counting, NodeCrypto.layerDigest, SecureRandom.layerWebCrypto])
      )
      yield* Effect.gen(function* () {
        const hasher = yield* PasswordHasher
        const hash = yield* hasher.hash(secret("a password"))
        yield* hasher.verify(secret("a password"), hash)
        expect(yield* hasher.verify(secret("a password"), null)).toBe(false)
      }).pipe(Effect.provide(counted))
      expect(derived).toEqual([derived[0], derived[0], derived[0]])
    })
  )

  // The right password waited for 82 seconds behind 400 wrong ones.
  it.effect("limit concurrent and waiting sign-ins, per key and in total, and reject further ones immediately", () =>
    Effect.gen(function* () {
      const hasher = yield* PasswordHasher
      const gate = yield* Deferred.make<void>()
      let running = 0
      const signIn = Effect.andThen(
        Effect.sync(() => {
          running += 1
        }),
        Deferred.await(gate)
      )
      const begin = (...keys: ReadonlyArray<string>) =>
        Effect.forkChild(Effect.exit(hasher.inTurn(keys, signIn)), { startImmediately: true })
      const refused = (...keys: ReadonlyArray<string>) => Effect.flip(hasher.inTurn(keys, signIn))
      const slowed = new SignInSlowed({ seconds: 1 })
      const begun = yield* Effect.forEach(Array.from({ length: 32 }), () => begin("account:bob", "address:1"))
      expect(running).toBe(4)
      expect(yield* refused("account:bob", "address:2")).toEqual(slowed)
      expect(yield* refused("account:cy", "address:1")).toEqual(slowed)
      const others = yield* Effect.forEach(Array.from({ length: 96 }), (_, n) =>
        begin(`account:${n}`, `address:of ${n}`)
      )
      expect(yield* refused("account:last", "address:last")).toEqual(slowed)
      yield* Fiber.interrupt(others[0] as Fiber.Fiber<unknown>)
      const last = yield* begin("account:last", "address:last")
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [...begun, last]) expect((yield* Fiber.join(fiber))._tag).toBe("Success")
      expect(running).toBe(128)
      yield* hasher.inTurn(["account:bob", "address:1"], signIn)
    }).pipe(live)
  )

  it.effect("reads hashes with other costs, and rejects every other form", () =>
    Effect.gen(function* () {
      const hasher = yield* PasswordHasher
      // From the reference implementation: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32`.
      const reference = "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"
      const bytes = Uint8Array.from(reference.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      const bare = (input: Uint8Array | string) => Base64.encode(input).replace(/=+$/, "")
      const hash = `$argon2id$v=19$m=65536,t=2,p=1$${bare("somesalt")}$${bare(bytes)}`
      expect(yield* hasher.verify(secret("password"), hash)).toBe(true)
      expect(yield* hasher.verify(secret("passwore"), hash)).toBe(false)
      for (const broken of ["", "password", hash.replace("id", "i"), hash.replace("m=65536", "m=99999999")]) {
        expect((yield* Effect.exit(hasher.verify(secret("password"), broken)))._tag).toBe("Failure")
      }
    }).pipe(live)
  )
})

describe("CommonPasswords", () => {
  it.effect("recognize a common password, ignoring case", () =>
    Effect.gen(function* () {
      const common = yield* CommonPasswords
      for (const password of ["password", "12345678", "iloveyou", "PassWord1", "QWERTYUIOP", "1q2w3e4r"]) {
        expect([password, yield* common.has(secret(password))]).toEqual([password, true])
      }
    }).pipe(live)
  )

  it.effect("recognize no random password as common", () =>
    Effect.gen(function* () {
      const common = yield* CommonPasswords
      for (const password of ["correct horse battery", "kH8wqZp2LxVd", "__proto__", "constructor", ""]) {
        expect(yield* common.has(secret(password))).toBe(false)
      }
      expect(passwordProblem("correct horse battery")).toBe(undefined)
    }).pipe(live)
  )
})

describe("OneTimeCodes", () => {
  // RFC 6238, appendix B: the secret "12345678901234567890" in ASCII, here in Base32, and the last six of eight digits.
  const rfc = secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")

  it.effect("make the same code for the same secret and step", () =>
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      for (const [seconds, code] of [
        [59, "287082"],
        [1_111_111_109, "081804"],
        [1_111_111_111, "050471"],
        [1_234_567_890, "005924"],
        [2_000_000_000, "279037"],
        [20_000_000_000, "353130"]
      ] as const) {
        expect(yield* codes.code(rfc, stepAt(seconds * 1000))).toBe(code)
      }
    }).pipe(live)
  )

  it.effect("make different codes for different secrets and steps", () =>
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      const one = yield* codes.makeSecret
      const other = yield* codes.makeSecret
      expect(Redacted.value(one)).toMatch(/^[A-Z2-7]{32}$/)
      expect(Redacted.value(one)).not.toBe(Redacted.value(other))
      const steps = Array.from({ length: 20 }, (_, n) => 1000 + n)
      const made = yield* Effect.forEach([one, other], (each) =>
        Effect.forEach(steps, (step) => codes.code(each, step))
      )
      // Two of forty codes are equal by chance about once in a thousand runs, three almost never.
      expect(new Set(made.flat()).size).toBeGreaterThan(37)
    }).pipe(live)
  )

  it.effect("returns a key URI with everything that an authenticator app needs", () =>
    Effect.gen(function* () {
      const address = new URL((yield* OneTimeCodes).address(rfc, "My Forge", "bob"))
      expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).toEqual([
        "otpauth:",
        "totp",
        "/My Forge:bob"
      ])
      expect(Object.fromEntries(address.searchParams)).toEqual({
        issuer: "My Forge",
        secret: Redacted.value(rfc),
        algorithm: "SHA1",
        digits: "6",
        period: "30"
      })
    }).pipe(live)
  )
})
