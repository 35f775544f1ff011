import { PublicKeyInvalid, PublicKeyReader } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import ssh2 from "ssh2"
import { fingerprintOf } from "../host.ts"

const longest = 16_384
const smallestRsa = 2_048
const form = "Must be one public SSH key on one line, such as the file ~/.ssh/id_ed25519.pub"

const types: ReadonlyArray<string> = [
  "ssh-ed25519",
  "ssh-rsa",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521"
]

/** Parses the binary form of a public key into its parts. The length of each part precedes it, in four bytes. */
const partsOf = (blob: Buffer): ReadonlyArray<Buffer> => {
  const parts: Array<Buffer> = []
  for (let at = 0; at + 4 <= blob.length; ) {
    const length = blob.readUInt32BE(at)
    parts.push(blob.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return parts
}

const bitsOf = (number: Buffer): number => {
  const first = number.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (number.length - first) * 8 - Math.clz32(number[first] ?? 0) + 24
}

const read = (text: string) => {
  const refuse = (because: string) => Effect.fail(new PublicKeyInvalid({ because }))
  const trimmed = text.trim()
  if (trimmed.length > longest) return refuse(`${form}.`)
  if (/PRIVATE KEY/.test(trimmed)) {
    return refuse(
      "This is a private key: create a new one, keep it secret, and send the public key from the .pub file."
    )
  }
  const [, type = "", encoded = "", comment = ""] = /^(\S+)(?:[ \t]+(\S+)(?:[ \t]+(.*))?)?/.exec(trimmed) ?? []
  if (type === "ssh-dss") return refuse("DSA keys are too weak: create one with `ssh-keygen -t ed25519`.")
  if (/^(sk-|.*-cert-v\d+@)/.test(type)) return refuse(`Keys of the type ${type.slice(0, 60)} are not supported.`)
  if (/[\r\n]/.test(trimmed) || !types.includes(type)) return refuse(`${form}.`)
  const parsed = ssh2.utils.parseKey(`${type} ${encoded}`)
  if (parsed instanceof Error || parsed.type !== type || parsed.isPrivateKey()) return refuse(`${form}.`)
  const blob = parsed.getPublicSSH()
  const [, , modulus] = partsOf(blob)
  if (type === "ssh-rsa" && (modulus === undefined || bitsOf(modulus) < smallestRsa)) {
    return refuse(`RSA keys need ${smallestRsa} bits or more: create one with \`ssh-keygen -t ed25519\`.`)
  }
  return Effect.succeed({
    publicKey: `${type} ${blob.toString("base64")}`,
    fingerprint: fingerprintOf(blob),
    comment
  })
}

/** Reads public SSH keys with the ssh2 library. */
export const layerPublicKeyReader = Layer.succeed(PublicKeyReader, {
  // A text on which the library's parser throws isn't a key either.
  read: (text) =>
    Effect.catchDefect(
      Effect.suspend(() => read(text)),
      () => Effect.fail(new PublicKeyInvalid({ because: `${form}.` }))
    )
})
