import { html } from "../../html/Html.ts"
import { pageNumber, pagination } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Submitted, type Visit } from "../../page/Page.ts"
import { repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import {
  commentExtras,
  commentForm,
  descriptionCard,
  factsAside,
  loadTimeline,
  submitComment
} from "../issues/conversation.ts"
import { loadConversationOffers } from "../issues/conversationOffers.ts"
import { submitFacts } from "../issues/factActions.ts"
import { factOperations, loadFacts } from "../issues/facts.ts"
import { commentPlace, loadReferences, numberedIn, userLink } from "../issues/issueParts.ts"
import { loadEdited } from "../issues/texts.ts"
import { timelineEntries, timelineView } from "../issues/timeline.ts"
import { mergeBox, mergeStyles } from "./mergeBox.ts"
import { pullHeader } from "./pullFrame.ts"
import { pullOffers, pullQuestions } from "./pullOffers.ts"
import { pendingIn, reviewOperations, submitReview } from "./reviewForms.ts"
import { loadComments, threadsOf, threadView } from "./threads.ts"

const load = async (visit: Visit) => {
  const { forge } = visit
  const params = numberedIn(visit)
  const named = namedIn(visit)
  const name = repositoryIn(visit)
  const [repository, pull, { events, hasNext }, reviews, comments] = await Promise.all([
    forge.repository.read({ params: named }),
    forge.pull.read({ params }),
    loadTimeline(visit),
    forge.pull.review.list({ params, query: { limit: 50 } }),
    loadComments(visit, params)
  ])
  const pending = pendingIn(reviews)?.id
  const questions = pullQuestions(visit, pull, comments, pending)
  const [links, may] = await Promise.all([
    loadReferences(visit, [pull.body, ...events.map((event) => event.body)]),
    loadConversationOffers(visit, repository, events, pullOffers, questions)
  ])
  const [branch, body, entries, threads, facts, edited] = await Promise.all([
    // A base branch that was deleted leaves the pull request readable.
    pull.state === "open"
      ? forge.repository.branch.read({ params: { ...named, "*": pull.base.ref } }).result()
      : undefined,
    visit.markdown(pull.body, commentPlace(name, repository.default_branch, links)),
    timelineEntries(visit, name, repository.default_branch, events, links, reviews),
    threadsOf(visit, comments, repository.default_branch, pending),
    loadFacts(visit, repository, may, events),
    loadEdited(visit)
  ])
  return {
    may,
    facts,
    edited,
    threads,
    repository,
    pull,
    branch: branch?.ok === true ? branch.value : undefined,
    body,
    entries,
    hasNext
  }
}

const merge = async (visit: Visit): Promise<Submitted> => {
  const { form, forge, url } = visit
  const style = mergeStyles.find((each) => each === typed(form, "style")) ?? "merge"
  const head = typed(form, "head")
  const merged = await forge.pull
    .merge({ params: numberedIn(visit), body: { Do: style, ...(head === "" ? {} : { head_commit_id: head }) } })
    .result()
  if (merged.ok) return { to: url.pathname }
  // The forge answers 405 with the requirements that are missing.
  if (merged.error.status === 405) {
    const { message } = merged.error.body as { readonly message: string }
    return { problems: { "": message }, status: 409 }
  }
  throw merged.error
}

/** Opens a pull request that reverts this one, and redirects to it. */
const revert = async (visit: Visit): Promise<Submitted> => {
  const { number } = await visit.forge.pull.revert({ params: numberedIn(visit) })
  return { to: `${repositoryPath(repositoryIn(visit))}/pulls/${number}` }
}

/** Updates the head branch from the base branch, by a merge or a rebase. */
const update = async (visit: Visit, style: "merge" | "rebase"): Promise<Submitted> => {
  const updated = await visit.forge.pull.update({ params: numberedIn(visit), query: { style } }).result()
  if (updated.ok) return { to: visit.url.pathname }
  // The forge answers 405 for a closed pull request.
  if (updated.error.status !== 405) throw updated.error
  const { message } = updated.error.body as { readonly message: string }
  return { problems: { "": message }, status: 409 }
}

/** `/{owner}/{repo}/pulls/{index}`: the conversation of a pull request, and the merge button. */
export const pullPage = page({
  path: "/:owner/:repo/pulls/:index",
  operations: [
    ...repositoryOperations,
    "repository.branch.read",
    "pull.edit",
    "pull.merge",
    "pull.update",
    "pull.revert",
    ...reviewOperations,
    "issue.timeline.list",
    "issue.comment.create",
    "repository.markdown.references",
    ...factOperations
  ],
  uploads: true,
  load,
  view: ({ body, branch, edited, entries, facts, hasNext, may, pull, repository, threads }, visit) => {
    const { issues } = visit.texts
    const name = repositoryIn(visit)
    const reviewers = pull.requested_reviewers
    const reviewersSection =
      reviewers.length === 0
        ? html``
        : html`<section><h2>${issues.reviewers}</h2><ul>${reviewers.map((user) => html`<li>${userLink(user)}</li>`)}</ul></section>`
    const ofReview = (review: number) =>
      html`${threads.filter(({ first }) => first.pull_request_review_id === review).map((thread) => threadView(visit, may, thread, true))}`
    return {
      title: `${pull.title} #${pull.number} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "pulls", visit, may),
      body: html`${pullHeader(visit, pull, "conversation")}
<div class="split"><div class="timeline">${pageNumber(visit) === 1 && descriptionCard(visit, may, pull, facts, body)}
${timelineView(visit, name, entries, { ofReview, ...commentExtras(visit, may, facts, edited) })}${pagination(visit, hasNext)}${mergeBox(visit, repository, pull, branch, may)}${commentForm(visit, true, may, pull)}</div>${factsAside(visit, "pulls", repository, pull, facts, may, reviewersSection)}</div>`
    }
  },
  submit: async (visit) => {
    const does = typed(visit.form, "do")
    if (does === "merge") return merge(visit)
    if (does === "revert") return revert(visit)
    if (does === "update" || does === "update-rebase") return update(visit, does === "update" ? "merge" : "rebase")
    return (
      (await submitReview(visit)) ??
      (await submitFacts(visit)) ??
      submitComment(visit, (state) => visit.forge.pull.edit({ params: numberedIn(visit), body: { state } }))
    )
  }
})
