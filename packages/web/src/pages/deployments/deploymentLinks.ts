import type { Deployment } from "@slipway/client/forge"
import { type IconName, icon } from "../../assets/icons.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import type { Visit } from "../../page/Page.ts"
import { repositoryIn } from "../code/revision.ts"

const looks = {
  error: ["x-circle", "bad"],
  failure: ["x-circle", "bad"],
  inactive: ["x", ""],
  in_progress: ["play", "info"],
  pending: ["history", ""],
  queued: ["history", ""],
  success: ["check-circle", "ok"]
} as const satisfies Readonly<Record<Deployment["state"], readonly [IconName, string]>>

/** Renders the state of a deployment. If it waits for an approval, shows this instead. */
export const stateOf = ({ texts: { deployments } }: Visit, { approval, state }: Deployment): Html => {
  if (approval.state === "waiting")
    return html`<span class="badge warn">${icon("history")}${deployments.waiting}</span>`
  if (approval.state === "rejected")
    return html`<span class="badge bad">${icon("x-circle")}${deployments.rejected}</span>`
  const [name, kind] = looks[state]
  return html`<span class="badge ${kind}">${icon(name)}${deployments.states[state]}</span>`
}

const isWebAddress = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/**
 * Renders links to the page and the log of a deployment. Omits a link if the deployment platform gave no HTTP(S) URL
 * for it.
 */
export const deploymentLinks = ({ texts: { deployments } }: Visit, { environment_url, log_url }: Deployment): Html =>
  html`${isWebAddress(environment_url) && html` · <a href="${environment_url}" rel="noreferrer">${deployments.page}</a>`}${isWebAddress(log_url) && html` · <a href="${log_url}" rel="noreferrer">${deployments.log}</a>`}`

/**
 * Renders the link to the page of the deployment platform that deploys this repository. Renders nothing if the site has
 * no platform.
 *
 * The platform asks the user for confirmation, and checks the permissions that the user has there.
 */
export const deployButton = (visit: Visit): Html => {
  if (visit.deployUrl === "") return nothing
  const { name, owner } = repositoryIn(visit)
  const query = new URLSearchParams({ repository: `${owner}/${name}` })
  return linkButton(`${visit.deployUrl}/deploy?${query}`, visit.texts.deployments.deploy, "play", "primary")
}
