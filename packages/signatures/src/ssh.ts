import { createHash, createPublicKey, verify as verifyBytes } from "node:crypto"
import type { CheckedKey } from "@slipway/domain/forge/identity"
import ssh2 from "ssh2"

const longest = 64 * 1024
const begins = "-----BEGIN SSH SIGNATURE-----"
const ends = "-----END SSH SIGNATURE-----"
const magic = "SSHSIG"
/** The SSH signature namespace of git. It prevents that signatures made for another purpose are accepted. */
const namespace = "git"

const hashes: ReadonlyArray<string> = ["sha256", "sha512"]

interface SshSignature {
  readonly publicKey: Buffer
  readonly hash: string
  readonly algorithm: string
  readonly signature: Buffer
}

/**
 * Parses a sequence of byte strings, each preceded by its length in four bytes. Returns undefined if the input is
 * truncated.
 */
export const parseSizedTexts = (bytes: Buffer): ReadonlyArray<Buffer> | undefined => {
  const texts: Array<Buffer> = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return undefined
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    texts.push(bytes.subarray(at + 4, end))
    at = end
  }
  return texts
}

/** Returns a byte string preceded by its length in four bytes. */
export const lengthPrefixed = (bytes: Uint8Array | string): Buffer => {
  const text = Buffer.from(bytes as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text])
}

/** Parses an OpenSSH signature (PROTOCOL.sshsig). Returns undefined if the signature is not in git's namespace. */
const read = (armored: string): SshSignature | undefined => {
  const text = armored.trim()
  if (text.length > longest || !text.startsWith(begins) || !text.endsWith(ends)) return undefined
  const bytes = Buffer.from(text.slice(begins.length, -ends.length), "base64")
  if (bytes.subarray(0, 6).toString("latin1") !== magic || bytes.length < 10 || bytes.readUInt32BE(6) !== 1) {
    return undefined
  }
  const [publicKey, space, , hash, signatureBlob, ...more] = parseSizedTexts(bytes.subarray(10)) ?? []
  const [algorithm, signature] = signatureBlob === undefined ? [] : (parseSizedTexts(signatureBlob) ?? [])
  if (publicKey === undefined || hash === undefined || algorithm === undefined || signature === undefined)
    return undefined
  if (more.length > 0 || space?.toString() !== namespace || !hashes.includes(hash.toString())) return undefined
  return { publicKey, hash: hash.toString(), algorithm: algorithm.toString(), signature }
}

/** Returns the fingerprint of a public key, as `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`

/** Returns the fingerprint of the public key that a signature contains. */
export const fingerprintIn = (armored: string): string | undefined => {
  const signature = read(armored)
  return signature && fingerprintOf(signature.publicKey)
}

const signedBytes = (hash: string, signed: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(magic),
    lengthPrefixed(namespace),
    lengthPrefixed(""),
    lengthPrefixed(hash),
    lengthPrefixed(createHash(hash).update(signed).digest())
  ])

/** The hash algorithm of each elliptic curve, and the length of each half of a signature in bytes. */
const curves: Readonly<Record<string, readonly [hash: string, half: number]>> = {
  "ecdsa-sha2-nistp256": ["sha256", 32],
  "ecdsa-sha2-nistp384": ["sha384", 48],
  "ecdsa-sha2-nistp521": ["sha512", 66]
}

// SHA-1 is not among them.
const rsaHashes: Readonly<Record<string, string>> = { "rsa-sha2-256": "sha256", "rsa-sha2-512": "sha512" }

const padded = (number: Buffer, length: number): Buffer => {
  const bytes = number.subarray(Math.max(0, number.length - length))
  return Buffer.concat([Buffer.alloc(length - bytes.length), bytes])
}

/** Returns whether a key made a signature of some bytes with an SSH signature algorithm. */
export const isValidSignature = (
  pem: string,
  type: string,
  { algorithm, signature }: Pick<SshSignature, "algorithm" | "signature">,
  data: Buffer
): boolean => {
  const key = createPublicKey(pem)
  if (type === "ssh-ed25519" && algorithm === type) return verifyBytes(null, data, key, signature)
  const rsaHash = rsaHashes[algorithm]
  if (type === "ssh-rsa" && rsaHash !== undefined) return verifyBytes(rsaHash, data, key, signature)
  const curve = curves[algorithm]
  if (type !== algorithm || curve === undefined) return false
  const [hash, half] = curve
  const [r, s] = parseSizedTexts(signature) ?? []
  if (r === undefined || s === undefined) return false
  const both = Buffer.concat([padded(r, half), padded(s, half)])
  return verifyBytes(hash, data, { key, dsaEncoding: "ieee-p1363" }, both)
}

/** Returns whether an SSH key made a signature of some bytes in git's namespace. */
export const check = (armored: string, signed: Uint8Array, key: CheckedKey): boolean => {
  const signature = read(armored)
  const parsed = ssh2.utils.parseKey(key.publicKey)
  if (signature === undefined || parsed instanceof Error || !parsed.getPublicSSH().equals(signature.publicKey))
    return false
  return isValidSignature(parsed.getPublicPEM(), parsed.type, signature, signedBytes(signature.hash, signed))
}

/** Parses a private key in OpenSSH's format; returns its public key, and a function that signs bytes. */
export const signerOf = (text: string) => {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error)
    throw new Error(
      /passphrase|encrypted/i.test(key.message)
        ? "has a passphrase: the service cannot ask for it"
        : "is not a readable private key"
    )
  if (!key.isPrivateKey() || key.type !== "ssh-ed25519") throw new Error("must be an Ed25519 key, if it is an SSH key")
  const blob = key.getPublicSSH()
  return {
    publicKey: `${key.type} ${blob.toString("base64")}`,
    fingerprint: fingerprintOf(blob),
    comment: key.comment ?? "",
    sign: (payload: Uint8Array): string => {
      const version = Buffer.alloc(4)
      version.writeUInt32BE(1)
      const rawSignature = key.sign(signedBytes("sha512", payload))
      const signature = Buffer.concat([
        lengthPrefixed(key.type),
        lengthPrefixed(rawSignature instanceof Error ? Buffer.alloc(0) : rawSignature)
      ])
      const parts = [blob, Buffer.from(namespace), Buffer.alloc(0), Buffer.from("sha512"), signature].map(
        lengthPrefixed
      )
      const lines =
        Buffer.concat([Buffer.from(magic), version, ...parts])
          .toString("base64")
          .match(/.{1,70}/g) ?? []
      return [begins, ...lines, ends, ""].join("\n")
    }
  }
}
