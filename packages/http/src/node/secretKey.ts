import { randomBytes, randomUUID } from "node:crypto"
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Context, Data, Effect, Redacted } from "effect"
import { SettingInvalid, secretSetting, textSetting } from "./settings.ts"

/** The error for an encryption key that is invalid or cannot be read. */
export class SecretKeyUnusable extends Data.TaggedError("SecretKeyUnusable")<{ readonly message: string }> {}

/** The key that encrypts stored secrets, and a description of where it comes from, for the operator. */
export interface SecretKey {
  readonly key: Redacted.Redacted<Uint8Array>
  readonly source: string
}

const keyLength = 32

const decode = (text: string, source: string): Effect.Effect<SecretKey, SecretKeyUnusable> => {
  const base64 = text.trim()
  const bytes = Buffer.from(base64, "base64")
  // Buffer skips invalid base64, and would make a key from a part of the text.
  return bytes.length === keyLength && bytes.toString("base64") === base64
    ? Effect.succeed({ key: Redacted.make(new Uint8Array(bytes)), source })
    : Effect.fail(
        new SecretKeyUnusable({
          message: `the encryption key in ${source} must be 32 bytes in base64 (openssl rand -base64 32)`
        })
      )
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT"

/** Creates a file readable only by its owner, atomically; does nothing if another process created it first. */
const makeFile = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  const making = `${file}.${randomUUID()}`
  try {
    writeFileSync(making, text, { flag: "wx", mode: 0o600, flush: true })
    linkSync(making, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    rmSync(making, { force: true })
  }
}

const readOrMake = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (!isMissing(error)) throw error
    makeFile(file, `${randomBytes(keyLength).toString("base64")}\n`)
    return readFileSync(file, "utf8")
  }
}

/** Reads the encryption key from a file; a missing file is created with a new key, readable only by its owner. */
export const secretKeyIn = (file: string): Effect.Effect<SecretKey, SecretKeyUnusable> =>
  Effect.try({
    try: () => readOrMake(file),
    catch: (error) =>
      new SecretKeyUnusable({
        message: `the encryption key in \`${file}\` cannot be used: ${(error as Error).message}`
      })
  }).pipe(Effect.flatMap((text) => decode(text, `\`${file}\``)))

/** Generates a key that is lost when the process exits. */
const passingSecretKey: Effect.Effect<SecretKey> = Effect.sync(() => ({
  key: Redacted.make(new Uint8Array(randomBytes(keyLength))),
  source: "memory"
}))

/** Whether a missing key file is created; false for commands that only read settings. */
export const MakesKeys = Context.Reference<boolean>("@slipway/http/MakesKeys", { defaultValue: () => true })

/**
 * Reads the encryption key from a variable, or from the file `<variable>_FILE` or `defaultFile`.
 *
 * If none of them is set, for example with a database in memory, the key is generated and lost when the process exits.
 */
export const secretKeySetting = (variable: string, defaultFile: string | undefined) =>
  Effect.gen(function* () {
    const keyText = yield* secretSetting(variable)
    const file = yield* textSetting(`${variable}_FILE`)
    if (keyText !== undefined && file !== undefined) {
      return yield* new SettingInvalid({ variable, problem: `and \`${variable}_FILE\` exclude each other: set one` })
    }
    if (keyText !== undefined) return yield* decode(Redacted.value(keyText), `\`${variable}\``)
    const path = file ?? defaultFile
    if (path === undefined) return yield* passingSecretKey
    return yield* existsSync(path) || (yield* MakesKeys) ? secretKeyIn(path) : passingSecretKey
  })
