import { signingKey } from "@slipway/domain"
import type { Hook, HookDelivery, HookRequest, SentRequest } from "@slipway/domain/forge/integrations"
import { hookEvents, messageBody, shownAddress, splitAddress } from "@slipway/domain/forge/integrations"
import { DateTime, Effect, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"

const encoder = new TextEncoder()

const tag = Effect.fnUntraced(function* (algorithm: Mac.Algorithm, secret: Uint8Array, text: string) {
  // An empty key is one that receivers without a secret check with.
  const key = yield* Mac.key(algorithm, secret)
  return yield* (yield* Mac.Mac).sign(key, encoder.encode(text))
}, Effect.orDie)

/** The headers by which receivers of each family know the event, the delivery and where the webhook is defined. */
const names = ({ reach }: Hook, { event, uuid }: HookDelivery) => {
  const named = hookEvents[event]
  // A default webhook is copied to new repositories, and delivers nothing itself.
  const target = reach === "default" ? "repository" : reach
  return Object.fromEntries([
    ...["Gitea", "Forgejo", "Gogs"].flatMap((family) => [
      [`X-${family}-Delivery`, uuid],
      [`X-${family}-Event`, named.event],
      [`X-${family}-Event-Type`, named.type]
    ]),
    ["X-Gitea-Hook-Installation-Target-Type", target],
    ["X-GitHub-Delivery", uuid],
    ["X-GitHub-Event", named.event],
    ["X-GitHub-Event-Type", named.type],
    ["X-GitHub-Hook-Installation-Target-Type", target]
  ])
}

/**
 * Returns the signatures of a body under the names that receivers look for; none without a secret.
 *
 * Gitea and its kin sign the document, and GitHub what is sent: these differ where it is sent as a form. What GitLab sends
 * is signed as Standard Webhooks has it, with the time; its older token, the secret itself, is never sent.
 */
const signatures = Effect.fnUntraced(function* (secret: string, uuid: string, payload: string, body: string) {
  const key = encoder.encode(secret)
  const document = Hex.encode(yield* tag(Mac.hmacSha256, key, payload))
  const sent = body === payload ? document : Hex.encode(yield* tag(Mac.hmacSha256, key, body))
  const seconds = String(Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1_000))
  return {
    "X-Gitea-Signature": document,
    "X-Forgejo-Signature": document,
    "X-Gogs-Signature": document,
    "X-Hub-Signature": `sha1=${Hex.encode(yield* tag(Mac.hmacSha1, key, body))}`,
    "X-Hub-Signature-256": `sha256=${sent}`,
    "webhook-id": uuid,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${Base64.encode(yield* tag(Mac.hmacSha256, signingKey(secret), `${uuid}.${seconds}.${body}`))}`
  }
})

const contentTypes = { json: "application/json", form: "application/x-www-form-urlencoded" } as const

const isForge = ({ type }: Hook): boolean => type === "gitea" || type === "forgejo" || type === "gogs"

/** Returns the delivery URL; Matrix messages have a unique transaction id, so that a retried message appears once. */
const addressOf = ({ type }: Hook, { uuid }: HookDelivery, url: string): string =>
  type === "matrix" ? `${url.replace(/\/+$/, "")}/${uuid}` : url

/** Makes the request that tells something, in the form that its receiver reads. */
export const requestOf = Effect.fnUntraced(function* (
  hook: Hook,
  delivery: HookDelivery,
  secrets: {
    readonly secret: Redacted.Redacted | undefined
    readonly authorization: Redacted.Redacted | undefined
  }
) {
  const payload = isForge(hook) ? delivery.payload : messageBody(hook, delivery)
  const isForm = hook.contentType === "form" && isForge(hook)
  const body = isForm ? new URLSearchParams({ payload }).toString() : payload
  const signed =
    secrets.secret === undefined ? {} : yield* signatures(Redacted.value(secrets.secret), delivery.uuid, payload, body)
  // Addresses of earlier days have a name and a password still.
  const { authorization = undefined, url = shownAddress(hook.url) } = splitAddress(hook.url) ?? {}
  const signedIn = secrets.authorization === undefined ? authorization : Redacted.value(secrets.authorization)
  return {
    method: hook.type === "matrix" ? "PUT" : "POST",
    url: addressOf(hook, delivery, url),
    headers: {
      "Content-Type": contentTypes[isForm ? "form" : "json"],
      "User-Agent": "Slipway",
      ...names(hook, delivery),
      ...signed,
      ...(signedIn === undefined ? {} : { Authorization: signedIn })
    },
    body
  } satisfies HookRequest
})

/** Returns what is kept of a request: all but what it signed in with (invariant I15). */
export const shownRequest = ({ headers, method, url }: HookRequest): SentRequest => ({
  method,
  url,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name === "Authorization" ? "…" : value])
  )
})
