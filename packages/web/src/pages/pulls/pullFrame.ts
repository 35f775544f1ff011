import type { PullRequest } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { tabBar } from "../../layout/frames.ts"
import { repositoryPath, revisionPath } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { repositoryIn } from "../code/revision.ts"
import { pullState, stateBadge, userLink } from "../issues/issueParts.ts"

/** Renders the title, state, branches and tabs that all pages of a pull request share. */
export const pullHeader = (
  visit: Visit,
  pull: PullRequest,
  tab: "checks" | "commits" | "conversation" | "files"
): Html => {
  const { issues } = visit.texts
  const { base, changed_files: changedFiles, comments, head, merged, number: index, title, user } = pull
  const name = repositoryIn(visit)
  const at = `${repositoryPath(name)}/pulls/${index}`
  const source =
    head.repo === null
      ? html`<code>${head.label}</code>`
      : html`<a href="${revisionPath({ owner: head.repo.owner.login, name: head.repo.name }, "src", { kind: "branch", name: head.ref })}"><code>${head.label}</code></a>`
  return html`<div class="title"><h2>${title} <span class="soft">#${index}</span></h2>${stateBadge(visit, pullState(pull), true)}<span class="soft">${userLink(user)} ${merged ? issues.mergedInto : issues.wantsToMerge} ${source} ${issues.into} <a href="${revisionPath(name, "src", { kind: "branch", name: base.ref })}"><code>${base.ref}</code></a></span></div>
${tabBar(
  visit,
  issues.pullTabs,
  [
    { key: "conversation", label: issues.conversation, to: at, icon: "comment", count: comments },
    { key: "commits", label: visit.texts.review.commits, to: `${at}/commits`, icon: "git-commit" },
    { key: "checks", label: visit.texts.review.checks, to: `${at}/checks`, icon: "check-circle" },
    { key: "files", label: issues.files, to: `${at}/files`, icon: "file", count: changedFiles }
  ],
  tab
)}`
}
