import { generateKeyPair, randomBytes } from "node:crypto"
import { promisify } from "node:util"
import { Vault } from "@slipway/domain"
import { ProtocolRecords } from "@slipway/domain/forge"
import { Effect, Redacted, Schema } from "effect"

/** The keys that the service signs with; they are made once and kept sealed. */
const Keys = Schema.fromJsonString(
  Schema.Struct({
    /** Private keys of which others see the public halves, as JSON Web Keys. */
    signing: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
    /** What cookies are signed with. */
    cookies: Schema.Array(Schema.String)
  })
)
type Keys = typeof Keys.Type

const model = "Keys"
const owner = { uuid: "openid", field: "keys" }
const generate = promisify(generateKeyPair)

const make = async (): Promise<Keys> => {
  const rsa = (await generate("rsa", { modulusLength: 2048 })).privateKey.export({ format: "jwk" })
  const ec = (await generate("ec", { namedCurve: "P-256" })).privateKey.export({ format: "jwk" })
  return {
    signing: [
      { ...rsa, use: "sig", alg: "RS256" },
      { ...ec, use: "sig", alg: "ES256" }
    ],
    cookies: [randomBytes(32).toString("base64url")]
  }
}

const Stored = Schema.Struct({ sealed: Schema.String })

/** Reads the keys of the service, and makes them when there are none; of two processes the first one's count. */
export const readKeys = Effect.gen(function* () {
  const vault = yield* Vault
  const found = yield* ProtocolRecords.find(model, owner.uuid)
  const record =
    found ??
    (yield* Effect.gen(function* () {
      const text = yield* Effect.orDie(Schema.encodeEffect(Keys)(yield* Effect.promise(make)))
      const sealed = yield* vault.seal(owner, Redacted.make(text))
      return yield* ProtocolRecords.first(model, owner.uuid, { sealed })
    }))
  const { sealed } = yield* Effect.orDie(Schema.decodeUnknownEffect(Stored)(record.payload))
  const text = yield* vault.open(owner, sealed as Parameters<typeof vault.open>[1])
  return yield* Effect.orDie(Schema.decodeEffect(Keys)(Redacted.value(text)))
})
