import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto"
import type { Stanza } from "age-encryption"

/** The work factor of new files: scrypt with 2^16 iterations uses 64 MiB of memory for about 0.2 seconds. */
const workFactor = 16
/** The largest work factor of a file that is decrypted, which is the default of the program `age`: 256 MiB of memory. */
const mostWork = 18

const label = Buffer.from("age-encryption.org/v1/scrypt")
// The key is used for a single file, so that the nonce need not differ.
const nonce = Buffer.alloc(12)
const tagLength = 16

/** Derives a key on a thread of the pool: the library's own scrypt would block the process for seconds. */
const keyOf = (passphrase: string, salt: Uint8Array, logN: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: 2 ** logN, r: 8, p: 1, maxmem: 2 ** (logN + 11) }
    scrypt(passphrase, Buffer.concat([label, salt]), 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error)
    )
  })

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "")

/** Encrypts the key of an age file with a passphrase, as the recipient type `scrypt` of the format. */
export const passphraseRecipient = (
  passphrase: string,
  makeStanza: (args: Array<string>, body: Uint8Array) => Stanza
) => ({
  wrapFileKey: async (fileKey: Uint8Array): Promise<Array<Stanza>> => {
    const salt = randomBytes(16)
    const cipher = createCipheriv("chacha20-poly1305", await keyOf(passphrase, salt, workFactor), nonce, {
      authTagLength: tagLength
    })
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
    return [makeStanza(["scrypt", base64(salt), String(workFactor)], body)]
  }
})

/** Decrypts the key of an age file with a passphrase; null for another passphrase or an unsupported file. */
export const passphraseIdentity = (passphrase: string) => ({
  unwrapFileKey: async (stanzas: Array<Stanza>): Promise<Uint8Array | null> => {
    const [stanza, ...others] = stanzas
    const [type, salt = "", work = ""] = stanza?.args ?? []
    // The format allows a passphrase only as the single recipient, so that it authenticates the file.
    if (stanza === undefined || others.length > 0 || type !== "scrypt" || stanza.args.length !== 3) return null
    const logN = Number(work)
    if (!/^[1-9]\d?$/.test(work) || logN > mostWork || stanza.body.length !== 16 + tagLength) return null
    const bytes = Buffer.from(salt, "base64")
    if (bytes.length !== 16 || base64(bytes) !== salt) return null
    const decipher = createDecipheriv("chacha20-poly1305", await keyOf(passphrase, bytes, logN), nonce, {
      authTagLength: tagLength
    })
    decipher.setAuthTag(stanza.body.subarray(16))
    try {
      return Buffer.concat([decipher.update(stanza.body.subarray(0, 16)), decipher.final()])
    } catch {
      return null
    }
  }
})
