import type { Deployment } from "@slipway/client/deploy"
import { type Html, html, safeHref } from "@slipway/web/foundation"
import { domainsIn } from "./links.ts"

/** Returns the color class of a status such as `running:healthy`. */
export const toneOf = (status: string): "ok" | "warn" | "bad" | "" => {
  const [state = ""] = status.split(":")
  if (status.includes("unhealthy")) return "bad"
  if (state === "running") return "ok"
  if (["starting", "restarting", "degraded", "unknown"].includes(state)) return "warn"
  return ["exited", "dead", "failed"].includes(state) ? "bad" : ""
}

/** Shows the status of a resource as a colored label. */
export const statusBadge = (status: string): Html =>
  html`<span class="badge ${toneOf(status)}">${status.replace(":", ", ").replaceAll("_", " ")}</span>`

const ended: Readonly<Record<string, "ok" | "bad" | "">> = { finished: "ok", failed: "bad", cancelled: "" }

/** Returns whether a deployment has not ended yet. */
export const isUnfinished = ({ status }: Pick<Deployment, "status">): boolean => ended[status] === undefined

/** Shows the status of a deployment as a colored label. */
export const deploymentBadge = ({ status }: Pick<Deployment, "status">): Html =>
  html`<span class="badge ${ended[status] ?? "info"}">${status}</span>`

/** Shows the first 10 characters of a commit SHA, or `HEAD`. */
export const shortCommit = (commit: string): Html => html`<code>${commit.slice(0, 10)}</code>`

/** Shows the name of an image; only the first 12 characters of an image without a name, which is a digest. */
export const imageName = (image: string): Html => {
  const [digest] = /^sha256:[0-9a-f]{12}/.exec(image) ?? []
  return digest === undefined ? html`<code>${image}</code>` : html`<code title="${image}">${digest}</code>`
}

/** Shows the domains of a resource as links. */
export const domainLinks = (fqdn: string | null): ReadonlyArray<Html> =>
  domainsIn(fqdn).map((domain) => {
    const to = safeHref(domain)
    return to === undefined
      ? html`<span>${domain}</span> `
      : html`<a href="${to}">${domain.replace(/^https?:\/\//, "")}</a> `
  })
