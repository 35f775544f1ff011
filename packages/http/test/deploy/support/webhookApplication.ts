import type { Provider } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { Api } from "./api.ts"
import type { Sent } from "./harness.ts"
import { eventOf, proofOf, secretOf, secretsOf } from "./webhooks.ts"
import type { Body } from "./world.ts"

let applications = 0

/** Creates an application with its own secrets, and the functions that send it webhooks. */
export const createWebhookApplication = Effect.fnUntraced(function* (
  body: Body = {},
  variant: "public" | "dockerimage" = "public"
) {
  const { service, world } = yield* Api
  const name = `application ${++applications}`
  const uuid = yield* world.create(variant, { ...secretsOf(name), ...body })
  const pathOf = (provider: string) => `/api/v1/applications/${uuid}/webhooks/${provider}`
  /** Sends a correctly signed webhook; headers in `sent` replace the provider's. */
  const deliver = (provider: Provider, raw: string, { headers = {}, ...sent }: Sent = {}) =>
    service.send("POST", pathOf(provider), {
      token: undefined,
      raw,
      ...sent,
      headers: {
        "content-type": "application/json",
        ...eventOf(provider, "push"),
        ...proofOf(provider, secretOf(name, provider), raw),
        ...headers
      }
    })
  /** Sends a webhook without any proof except `headers`. */
  const attempt = (provider: Provider, raw: string, headers: Record<string, string> = {}) =>
    service.send("POST", pathOf(provider), {
      token: undefined,
      raw,
      headers: { ...eventOf(provider, "push"), ...headers }
    })
  const deployments = Effect.map(
    service.ask(200, "GET", `/deployments/applications/${uuid}?take=100`),
    ({ deployments: listed }) => listed.map(({ logs: _, ...deployment }: Record<string, unknown>) => deployment)
  )
  const deliveries = service.ask(200, "GET", `/applications/${uuid}/webhook-deliveries?take=100`)
  return { uuid, name, deliver, attempt, deployments, deliveries }
})
