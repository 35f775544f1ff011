import { longestText } from "../../client/ServiceAccess.ts"
import { problemSummary } from "../../forms/fields.ts"
import { html, nothing } from "../../html/Html.ts"
import { empty } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { type DiffExtras, type DiffLine, diffView, parseDiff } from "../code/diffView.ts"
import { loadOffers, repositoryOperations, unlessArchived } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { numberedIn } from "../issues/issueParts.ts"
import { pullHeader } from "./pullFrame.ts"
import { pullOffers, pullQuestions } from "./pullOffers.ts"
import { chosenLine, lineForm, lineLink, pendingIn, reviewCard, reviewOperations, submitReview } from "./reviewForms.ts"
import { lineOf, loadComments, threadsOf, threadView } from "./threads.ts"

const load = async (visit: Visit) => {
  const { forge } = visit
  const params = numberedIn(visit)
  const [repository, pull, diff, reviews, comments] = await Promise.all([
    forge.repository.read({ params: namedIn(visit) }),
    forge.pull.read({ params }),
    forge.pull.diff({ params }),
    forge.pull.review.list({ params, query: { limit: 50 } }),
    loadComments(visit, params)
  ])
  const pending = pendingIn(reviews)
  const [threads, offers] = await Promise.all([
    threadsOf(visit, comments, repository.default_branch, pending?.id),
    loadOffers(visit, pullOffers, pullQuestions(visit, pull, comments, pending?.id))
  ])
  const may = unlessArchived(repository, offers)
  return { repository, may, pull, diff: parseDiff(diff, Buffer.byteLength(diff) < longestText), pending, threads }
}

/**
 * Returns whether the form for a line comment or a reply is open. Then no other form of the page has a comment field.
 */
const isWriting = (visit: Visit): boolean => chosenLine(visit) !== undefined || visit.query.has("reply")

type Loaded = Awaited<ReturnType<typeof load>>

const isSame = (one: DiffLine | undefined, other: DiffLine): boolean =>
  one !== undefined && one.side === other.side && one.line === other.line

/**
 * Returns the content that reviews add to the diff: links to the comment form, the open form, and the conversations on
 * lines.
 */
const extrasOf = (visit: Visit, { may, pending, threads }: Loaded): DiffExtras => {
  const chosen = chosenLine(visit)
  const shownHere = (path: string) => threads.filter(({ first }) => first.path === path)
  return {
    mark: (path, line) => (may.review ? lineLink(visit, path, line) : nothing),
    below: (path, lines) => {
      const here = shownHere(path).filter((thread) => lines.some((line) => isSame(lineOf(thread), line)))
      const line = chosen?.path === path ? lines.find((each) => isSame(chosen, each)) : undefined
      if (here.length === 0 && (line === undefined || !may.review)) return undefined
      return html`${here.map((thread) => threadView(visit, may, thread, false))}${line !== undefined && may.review && lineForm(visit, path, line, pending)}`
    },
    end: (path, shown) => {
      const rest = shownHere(path).filter((thread) => !shown.some((line) => isSame(lineOf(thread), line)))
      return rest.length === 0
        ? undefined
        : html`<div class="body">${rest.map((thread) => threadView(visit, may, thread, true))}</div>`
    }
  }
}

/** `/{owner}/{repo}/pulls/{index}/files`: the changes of a pull request, with review comments and review forms. */
export const pullFilesPage = page({
  path: "/:owner/:repo/pulls/:index/files",
  operations: [...repositoryOperations, "pull.diff", "repository.markdown.references", ...reviewOperations],
  load,
  view: (loaded, visit) => {
    const { diff, may, pending, pull, repository } = loaded
    const { code, issues } = visit.texts
    const { name, owner } = repositoryIn(visit)
    const whole = `/api/v1/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/pulls/${pull.number}.diff`
    return {
      title: `${issues.files} · ${pull.title} #${pull.number} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "pulls", visit, may),
      body: html`${pullHeader(visit, pull, "files")}${problemSummary(visit)}
<p class="title"><b>${code.filesChanged(pull.changed_files)}</b><span class="soft">+${pull.additions} −${pull.deletions}</span></p>
${diff.files.length === 0 ? empty(code.noChanges) : diffView(visit, diff, whole, extrasOf(visit, loaded))}
${may.review && !isWriting(visit) && html`<div id="review">${reviewCard(visit, pull, pending)}</div>`}`
    }
  },
  submit: async (visit) => {
    const submitted = await submitReview(visit)
    if (submitted === undefined) throw new NotFound()
    return submitted
  }
})
