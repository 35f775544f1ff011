import { CommonPasswords, PasswordHasher } from "@slipway/domain/sign-in"
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"

/** The hashes that passwords were compared with, in order. A null stands for an account that does not exist. */
export class Verified extends Context.Service<Verified, Array<string | null>>()("@slipway/testkit/Verified") {}

/** Hashes passwords fast and insecurely. */
const hasher = Layer.effect(
  PasswordHasher,
  Effect.gen(function* () {
    const digest = yield* Digest.Digest
    const random = yield* SecureRandom.SecureRandom
    const verified = yield* Verified
    const turns = Semaphore.makeUnsafe(2)
    const hashWith = (salt: string, password: Redacted.Redacted) =>
      Effect.map(
        digest.digestHex(Digest.md5, new TextEncoder().encode(`${salt}:${Redacted.value(password)}`)),
        (hash) => `test$${salt}$${hash}`
      )
    return {
      inTurn: (_, signIn) => turns.withPermit(signIn),
      hash: (password) => Effect.flatMap(random.randomBytes(8), (salt) => hashWith(Hex.encode(salt), password)),
      verify: (password, hash) => {
        verified.push(hash)
        return Effect.map(hashWith(hash?.split("$")[1] ?? "", password), (computed) => computed === hash)
      }
    }
  })
)

/** The passwords that the fake password checker treats as too common. */
export const commonPasswords: ReadonlySet<string> = new Set(["password1", "iloveyou"])

const common = Layer.succeed(CommonPasswords, {
  has: (password) => Effect.sync(() => commonPasswords.has(Redacted.value(password).toLowerCase()))
})

/** A fake password hasher: it is fast and insecure, and treats two passwords as too common. */
export const testPasswords = Layer.provideMerge(
  Layer.merge(hasher, common),
  Layer.sync(Verified, () => [])
)
