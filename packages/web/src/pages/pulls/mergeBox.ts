import type { Branch, PullRequest, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo, selectField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { revisionPath } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { repositoryIn } from "../code/revision.ts"
import { commitPath } from "../code/tree.ts"
import { userLink } from "../issues/issueParts.ts"
import type { PullOffers } from "./pullOffers.ts"

/** The merge methods, in the order in which the page offers them. */
export const mergeStyles = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"] as const

/** A merge method that pages offer and the API accepts. */
export type MergeStyle = (typeof mergeStyles)[number]

const isAllowed = (repository: Repository, style: MergeStyle): boolean =>
  ({
    merge: repository.allow_merge_commits,
    rebase: repository.allow_rebase,
    "rebase-merge": repository.allow_rebase_explicit,
    squash: repository.allow_squash_merge,
    "fast-forward-only": repository.allow_fast_forward_only_merge
  })[style]

interface Requirement {
  readonly isMet: boolean
  readonly text: Html | string
}

/** Renders a file with merge conflicts, with links to the file on both branches. */
const conflictRow = (visit: Visit, { base, head }: PullRequest, file: string): Html => {
  const link = (owner: string, name: string, ref: string) =>
    html`<a href="${revisionPath({ owner, name }, "src", { kind: "branch", name: ref }, file)}">${ref}<span class="hidden-text"> ${file}</span></a>`
  const onHead = head.repo === null ? nothing : html` · ${link(head.repo.owner.login, head.repo.name, head.ref)}`
  const { name, owner } = repositoryIn(visit)
  return html`<li><code>${file}</code> <span class="small">${link(owner, name, base.ref)}${onHead}</span></li>`
}

/** Returns the requirements for a merge. Each states whether it is met, and the protection rule that requires it. */
const requirementsOf = (visit: Visit, pull: PullRequest, branch: Branch | undefined): ReadonlyArray<Requirement> => {
  const { issues } = visit.texts
  const rule = branch?.effective_branch_protection_name ?? ""
  const byRule = rule === "" ? nothing : html` <span class="soft">(${issues.rule} <code>${rule}</code>)</span>`
  const hasConflicts = pull.conflicted_files.length > 0
  const blocks = pull.blocked_by.map((block) => ({
    isMet: false,
    text: html`${issues.mergeBlocks[block] ?? block}${byRule}`
  }))
  const found: ReadonlyArray<Requirement> = [
    {
      isMet: !hasConflicts,
      text: hasConflicts
        ? html`${issues.conflictsIn}<ul>${pull.conflicted_files.map((file) => conflictRow(visit, pull, file))}</ul>${issues.conflictHint(pull.base.ref)}`
        : html`${issues.noConflicts} <code>${pull.base.ref}</code>`
    },
    ...(pull.draft ? [{ isMet: false, text: issues.isDraft }] : []),
    ...(blocks.length === 0 && rule !== "" ? [{ isMet: true, text: html`${issues.allRequirements}${byRule}` }] : blocks)
  ]
  return pull.mergeable || found.some(({ isMet }) => !isMet)
    ? found
    : [...found, { isMet: false, text: issues.notMergeable }]
}

const outcome = (visit: Visit, pull: PullRequest, may: PullOffers): Html => {
  const { issues } = visit.texts
  if (!pull.merged) return html`<p class="soft">${issues.closedUnmerged}</p>`
  const sha = pull.merge_commit_sha
  const revert =
    may.revert && sha !== null
      ? formTo(
          visit,
          visit.url.pathname,
          html`<button class="button" name="do" value="revert">${issues.revert}</button> <span class="small soft">${issues.revertHint}</span>`,
          "row"
        )
      : nothing
  return html`<p class="row">${icon("git-merge", "merged-text")} ${issues.mergedBy} ${pull.merged_by !== null && userLink(pull.merged_by)} ${pull.merged_at !== null && time(visit, pull.merged_at)}${sha !== null && html`<a class="mono" href="${commitPath(repositoryIn(visit), sha)}">${sha.slice(0, 10)}</a>`}</p>${revert}`
}

/**
 * Renders the buttons that update the head branch from the base branch. Renders nothing if the head branch is up to
 * date, or if the viewer may not push to it.
 */
const updateForm = (visit: Visit, may: PullOffers, pull: PullRequest, branch: Branch | undefined): Html => {
  const { review } = visit.texts
  // Without permission to write the head repository, a push to the branches that other pull requests lend may be allowed.
  const pushes = may.editHead || (may.pushHead && pull.allow_maintainer_edit)
  if (branch === undefined || branch.commit.id === pull.merge_base || !pushes) return nothing
  return formTo(
    visit,
    visit.url.pathname,
    html`<span class="soft">${review.behind}</span> <button class="button" name="do" value="update">${review.update}</button> <button class="button" name="do" value="update-rebase">${review.updateByRebase}</button>`,
    "row"
  )
}

/** Renders the requirements and the merge button. For a closed or merged pull request, shows its outcome. */
export const mergeBox = (
  visit: Visit,
  repository: Repository,
  pull: PullRequest,
  branch: Branch | undefined,
  may: PullOffers
): Html => {
  const { issues } = visit.texts
  if (pull.merged || pull.state === "closed")
    return card(issues.merge, html`<div class="body">${outcome(visit, pull, may)}</div>`)
  const requirements = requirementsOf(visit, pull, branch)
  const isReady = requirements.every(({ isMet }) => isMet)
  const list = html`<ul class="checks">${requirements.map(({ isMet, text }) => html`<li>${icon(isMet ? "check-circle" : "x-circle", isMet ? "ok-text" : "bad-text")}<span><span class="hidden-text">${isMet ? issues.met : issues.missing}: </span>${text}</span></li>`)}</ul>`
  const styles = mergeStyles.filter((style) => isAllowed(repository, style))
  const form = may.merge
    ? formTo(
        visit,
        visit.url.pathname,
        html`${isReady && selectField(visit, { name: "style", label: issues.mergeStyle, value: repository.default_merge_style, options: styles.map((value) => ({ value, label: issues.mergeStyles[value] })) })}
<input type="hidden" name="head" value="${pull.head.sha}"><button class="button primary" name="do" value="merge"${!isReady && html` disabled`}>${icon("git-merge")}${issues.mergePull}</button>`
      )
    : html`<p class="soft">${issues.mayNotMerge}</p>`
  return card(issues.merge, html`<div class="body">${list}${form}${updateForm(visit, may, pull, branch)}</div>`)
}
