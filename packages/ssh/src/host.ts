import { createHash } from "node:crypto"
import { Data } from "effect"

/** Reports that a server is unreachable by SSH, and why. */
export class SshUnreachable extends Data.TaggedError("SshUnreachable")<{ readonly because: string }> {}

/** Returns the SHA-256 fingerprint of a public key's blob, as `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`
