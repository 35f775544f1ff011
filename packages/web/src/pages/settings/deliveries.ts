import type { HookDelivery, HookDeliveryDetails } from "@slipway/client/forge"
import { actionButton } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import type { Visit } from "../../page/Page.ts"

/** Renders the state of a webhook delivery, with the HTTP status of the response. */
export const deliveryState = (visit: Visit, { state, status }: HookDelivery): Html => {
  const badge = state === "delivered" ? "badge ok" : state === "failed" ? "badge bad" : "badge"
  return html`<span class="${badge}">${visit.texts.settings.deliveryStates[state]}${status !== null && ` (${status})`}</span>`
}

/** Renders a webhook delivery in a list, with the button to redeliver it. */
export const deliveryLine = (visit: Visit, delivery: HookDelivery, to: string): Html => {
  const { settings: t } = visit.texts
  return html`<li><div class="grow"><h3><a href="${to}">${t.delivery(delivery.id)}</a></h3><div class="small soft">${delivery.event} · ${time(visit, delivery.created_at)} · ${t.attempts(delivery.attempts)}${delivery.reason !== "" && html` · ${delivery.reason}`}</div></div>${deliveryState(visit, delivery)}${actionButton(visit, { do: "redeliver", delivery: String(delivery.id) }, t.redeliver, { about: t.delivery(delivery.id) })}</li>`
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

const block = (title: string, text: string): Html => card(title, html`<pre class="message" tabindex="0">${text}</pre>`)

/** Renders the request and the response of a webhook delivery. */
export const deliveryBody = (visit: Visit, details: HookDeliveryDetails): Html => {
  const { settings: t } = visit.texts
  const { answer, payload, request } = details
  return html`${request !== null && block(t.request, `${request.method} ${request.url}\n${headerLines(request.headers)}`)}${block(t.payload, payload)}${
    answer === null
      ? card(t.response, empty(details.reason === "" ? t.noResponse : details.reason))
      : block(`${t.response}: ${answer.status}`, `${headerLines(answer.headers)}\n\n${answer.body}`)
  }`
}
