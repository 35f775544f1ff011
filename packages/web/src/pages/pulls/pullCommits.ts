import { html } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { page } from "../../page/Page.ts"
import { commitList } from "../code/commits.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { numberedIn } from "../issues/issueParts.ts"
import { pullHeader } from "./pullFrame.ts"

/** `/{owner}/{repo}/pulls/{index}/commits`: the commits of a pull request. */
export const pullCommitsPage = page({
  path: "/:owner/:repo/pulls/:index/commits",
  operations: [...repositoryOperations, "pull.read", "pull.commit.list"],
  load: async (visit) => {
    const params = numberedIn(visit)
    const [{ may, repository }, pull, commits] = await Promise.all([
      loadRepository(visit),
      visit.forge.pull.read({ params }),
      visit.forge.pull.commit.list({
        params,
        query: { page: pageNumber(visit), limit: rowsPerPage, files: "false" }
      })
    ])
    return { repository, may, pull, commits }
  },
  view: ({ commits, may, pull, repository }, visit) => {
    const { review } = visit.texts
    return {
      title: `${review.commits} · ${pull.title} #${pull.number} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "pulls", visit, may),
      body: html`${pullHeader(visit, pull, "commits")}${card(review.commits, commits.length === 0 ? empty(review.noCommits) : commitList(visit, commits))}${pagination(visit, commits.length === rowsPerPage)}`
    }
  }
})
