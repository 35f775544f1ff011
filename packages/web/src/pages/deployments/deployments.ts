import type { Deployment } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { problemSummary } from "../../forms/fields.ts"
import { actionButton } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { pathOf } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Submitted, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { shortSha } from "../code/tree.ts"
import { deployButton, deploymentLinks, stateOf } from "./deploymentLinks.ts"

const deploymentRow = (visit: Visit, deployment: Deployment): Html => {
  const { deployments } = visit.texts
  const { approval, created_at, creator, environment, id, ref, sha } = deployment
  const about = deployments.about(environment, sha.slice(0, 10))
  const button = (state: "approved" | "rejected", label: string, className: string) =>
    actionButton(visit, { state, deployment: String(id) }, label, { className, about })
  return html`<li>${stateOf(visit, deployment)}<div class="grow"><h3>${environment}</h3><div class="small soft">${shortSha(repositoryIn(visit), sha)}${ref !== sha && html` · ${icon("git-branch")} ${ref}`}${creator !== null && html` · ${deployments.by} <a href="${pathOf(creator.login)}">${creator.login}</a>`}${deploymentLinks(visit, deployment)}</div></div>${approval.current_user_can_approve && html`<span class="row">${button("approved", deployments.approve, "button primary")}${button("rejected", deployments.reject, "button danger")}</span>`}<span class="small soft">${time(visit, created_at)}</span></li>`
}

/**
 * `/{owner}/{repo}/deployments`: the deployments of a repository. Reviewers of protected environments get buttons to
 * approve or reject them.
 */
export const deploymentsPage = page({
  path: "/:owner/:repo/deployments",
  operations: [...repositoryOperations, "repository.deployment.list", "repository.deployment.approval.create"],
  load: async (visit) => {
    const query = { page: pageNumber(visit), limit: rowsPerPage }
    const [{ may, repository }, deployments] = await Promise.all([
      loadRepository(visit),
      visit.forge.repository.deployment.list({ params: namedIn(visit), query })
    ])
    return { repository, may, deployments }
  },
  view: ({ deployments: rows, may, repository }, visit) => {
    const { deployments } = visit.texts
    return {
      title: `${deployments.deployments} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "code", visit, may),
      body: html`${problemSummary(visit)}${rows[0]?.connected === false && html`<p class="alert warn">${deployments.disconnected}</p>`}${card(
        html`<h2>${deployments.deployments}</h2>${may.settings && html`<span class="push">${deployButton(visit)}</span>`}`,
        rows.length === 0
          ? empty(deployments.none)
          : html`<ul class="rows">${rows.map((row) => deploymentRow(visit, row))}</ul>`
      )}${pagination(visit, rows.length === rowsPerPage)}`
    }
  },
  submit: async (visit): Promise<Submitted> => {
    const id = typed(visit.form, "deployment")
    const state = typed(visit.form, "state") === "approved" ? "approved" : "rejected"
    await visit.forge.repository.deployment.approval.create({ params: { ...namedIn(visit), id }, body: { state } })
    return { to: visit.url.pathname }
  }
})
