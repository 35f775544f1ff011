import { generateKeyPair, randomBytes } from "node:crypto"
import { promisify } from "node:util"
import { now, timeAgo, Vault } from "@slipway/domain"
import { ProtocolRecords } from "@slipway/forge/identity"
import { Duration, Effect, Redacted, Schema } from "effect"

const JsonWebKeys = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))

/** The keys with which the service signs tokens and cookies. The service generates them and stores them encrypted. */
const Keys = Schema.fromJsonString(
  Schema.Struct({
    /** Private keys with published public halves; the first of each algorithm signs. */
    signing: JsonWebKeys,
    /** The keys that sign cookies. */
    cookies: Schema.Array(Schema.String),
    /** The time when a key was created; older keys have none. */
    changedAt: Schema.optionalKey(Schema.String)
  })
)
type Keys = typeof Keys.Type

const model = "Keys"
const owner = { uuid: "openid", field: "keys" }
const generate = promisify(generateKeyPair)

/** The period after which the signing keys are rotated. */
const signs = Duration.days(30)
/** The number of keys that one rotation adds: one for each signature algorithm. */
const generation = 2

const makeGeneration = async (): Promise<Keys["signing"]> => {
  const rsa = (await generate("rsa", { modulusLength: 2048 })).privateKey.export({ format: "jwk" })
  const ec = (await generate("ec", { namedCurve: "P-256" })).privateKey.export({ format: "jwk" })
  return [
    { ...rsa, use: "sig", alg: "RS256" },
    { ...ec, use: "sig", alg: "ES256" }
  ]
}

/**
 * Returns the keys after a rotation. The keys that were already published become the signing keys, and new keys are
 * published.
 *
 * So every process and every client knows a key before it signs. Former signing keys remain published, to verify older
 * tokens.
 */
const changed = ({ cookies, signing }: Keys, newSigning: Keys["signing"], changedAt: string): Keys => {
  const [present, next] = [signing.slice(0, generation), signing.slice(generation, 2 * generation)]
  const rotated = next.length === 0 ? [...present, ...newSigning] : [...next, ...newSigning, ...present]
  return { cookies, signing: rotated, changedAt }
}

const Stored = Schema.Struct({ sealed: Schema.String })

const open = Effect.fnUntraced(function* (payload: unknown) {
  const vault = yield* Vault
  const { sealed } = yield* Effect.orDie(Schema.decodeUnknownEffect(Stored)(payload))
  const text = yield* vault.open(owner, sealed as Parameters<typeof vault.open>[1])
  return yield* Effect.orDie(Schema.decodeEffect(Keys)(Redacted.value(text)))
})

const sealedOf = Effect.fnUntraced(function* (keys: Keys) {
  const text = yield* Effect.orDie(Schema.encodeEffect(Keys)(keys))
  return { sealed: yield* (yield* Vault).seal(owner, Redacted.make(text)) }
})

const isDue = Effect.fnUntraced(function* ({ changedAt }: Keys) {
  const before = yield* timeAgo(signs)
  return changedAt === undefined || changedAt <= before
})

/** Rotates the keys if they are due. If two processes try it concurrently, only one rotates them. */
const change = Effect.gen(function* () {
  const newGeneration = yield* Effect.promise(makeGeneration)
  yield* ProtocolRecords.replace(model, owner.uuid, (payload) =>
    Effect.gen(function* () {
      const keys = yield* open(payload)
      return (yield* isDue(keys)) ? yield* sealedOf(changed(keys, newGeneration, yield* now)) : undefined
    })
  )
})

const stored = Effect.gen(function* () {
  const found = yield* ProtocolRecords.find(model, owner.uuid)
  return found && (yield* open(found.payload))
})

/** Reads the keys of the service. Generates them if they do not exist, and rotates them every 30 days. */
export const readKeys = Effect.gen(function* () {
  const found = yield* stored
  if (found !== undefined && !(yield* isDue(found))) return found
  if (found !== undefined) {
    yield* change
    return (yield* stored) ?? found
  }
  const signing = yield* Effect.promise(makeGeneration)
  const cookies = [randomBytes(32).toString("base64url")]
  const first = yield* sealedOf({ signing, cookies, changedAt: yield* now })
  return yield* open((yield* ProtocolRecords.first(model, owner.uuid, first)).payload)
})
