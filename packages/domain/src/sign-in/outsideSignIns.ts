import { Effect, Redacted, Schema } from "effect"
import { now, timeIn } from "../Time.ts"
import { Sealed, type SecretOwner, Vault } from "../Vault.ts"
import { OutsideChecks, OutsideProvider, OutsideRefused, Outsider } from "./OutsideProvider.ts"

/**
 * The maximum duration of a sign-in, in minutes: authentication at the external provider and choosing an account here.
 */
export const lasts = 15

/** The state of a sign-in that the browser stores, encrypted, while the user is at the external provider. */
const BrowserState = Schema.fromJsonString(
  Schema.Struct({
    checks: OutsideChecks,
    issuer: Schema.String,
    next: Schema.String,
    purpose: Schema.String,
    until: Schema.String
  })
)
/** The state that the browser stores, encrypted, after authentication, if the external identity has no account here. */
const Met = Schema.fromJsonString(Schema.Struct({ outsider: Outsider, next: Schema.String, until: Schema.String }))

const ownerOf = (field: "asked" | "met"): SecretOwner => ({ uuid: "outside sign-in", field })

const until = timeIn({ minutes: lasts })

const seal = Effect.fnUntraced(function* (field: "asked" | "met", text: string) {
  const sealed = yield* (yield* Vault).seal(ownerOf(field), Redacted.make(text))
  return sealed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
})

const over = new OutsideRefused({ because: "it took too long, or was started in another browser" })

const open = Effect.fnUntraced(function* (field: "asked" | "met", text: string | undefined) {
  if (text === undefined || !/^[\w-]{1,3000}$/.test(text)) return yield* over
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/")
  const padded = Sealed.make(base64.padEnd(Math.ceil(base64.length / 4) * 4, "="))
  return Redacted.value(yield* (yield* Vault).tryOpen(ownerOf(field), padded).pipe(Effect.mapError(() => over)))
})

const inTime = Effect.fnUntraced(function* <A extends { readonly until: string }>(state: A) {
  return state.until > (yield* now) ? state : yield* over
})

const provider = Effect.flatMap(OutsideProvider, (found) =>
  found === undefined ? Effect.fail(new OutsideRefused({ because: "there is none" })) : Effect.succeed(found)
)

/**
 * Begins a sign-in at the external provider. Returns the URL to redirect the browser to, and the encrypted state for
 * the browser to store.
 *
 * `next` is the page to show at the end. `purpose` distinguishes sign-ins that must not replace each other in the
 * browser.
 */
export const begin = Effect.fnUntraced(function* (callback: string, next: string, purpose = "") {
  const { begin: start, issuer } = yield* provider
  const { address, checks } = yield* start(callback)
  const state = { checks, issuer, next, purpose, until: yield* until }
  const text = yield* Effect.orDie(Schema.encodeEffect(BrowserState)(state))
  return { address, sealedState: yield* seal("asked", text) }
})

/**
 * Decrypts and returns the browser state of a sign-in in progress. Fails if it is missing, invalid or expired. The
 * provider's response is not verified yet.
 */
export const openState = Effect.fnUntraced(function* (sealedState: string | undefined) {
  const state = yield* inTime(
    yield* Effect.mapError(Schema.decodeEffect(BrowserState)(yield* open("asked", sealedState)), () => over)
  )
  // The operator may have configured another provider since: its answer must not pass for one of the first.
  return state.issuer === (yield* provider).issuer ? state : yield* over
})

/** Verifies the provider's response in the callback URL, and returns the authenticated external user. */
export const verifyCallback = Effect.fnUntraced(function* (address: string, checks: OutsideChecks) {
  return yield* (yield* provider).finish(address, checks)
})

/**
 * Completes a sign-in: verifies the provider's response with the browser state, and returns the external user and the
 * page to show.
 */
export const finish = Effect.fnUntraced(function* (address: string, sealedState: string | undefined) {
  const { checks, next } = yield* openState(sealedState)
  return { outsider: yield* verifyCallback(address, checks), next }
})

/** Encrypts an external identity without an account here, for the browser to store. */
export const keep = Effect.fnUntraced(function* (outsider: Outsider, next: string) {
  const text = yield* Effect.orDie(Schema.encodeEffect(Met)({ outsider, next, until: yield* until }))
  return yield* seal("met", text)
})

/** Decrypts the external identity that the browser stored. Fails if it is missing, invalid or expired. */
export const openIdentity = Effect.fnUntraced(function* (sealedState: string | undefined) {
  return yield* inTime(yield* Effect.orDie(Schema.decodeEffect(Met)(yield* open("met", sealedState))))
})
