import { randomBytes } from "node:crypto"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Data, Effect, Redacted } from "effect"

/** Reports that the key that seals secrets can't be read or is no key. */
export class SecretKeyUnusable extends Data.TaggedError("SecretKeyUnusable")<{ readonly message: string }> {}

const keyLength = 32

const decode = (text: string, where: string) => {
  const bytes = Buffer.from(text.trim(), "base64")
  return bytes.length === keyLength
    ? Effect.succeed(Redacted.make(new Uint8Array(bytes)))
    : Effect.fail(
        new SecretKeyUnusable({
          message: `the encryption key in ${where} must be 32 bytes in base64 (openssl rand -base64 32)`
        })
      )
}

/** Reads the key that seals secrets from a setting, 32 bytes in base64. */
export const secretKeyFrom = (setting: Redacted.Redacted, name: string) =>
  decode(Redacted.value(setting), `\`${name}\``)

/** Reads the key that seals secrets from a file that only its owner can read; makes one when there is none. */
export const secretKeyIn = (file: string): Effect.Effect<Redacted.Redacted<Uint8Array>, SecretKeyUnusable> =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true })
      try {
        // Of two processes that start together, one makes the file and both read it.
        writeFileSync(file, `${randomBytes(keyLength).toString("base64")}\n`, { flag: "wx", mode: 0o600, flush: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
      }
      chmodSync(file, 0o600)
      return readFileSync(file, "utf8")
    },
    catch: (error) =>
      new SecretKeyUnusable({ message: `the encryption key \`${file}\` can't be used: ${(error as Error).message}` })
  }).pipe(Effect.flatMap((text) => decode(text, `\`${file}\``)))
