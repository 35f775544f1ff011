import { html } from "../../html/Html.ts"
import { linkButton, pageNumber, pagination } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { issuePath } from "../../layout/lists.ts"
import { time } from "../../layout/time.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { page, Redirect, type Visit } from "../../page/Page.ts"
import { offersNewIssue, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { commentExtras, commentForm, descriptionCard, factsAside, loadTimeline, submitComment } from "./conversation.ts"
import { loadConversationOffers } from "./conversationOffers.ts"
import { submitFacts } from "./factActions.ts"
import { factOperations, loadFacts } from "./facts.ts"
import { commentPlace, issueState, loadReferences, numberedIn, stateBadge, userLink } from "./issueParts.ts"
import { loadEdited } from "./texts.ts"
import { timelineEntries, timelineView } from "./timeline.ts"

/** The access checks for the buttons of an issue, in addition to the checks that issues and pull requests share. */
const offered = { changeState: ["issue.edit", "issue"], openIssue: ["issue.create", "repo"] } as const

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
  const [links, may] = await Promise.all([
    loadReferences(visit, [issue.body, ...events.map((event) => event.body)]),
    loadConversationOffers(visit, repository, events, offered)
  ])
  const [body, entries, facts, edited] = await Promise.all([
    visit.markdown(issue.body, commentPlace(name, branch, links)),
    timelineEntries(visit, name, branch, events, links),
    loadFacts(visit, repository, may, events),
    loadEdited(visit)
  ])
  return { repository, may, issue, body, entries, hasNext, facts, edited }
}

/** `/{owner}/{repo}/issues/{index}`: an issue with its timeline. */
export const issuePage = page({
  path: "/:owner/:repo/issues/:index",
  operations: [
    ...repositoryOperations,
    "issue.timeline.list",
    "issue.comment.create",
    "repository.markdown.references",
    ...factOperations
  ],
  uploads: true,
  load,
  view: ({ body, edited, entries, facts, hasNext, issue, may, repository }, visit) => {
    const { issues } = visit.texts
    const name = repositoryIn(visit)
    return {
      title: `${issue.title} #${issue.number} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "issues", visit, may),
      body: html`<div class="title"><h2>${issue.title} <span class="soft">#${issue.number}</span></h2>${stateBadge(visit, issueState(issue), false)}<span class="soft">${userLink(issue.user)} ${issues.opened} ${time(visit, issue.created_at)} · ${issues.comments(issue.comments)}</span>${offersNewIssue(visit, repository, may.openIssue) && html`<span class="push">${linkButton(`${repositoryPath(name)}/issues/new`, issues.newIssue, "plus")}</span>`}</div>
<div class="split"><div class="timeline">${pageNumber(visit) === 1 && descriptionCard(visit, may, issue, facts, body)}
${timelineView(visit, name, entries, commentExtras(visit, may, facts, edited))}${pagination(visit, hasNext)}${commentForm(visit, false, may, issue)}</div>${factsAside(visit, "issues", repository, issue, facts, may)}</div>`
    }
  },
  submit: async (visit) =>
    (await submitFacts(visit)) ??
    submitComment(visit, (state) => visit.forge.issue.edit({ params: numberedIn(visit), body: { state } }))
})
