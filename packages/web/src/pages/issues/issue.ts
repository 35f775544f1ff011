import { html } from "../../html/Html.ts"
import { linkButton, pageNumber, pagination } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { issuePath } from "../../layout/lists.ts"
import { time } from "../../layout/time.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { page, Redirect, type Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { commentForm, factsAside, loadTimeline, submitComment } from "./conversation.ts"
import { commentPlace, issueState, numberedIn, stateBadge, userLink } from "./issueParts.ts"
import { offersNewIssue } from "./offers.ts"
import { commentCard, timelineEntries, timelineView } from "./timeline.ts"

const load = async (visit: Visit) => {
  const { forge } = visit
  const params = numberedIn(visit)
  const name = repositoryIn(visit)
  const [repository, issue, { events, hasNext }] = await Promise.all([
    forge.repository.read({ params: namedIn(visit) }),
    forge.issue.read({ params }),
    loadTimeline(visit)
  ])
  if (issue.pull_request !== null) throw new Redirect(issuePath(issue))
  const branch = repository.default_branch
  const [body, entries] = await Promise.all([
    visit.markdown(issue.body, commentPlace(name, branch)),
    timelineEntries(visit, name, branch, events)
  ])
  return { repository, issue, body, entries, hasNext }
}

/** `/{owner}/{repo}/issues/{index}`: an issue with its timeline. */
export const issuePage = page({
  path: "/:owner/:repo/issues/:index",
  operations: ["repository.read", "issue.read", "issue.edit", "issue.timeline.list", "issue.comment.create"],
  load,
  view: ({ body, entries, hasNext, issue, repository }, visit) => {
    const { issues } = visit.texts
    const name = repositoryIn(visit)
    return {
      title: `${issue.title} #${issue.number} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "issues", visit),
      body: html`<div class="title"><h2>${issue.title} <span class="soft">#${issue.number}</span></h2>${stateBadge(visit, issueState(issue), false)}<span class="soft">${userLink(issue.user)} ${issues.opened} ${time(visit, issue.created_at)} · ${issues.comments(issue.comments)}</span>${offersNewIssue(repository) && html`<span class="push">${linkButton(`${repositoryPath(name)}/issues/new`, issues.newIssue, "plus")}</span>`}</div>
<div class="split"><div class="timeline">${pageNumber(visit) === 1 && commentCard(visit, `issue-${issue.number}`, issue.user, issue.created_at, issue.body === "" ? html`<p class="soft">${issues.noDescription}</p>` : body)}
${timelineView(visit, name, entries)}${pagination(visit, hasNext)}${commentForm(visit, false, repository, issue)}</div>${factsAside(visit, "issues", issue)}</div>`
    }
  },
  submit: (visit) =>
    submitComment(visit, (state) => visit.forge.issue.edit({ params: numberedIn(visit), body: { state } }))
})
