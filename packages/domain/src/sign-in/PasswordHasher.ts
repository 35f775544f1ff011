import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { Digest, Kdf, Mac, SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { makeProvenPasswords } from "./provenPasswords.ts"
import { SignInSlowed } from "./signInThrottle.ts"

/** The maximum number of concurrent sign-ins, running or waiting: per key (an account or an address), and in total. */
const most = { ofKey: 32, inAll: 128 }

/**
 * Creates a function that runs a few sign-ins concurrently, queues others, and rejects those beyond the limits per key
 * and in total.
 */
const makeQueue = (atOnce: number): PasswordHasher["Service"]["inTurn"] => {
  const turns = Semaphore.makeUnsafe(atOnce)
  const counts = new Map<string, number>()
  let count = 0
  const add = (keys: ReadonlyArray<string>, by: 1 | -1) => {
    count += by
    for (const key of keys) {
      const present = (counts.get(key) ?? 0) + by
      if (present === 0) counts.delete(key)
      else counts.set(key, present)
    }
  }
  return (keys, signIn) =>
    Effect.acquireUseRelease(
      Effect.suspend(() => {
        if (count >= most.inAll || keys.some((key) => (counts.get(key) ?? 0) >= most.ofKey)) {
          return Effect.fail(new SignInSlowed({ seconds: 1 }))
        }
        add(keys, 1)
        return Effect.void
      }),
      () => turns.withPermit(signIn),
      () => Effect.sync(() => add(keys, -1))
    )
}

/** The parameters of Argon2id: the second setting that OWASP recommends, 19 MiB and two passes. */
const costs = { memory: 19_456, passes: 2, parallelism: 1 }
const saltLength = 16
const hashLength = 32

const bare = (bytes: Uint8Array) => Base64.encode(bytes).replace(/=+$/, "")
const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, "=")
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,128})$/

/**
 * Returns the bytes of a password in Unicode form NFKC, so that different encodings of the same characters are equal.
 */
const bytesOf = (password: Redacted.Redacted) => new TextEncoder().encode(Redacted.value(password).normalize("NFKC"))

const derive = Effect.fnUntraced(function* (
  password: Redacted.Redacted,
  salt: Uint8Array,
  algorithm: Kdf.Algorithm,
  length: number
) {
  const kdf = yield* Kdf.Kdf
  return yield* Effect.orDie(kdf.derive(algorithm, bytesOf(password), { salt, length }))
})

/**
 * Hashes passwords with a slow algorithm, and limits how many it hashes concurrently.
 *
 * Must:
 * - verify only the password that was hashed
 * - cache a successful verification for one minute, only for the same password and hash
 * - make a different hash of the same password each time
 * - take the same time to verify a password if there is no hash, such as for an unknown account
 * - limit concurrent and waiting sign-ins, per key and in total, and reject further ones immediately
 */
export class PasswordHasher extends Context.Service<
  PasswordHasher,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string>
    /**
     * Returns whether a password matches a hash. Without a hash, returns false after the same time, so that the time
     * does not reveal whether an account exists.
     */
    readonly verify: (password: Redacted.Redacted, hash: string | null) => Effect.Effect<boolean>
    /**
     * Runs a sign-in when few others are running. So the failures of concurrent attempts are counted before further
     * attempts start.
     *
     * Fails immediately if too many sign-ins are already waiting, in total or for one of the keys.
     */
    readonly inTurn: <A, E, R>(
      keys: ReadonlyArray<string>,
      signIn: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | SignInSlowed, R>
  }
>()("@slipway/domain/PasswordHasher") {
  /**
   * Provides the hasher with Argon2id. At most `runSynchronously` hashes run concurrently, which limits the memory used
   * by sign-ins.
   */
  static readonly layer = (
    atOnce = 4
  ): Layer.Layer<PasswordHasher, never, Digest.Digest | Kdf.Kdf | SecureRandom.SecureRandom> =>
    Layer.effect(
      PasswordHasher,
      Effect.gen(function* () {
        const kdf = yield* Kdf.Kdf
        const random = yield* SecureRandom.SecureRandom
        const hashes = Semaphore.makeUnsafe(atOnce)
        const run = (...args: Parameters<typeof derive>) =>
          hashes.withPermit(Effect.provideService(derive(...args), Kdf.Kdf, kdf))
        const nothing = new Uint8Array(saltLength)
        const digest = yield* Digest.Digest
        const proven = makeProvenPasswords(yield* random.randomBytes(hashLength))
        return PasswordHasher.of({
          inTurn: makeQueue(atOnce),
          hash: Effect.fnUntraced(function* (password) {
            const salt = yield* random.randomBytes(saltLength)
            const hash = yield* run(password, salt, Kdf.argon2id(costs), hashLength)
            const { memory, parallelism, passes } = costs
            return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(salt)}$${bare(hash)}`
          }),
          verify: Effect.fnUntraced(function* (password, hash) {
            if (hash === null) {
              yield* run(password, nothing, Kdf.argon2id(costs), hashLength)
              return false
            }
            const parts = phc.exec(hash)
            if (parts === null) return yield* Effect.die(new Error("a stored password hash does not use Argon2id"))
            const [, memory, passes, parallelism, salt = "", expected = ""] = parts
            const algorithm = Kdf.argon2id({
              memory: Number(memory),
              passes: Number(passes),
              parallelism: Number(parallelism)
            })
            const bytes = yield* Effect.orDie(Effect.fromResult(Base64.decode(padded(expected))))
            const saltBytes = yield* Effect.orDie(Effect.fromResult(Base64.decode(padded(salt))))
            const verified = Effect.map(run(password, saltBytes, algorithm, bytes.length), (derived) =>
              Mac.timingSafeEqual(derived, bytes)
            )
            return yield* Effect.provideService(proven.verify(bytesOf(password), hash, verified), Digest.Digest, digest)
          })
        })
      })
    )
}
