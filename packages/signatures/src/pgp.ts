import { type CheckedKey, GpgKeyInvalid, type ReadGpgKey, type ReadGpgSubkey } from "@slipway/domain/forge/identity"
import { DateTime } from "effect"
import * as openpgp from "openpgp"

const longestKey = 64 * 1024
const form = "Must be one armored public OpenPGP key, as from `gpg --armor --export`."

const leastBits = 2_048

// Requirements on keys and signatures beyond the library's own, which reject weak hashes and curves.
const config: openpgp.Config = { ...openpgp.config, minRSABits: leastBits - 1, showComment: false, showVersion: false }

const idOf = (key: { readonly getKeyID: () => openpgp.KeyID }): string => key.getKeyID().toHex().toUpperCase()

const timeOf = (date: Date): string => DateTime.formatIso(DateTime.makeUnsafe(date))

const expiryOf = (expires: Date | typeof Number.POSITIVE_INFINITY | null): string | null =>
  expires instanceof Date ? timeOf(expires) : null

const flags = openpgp.enums.keyFlags

/** Returns the allowed uses of a key, according to its newest binding signature. */
const usesOf = (signature: openpgp.SignaturePacket | undefined) => {
  const [bits = 0] = signature?.keyFlags ?? []
  const has = (flag: number) => (bits & flag) !== 0
  return {
    canSign: has(flags.signData),
    canEncryptComms: has(flags.encryptCommunication),
    canEncryptStorage: has(flags.encryptStorage),
    canCertify: has(flags.certifyKeys)
  }
}

const isTooWeak = (algorithm: string): boolean => /^(?:dsa|elgamal)$/.test(algorithm)

const newest = (signatures: ReadonlyArray<openpgp.SignaturePacket>): openpgp.SignaturePacket | undefined =>
  [...signatures].sort((one, other) => Number(other.created) - Number(one.created))[0]

const addressIn = (userId: openpgp.UserIDPacket | null): ReadonlyArray<string> =>
  userId === null || !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(userId.email) ? [] : [userId.email]

/**
 * Reads the only OpenPGP public key in a text. Returns a `GpgKeyInvalid` with the reason if the key is not accepted.
 */
export const readKey = async (text: string): Promise<ReadGpgKey | GpgKeyInvalid> => {
  const refuse = (because: string) => new GpgKeyInvalid({ because })
  const trimmed = text.trim()
  if (trimmed.length > longestKey) return refuse(form)
  if (/PGP PRIVATE KEY/.test(trimmed)) {
    return refuse("This is a private key: keep it secret, and send the output of `gpg --armor --export`.")
  }
  const keys = await openpgp.readKeys({ armoredKeys: trimmed, config }).catch(() => [])
  const [key] = keys
  if (key === undefined || keys.length > 1 || key.isPrivate()) return refuse(form)
  const { algorithm, bits } = key.getAlgorithmInfo()
  // Before any signature check, because the library computes with these numbers itself, for minutes if they are large.
  if (isTooWeak(algorithm)) return refuse("DSA keys are too weak: create one with `gpg --quick-gen-key`.")
  key.subkeys = key.subkeys.filter((subkey) => !isTooWeak(subkey.getAlgorithmInfo().algorithm))
  if (await key.isRevoked().catch(() => true)) return refuse("This key is revoked.")
  if (bits !== undefined && bits < leastBits) return refuse(`RSA keys need ${leastBits} bits or more.`)
  const weak = await key.verifyPrimaryKey(new Date(), undefined, config).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : "it is not valid")
  )
  if (weak !== undefined) return refuse(`This key cannot be used: ${weak.slice(0, 200)}.`)
  const primary = await key.getPrimaryUser(undefined, undefined, config)
  const subkeys = await Promise.all(
    key.subkeys.map(async (subkey): Promise<ReadonlyArray<ReadGpgSubkey>> => {
      const isGood = await subkey.verify(undefined, config).then(
        () => true,
        () => false
      )
      if (!isGood) return []
      return [
        {
          ...usesOf(newest(subkey.bindingSignatures)),
          keyId: idOf(subkey),
          createdAt: timeOf(subkey.getCreationTime()),
          expiresAt: expiryOf(await subkey.getExpirationTime(undefined, config))
        }
      ]
    })
  )
  const users = await Promise.all(
    key.users.map(async (user) => {
      const isGood = await user.verify(undefined, config).then(
        (valid) => valid === true,
        () => false
      )
      return isGood ? addressIn(user.userID) : []
    })
  )
  return {
    ...usesOf(primary.selfCertification),
    keyId: idOf(key),
    publicKey: key.armor(config),
    emails: [...new Set(users.flat())],
    createdAt: timeOf(key.getCreationTime()),
    expiresAt: expiryOf(await key.getExpirationTime(undefined, config)),
    subkeys: subkeys.flat()
  }
}

/**
 * Returns the id of the key that made a signature. Returns undefined unless the text contains exactly one signature.
 */
export const keyOf = async (signature: string): Promise<string | undefined> => {
  const { packets } = await openpgp.readSignature({ armoredSignature: signature, config })
  const [packet] = packets
  return packets.length === 1 && packet !== undefined ? packet.issuerKeyID.toHex().toUpperCase() : undefined
}

/** Returns whether a key made a signature of some bytes, and was valid when it signed. */
export const check = async (armored: string, signed: Uint8Array, key: CheckedKey): Promise<boolean> => {
  const signature = await openpgp.readSignature({ armoredSignature: armored, config })
  const { signatures } = await openpgp.verify({
    message: await openpgp.createMessage({ binary: signed }),
    signature,
    verificationKeys: await openpgp.readKey({ armoredKey: key.publicKey, config }),
    format: "binary",
    config
  })
  const [onlySignature] = signatures
  return signatures.length === 1 && onlySignature !== undefined && (await onlySignature.verified) === true
}

/** Returns a function that signs bytes with an armored private key, and its public key. */
export const signerOf = async (armored: string) => {
  const privateKey = await openpgp.readPrivateKey({ armoredKey: armored, config })
  if (!privateKey.isDecrypted()) throw new Error("has a passphrase: the service cannot ask for it")
  const signing = await privateKey.getSigningKey(undefined, undefined, undefined, config)
  const { user } = await privateKey.getPrimaryUser()
  return {
    publicKey: privateKey.toPublic().armor(config),
    keyId: idOf(signing),
    name: user.userID?.name ?? "",
    email: user.userID?.email ?? "",
    sign: async (payload: Uint8Array): Promise<string> => {
      const message = await openpgp.createMessage({ binary: payload })
      const armoredSignature = await openpgp.sign({
        message,
        signingKeys: privateKey,
        detached: true,
        format: "armored",
        config
      })
      return (armoredSignature as string).replaceAll("\r\n", "\n")
    }
  }
}
