import { html } from "../../html/Html.ts"
import { card, linkButton } from "../../layout/components.ts"
import { issueList, repositoryList } from "../../layout/lists.ts"
import { page } from "../../page/Page.ts"
import { activityList } from "../activity/activityList.ts"
import { exploreRepositories, loadRepositories } from "../explore/explore.ts"
import { newRepositoryPath } from "../repositories/newRepository.ts"

const rows = 10

/** `/`: the current work of the signed-in user. Anonymous visitors get the public repositories. */
export const startPage = page({
  path: "/",
  operations: ["repository.search", "account.repository.list", "issue.search", "user.feed.list"],
  load: async (visit) => {
    const { forge, viewer } = visit
    if (viewer === undefined) return { found: await loadRepositories(visit) }
    const [own, assigned, reviews, feed] = await Promise.all([
      forge.account.repository.list({ query: { limit: rows } }),
      forge.issue.search({ query: { assigned: "true", state: "open", type: "issues", limit: rows } }),
      forge.issue.search({ query: { review_requested: "true", state: "open", type: "pulls", limit: rows } }),
      forge.user.feed.list({ params: { username: viewer.login }, query: { limit: rows } })
    ])
    return { own, assigned, reviews, feed }
  },
  view: (data, visit) => {
    if ("found" in data) return exploreRepositories(visit, data.found)
    const { start } = visit.texts
    return {
      title: start.title,
      body: html`<h1 class="hidden-text">${start.title}</h1><div class="columns"><div>${card(start.reviews, issueList(visit, data.reviews, start.noReviews))}${card(start.assigned, issueList(visit, data.assigned, start.noAssigned))}${card(start.feed, activityList(visit, data.feed, start.noFeed))}</div>
${card(html`<h2>${start.yourRepositories}</h2><span class="push">${linkButton(newRepositoryPath(), visit.texts.layout.newRepository, "plus")}</span>`, repositoryList(visit, data.own, start.noRepositories))}</div>`
    }
  }
})
