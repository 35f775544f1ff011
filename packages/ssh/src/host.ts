import { createHash } from "node:crypto"
import { Data } from "effect"

/** A server is unreachable by SSH; the error contains the reason. */
export class SshUnreachable extends Data.TaggedError("SshUnreachable")<{ readonly because: string }> {}

/** Returns the SHA-256 fingerprint of a public key in binary form, as `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`
