import type { Provider } from "../providers.ts"
import type { PayloadReader, WebhookEvent } from "../WebhookEvent.ts"
import { bitbucket } from "./bitbucket.ts"
import { gitea } from "./gitea.ts"
import { github } from "./github.ts"
import { gitlab } from "./gitlab.ts"

const readers: Readonly<Record<Provider, PayloadReader>> = { bitbucket, gitea, github, gitlab }

const decoder = new TextDecoder("utf-8", { fatal: true })
const unreadable: WebhookEvent = { _tag: "Unreadable" }

const field = "payload="

/**
 * Returns the value of the field `payload` of a URL-encoded form. Other fields are not decoded, because decoding very
 * many fields would take seconds.
 */
const payloadIn = (form: string): string => {
  const start = form.startsWith(field) ? 0 : form.indexOf(`&${field}`) + 1
  const [sent = ""] = form.slice(start).split("&", 1)
  return new URLSearchParams(sent).get("payload") ?? ""
}

const jsonIn = (body: Uint8Array, contentType: string): unknown => {
  const text = decoder.decode(body)
  // The default format of GitHub: a form with the JSON in a field.
  const isForm = contentType.trim().toLowerCase().startsWith("application/x-www-form-urlencoded")
  return JSON.parse(isForm ? payloadIn(text) : text)
}

/** The parts of a webhook request that are parsed: body, content type, event header and provider. */
export interface SentDelivery {
  readonly provider: Provider
  readonly event: string
  readonly contentType: string
  readonly body: Uint8Array
}

/**
 * Parses a webhook request into its event, for an application that is deployed from `branch`; returns an `Unreadable`
 * event for an invalid body.
 */
export const readEvent = ({ body, contentType, event, provider }: SentDelivery, branch: string): WebhookEvent => {
  try {
    return readers[provider](event, jsonIn(body, contentType), branch)
  } catch {
    return unreadable
  }
}
