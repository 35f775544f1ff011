import { Schema } from "effect"
import type { SecretField } from "../fields/table.ts"

/** The supported webhook providers. */
export const Provider = Schema.Literals(["github", "gitlab", "bitbucket", "gitea"])
export type Provider = typeof Provider.Type

interface Sending {
  /** The field of an application that contains the webhook secret for this provider. */
  readonly secret: SecretField
  /** The header with the event type. */
  readonly event: string
  /** The names of headers with the delivery id; the first header that the request contains is used. */
  readonly delivery: ReadonlyArray<string>
}

/** The secret field and the header names of the webhooks of each provider. */
export const providers: Readonly<Record<Provider, Sending>> = {
  github: { secret: "manual_webhook_secret_forgeA", event: "x-github-event", delivery: ["x-github-delivery"] },
  gitlab: {
    secret: "manual_webhook_secret_forgeB",
    event: "x-gitlab-event",
    delivery: ["webhook-id", "idempotency-key", "x-gitlab-event-uuid"]
  },
  bitbucket: {
    secret: "manual_webhook_secret_forgeC",
    event: "x-event-key",
    delivery: ["x-request-uuid", "x-request-id"]
  },
  gitea: { secret: "manual_webhook_secret_forgeD", event: "x-gitea-event", delivery: ["x-gitea-delivery"] }
}

/** The headers of a webhook request; their names are lower case. */
export type SentHeaders = Readonly<Record<string, string | undefined>>
