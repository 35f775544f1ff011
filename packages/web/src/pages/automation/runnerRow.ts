import type { ActionRunner } from "@slipway/client/forge"
import { actionButton } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import type { Visit } from "../../page/Page.ts"

/** Renders a runner with its state, and the buttons to disable and delete it. */
export const runnerRow = (visit: Visit, { busy, disabled, id, labels, name, status }: ActionRunner): Html => {
  const { admin: t, forms } = visit.texts
  const key = { id: String(id) }
  return html`<li><div class="grow"><div class="row"><h3>${name}</h3><span class="${status === "online" ? "badge ok" : "badge"}">${t.runnerStates[status]}</span>${busy && html`<span class="badge info">${t.busy}</span>`}${disabled && html`<span class="badge warn">${t.disabled}</span>`}</div><span class="small soft">${labels.map((label) => label.name).join(", ")}</span></div><span class="row">${actionButton(visit, { do: disabled ? "enable" : "disable", ...key }, disabled ? t.enable : t.disable, { about: name })}${actionButton(visit, { do: "delete", ...key }, forms.delete, { className: "button danger", about: name })}</span></li>`
}
