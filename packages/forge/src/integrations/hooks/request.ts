import { type HookRequest, signingKey } from "@slipway/domain"
import type { Hook, HookDelivery, SentRequest } from "@slipway/domain/forge/integrations"
import { hookEvents, messageBody, shownAddress, splitAddress } from "@slipway/domain/forge/integrations"
import { DateTime, Effect, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"

const encoder = new TextEncoder()

const tag = Effect.fnUntraced(function* (algorithm: Mac.Algorithm, secret: Uint8Array, text: string) {
  // Receivers without a secret verify with an empty key.
  const key = yield* Mac.key(algorithm, secret)
  return yield* (yield* Mac.Mac).sign(key, encoder.encode(text))
}, Effect.orDie)

/** Returns headers with event, delivery id and webhook scope, under the names of Gitea, Forgejo, Gogs and GitHub. */
const names = ({ reach }: Hook, { event, uuid }: HookDelivery) => {
  const named = hookEvents[event]
  // A default webhook is only copied to new repositories and sends no deliveries.
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
 * Returns the signature headers of a body; none without a secret.
 *
 * Gitea and Forgejo sign the JSON document, GitHub the request body: these differ for form requests. GitLab deliveries
 * use Standard Webhooks signatures with a timestamp; its older token, the plain secret, is never sent.
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

/** Builds the request of a delivery in the format of its receiver. */
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
  // URLs stored by earlier releases may still contain a name and password.
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

/** Returns a request without its credentials, as it is stored and shown to users (invariant I15). */
export const shownRequest = ({ headers, method, url }: HookRequest): SentRequest => ({
  method,
  url,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name === "Authorization" ? "…" : value])
  )
})
