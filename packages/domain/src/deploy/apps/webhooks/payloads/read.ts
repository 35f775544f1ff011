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

/** Returns the form field with the payload; other fields are not parsed, because many of them would take seconds. */
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

/** The parts of a delivery that are parsed. */
export interface SentDelivery {
  readonly provider: Provider
  readonly event: string
  readonly contentType: string
  readonly body: Uint8Array
}

/** Reads the event of a webhook delivery, for an application that is deployed from `branch`. */
export const readEvent = ({ body, contentType, event, provider }: SentDelivery, branch: string): WebhookEvent => {
  try {
    return readers[provider](event, jsonIn(body, contentType), branch)
  } catch {
    return unreadable
  }
}
