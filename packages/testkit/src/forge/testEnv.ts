import type { Stores } from "@slipway/domain/forge"
import { type PlainValue, WorkflowReader } from "@slipway/domain/forge/automation"
import { type Site, SiteSettings } from "@slipway/domain/forge/base"
import { FileTypes, Templates } from "@slipway/domain/forge/code"
import { configIn, Recognition, readTemplate } from "@slipway/domain/forge/collaboration"
import {
  AvatarImages,
  AvatarInvalid,
  type CommonPasswords,
  OneTimeCodes,
  type PasswordHasher
} from "@slipway/domain/forge/identity"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { parse } from "yaml"
import { testLayer } from "../secrets.ts"
import { testPasswords, type Verified } from "../sign-in/passwords.ts"

/** Returns the fake one-time code of a secret for a time step: six digits of a simple hash. */
export const codeFor = (secret: Redacted.Redacted, step: number): string => {
  let hash = 2_166_136_261
  for (const character of `${Redacted.value(secret)}:${step}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  }
  return String(hash % 1_000_000).padStart(6, "0")
}

const codes = Layer.effect(
  OneTimeCodes,
  Effect.map(SecureRandom.SecureRandom, (random) => ({
    makeSecret: Effect.map(random.randomBytes(20), (bytes) => Redacted.make(Hex.encode(bytes))),
    code: (secret, step) => Effect.sync(() => codeFor(secret, step)),
    address: (secret, issuer, account) => `otpauth://totp/${issuer}:${account}?secret=${Redacted.value(secret)}`
  }))
)

/**
 * A fake image processor. Bytes that start with a marker count as an image; the result is their text without the parts
 * in brackets.
 */
const avatarImages = Layer.succeed(AvatarImages, {
  identicon: (text) => Effect.succeed(new TextEncoder().encode(`drawn ${text}`)),
  square: (sent) => {
    const text = new TextDecoder().decode(sent)
    return text.startsWith("picture ")
      ? Effect.succeed(new TextEncoder().encode(text.replace(/\(.*\)/, "")))
      : Effect.fail(new AvatarInvalid({ problem: "must be an image" }))
  }
})

const license = { key: "MIT", name: "MIT License", url: "https://example.com/mit" }

const templates = Layer.succeed(Templates, {
  licenses: [license],
  license: (key) => (key === license.key ? { ...license, body: "Do as you like.\n" } : undefined),
  gitignores: ["Node"],
  gitignore: (name) => (name === "Node" ? "node_modules/\n" : undefined)
})

/** A fake file type detector. Data with a NUL byte counts as binary. */
const fileTypes = Layer.succeed(FileTypes, {
  typeOf: (bytes) => Effect.succeed(bytes.includes(0) ? "application/octet-stream" : "text/plain")
})

const endings: Readonly<Record<string, string>> = { go: "Go", ts: "TypeScript" }

/**
 * A fake recognizer. It recognizes two languages and one licence, and applies every setting of an `.editorconfig` file
 * to all files.
 */
const recognition = Layer.succeed(Recognition, {
  issueTemplate: (file, text) => Effect.sync(() => readTemplate(file, text)),
  issueConfig: (text) => Effect.sync(() => configIn(text)),
  languages: Effect.succeed((path: string) => endings[path.slice(path.lastIndexOf(".") + 1)]),
  license: (text) => (text === "Do as you like.\n" ? license.key : undefined),
  editorSettings: (settings) =>
    Effect.succeed(
      Object.fromEntries(
        [...new TextDecoder().decode(settings).matchAll(/^(\w+) = (\w+)$/gm)].map(([, name = "", value = ""]) => [
          name,
          value
        ])
      )
    )
})

/** A workflow parser that runs in the same thread, because no test needs protection from slow input. */
const workflowReader = Layer.succeed(WorkflowReader, {
  read: (text) =>
    Effect.try({ try: () => ({ said: parse(text) as PlainValue }), catch: String }).pipe(
      Effect.catch((error) => Effect.succeed({ because: error.split("\n", 1)[0] ?? "" }))
    )
})

/** The services that use cases need, except stores. */
export type TestServices =
  | CommonPasswords
  | FileTypes
  | Layer.Success<typeof testLayer>
  | OneTimeCodes
  | PasswordHasher
  | AvatarImages
  | Recognition
  | Templates
  | SiteSettings
  | Verified
  | WorkflowReader

/** Provides the services that use cases need, except stores, for a site with the given settings. */
export const testEnv = (site: Partial<Site> = {}): Layer.Layer<TestServices> =>
  Layer.mergeAll(codes, avatarImages, templates, fileTypes, recognition, workflowReader, SiteSettings.layer(site)).pipe(
    Layer.provideMerge(testPasswords),
    Layer.provideMerge(testLayer)
  )

/** The services and stores that the tests of use cases need. */
export type TestEnv = TestServices | Stores

const start = 1_767_225_600_000

/** Runs an effect with a clock that shows the given number of seconds after the start of the test. */
export const at = (seconds: number) =>
  Effect.updateService(Clock.Clock, (clock): Clock.Clock => {
    const millis = start + seconds * 1_000
    return {
      sleep: (duration) => clock.sleep(duration),
      currentTimeMillisUnsafe: () => millis,
      currentTimeMillis: Effect.succeed(millis),
      currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
      currentTimeNanos: Effect.succeed(BigInt(millis) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos
    }
  })
