import type { CommitStatus } from "@slipway/client/forge"
import { type IconName, icon } from "../../assets/icons.ts"
import { type Html, html, safeHref } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn } from "../code/revision.ts"
import { numberedIn } from "../issues/issueParts.ts"
import { pullHeader } from "./pullFrame.ts"

const looks = {
  pending: ["history", "info"],
  success: ["check-circle", "ok"],
  error: ["alert", "bad"],
  failure: ["x-circle", "bad"],
  warning: ["alert", "warn"],
  skipped: ["x", ""]
} as const satisfies Readonly<Record<CommitStatus["status"], readonly [IconName, string]>>

const row = (visit: Visit, status: CommitStatus): Html => {
  const { review } = visit.texts
  const [name, kind] = looks[status.status]
  const target = status.target_url === "" ? undefined : safeHref(status.target_url)
  return html`<li><span class="badge ${kind}">${icon(name)}${review.checkStates[status.status]}</span><div class="grow"><h3>${target === undefined ? status.context : html`<a href="${target}" rel="nofollow noopener">${status.context}</a>`}</h3><div class="small soft">${status.description !== "" && html`${status.description} · `}${time(visit, status.updated_at)}</div></div></li>`
}

/** `/{owner}/{repo}/pulls/{index}/checks`: the latest status of each check of the head commit. */
export const pullChecksPage = page({
  path: "/:owner/:repo/pulls/:index/checks",
  operations: [...repositoryOperations, "pull.read", "repository.commit.status.combined"],
  load: async (visit) => {
    const { forge } = visit
    const [{ may, repository }, pull] = await Promise.all([
      loadRepository(visit),
      forge.pull.read({ params: numberedIn(visit) })
    ])
    const combined = await forge.repository.commit.status.combined({
      params: { ...namedIn(visit), ref: pull.head.sha },
      query: { limit: rowsPerPage, page: pageNumber(visit) }
    })
    return { repository, may, pull, statuses: combined.statuses }
  },
  view: ({ may, pull, repository, statuses }, visit) => {
    const { review } = visit.texts
    return {
      title: `${review.checks} · ${pull.title} #${pull.number} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "pulls", visit, may),
      body: html`${pullHeader(visit, pull, "checks")}${card(review.checks, statuses.length === 0 ? empty(review.noChecks) : html`<ul class="rows">${statuses.map((each) => row(visit, each))}</ul>`)}${pagination(visit, statuses.length === rowsPerPage)}`
    }
  }
})
