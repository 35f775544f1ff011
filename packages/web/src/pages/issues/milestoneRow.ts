import type { Milestone } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { time } from "../../layout/time.ts"
import type { Visit } from "../../page/Page.ts"

/** Returns the state of the milestones to list, from the URL. */
export const milestoneStateIn = ({ query }: Visit): "open" | "closed" =>
  query.get("state") === "closed" ? "closed" : "open"

/** Renders a row of a list of milestones, with the progress. `base` is the path of the repository. */
export const milestoneRow = (
  visit: Visit,
  milestone: Milestone,
  base: string,
  place: Html = nothing,
  action: Html = nothing
): Html => {
  const { issues } = visit.texts
  const { closed_issues: closed, description, due_on: due, open_issues: open, title } = milestone
  const all = open + closed
  const filtered = String(new URLSearchParams({ milestones: title, state: "all" }))
  return html`<li>${icon("milestone", "soft")}<div class="grow"><h3><a href="${base}/issues?${filtered}">${title}</a></h3>${description !== "" && html`<p>${description}</p>`}
<div class="row small soft">${place}<progress max="${Math.max(all, 1)}" value="${closed}" aria-label="${issues.progress(closed, all)}"></progress><span>${issues.progress(closed, all)}</span>${due !== null && html`<span>${issues.dueOn} ${time(visit, due)}</span>`}</div></div>${action}</li>`
}
