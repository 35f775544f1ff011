import { Result } from "effect"
import { Base64, Hex } from "effect/encoding"
import { signingKey } from "../../../webhookKeys.ts"
import type { Provider, SentHeaders } from "./providers.ts"

/** The credential in a webhook request: message authentication codes of the body (HMAC), or the secret token itself. */
export type Shown =
  | { readonly _tag: "Mac"; readonly tags: ReadonlyArray<Uint8Array>; readonly before: string }
  | { readonly _tag: "Token"; readonly token: string }

const none: Shown = { _tag: "Mac", tags: [], before: "" }

const hexTag = (text: string | undefined): Shown => {
  const digits = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(text ?? "")?.[1]
  const tag = digits === undefined ? undefined : Result.getOrUndefined(Hex.decode(digits.toLowerCase()))
  return tag === undefined ? none : { ...none, tags: [tag] }
}

const longestWay = 300
const mostTags = 10

/** Parses a signature of the Standard Webhooks specification; rejects timestamps more than five minutes from now. */
const standard = (headers: SentHeaders, seconds: number): Shown => {
  const { "webhook-id": id, "webhook-signature": signature = "", "webhook-timestamp": timestamp = "" } = headers
  if (id === undefined || !/^[0-9]{1,12}$/.test(timestamp)) return none
  if (Math.abs(Number(timestamp) - seconds) > longestWay) return none
  const tags = signature
    .split(" ", mostTags)
    .filter((each) => each.startsWith("v1,"))
    .flatMap((each) => Result.match(Base64.decode(each.slice(3)), { onFailure: () => [], onSuccess: (tag) => [tag] }))
  return { _tag: "Mac", tags, before: `${id}.${timestamp}.` }
}

/** Returns the credential in a webhook request; a malformed or expired signature returns an empty list of codes. */
export const shownBy = (provider: Provider, headers: SentHeaders, seconds: number): Shown => {
  switch (provider) {
    case "github":
      return hexTag(headers["x-hub-signature-256"])
    case "bitbucket":
      return hexTag(headers["x-hub-signature"])
    case "gitea":
      return hexTag(headers["x-gitea-signature"] ?? headers["x-hub-signature-256"])
    case "gitlab": {
      // The signature is stronger than the token, so the token is ignored when a signature is sent.
      if (headers["webhook-signature"] !== undefined) return standard(headers, seconds)
      const token = headers["x-gitlab-token"]
      return token === undefined ? none : { _tag: "Token", token }
    }
  }
}

const encoder = new TextEncoder()

/** Returns the HMAC key for a webhook secret: decoded by Standard Webhooks for GitLab, else the UTF-8 bytes. */
export const keyOf = (provider: Provider, secret: string): Uint8Array =>
  provider === "gitlab" ? signingKey(secret) : encoder.encode(secret)
