import { problemSummary, selectField, textField } from "../../forms/fields.ts"
import { type Html, html } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import { encodedPath, repositoryPath, revisionPath } from "../../layout/urls.ts"
import { type Problems, typed } from "../../page/FormState.ts"
import type { Submitted, Visit } from "../../page/Page.ts"
import { repositoryIn } from "./revision.ts"

/** Renders the fields of a commit: the message, and the choice between the current branch and a new branch. */
export const commitFields = (visit: Visit, branch: string, message: string, back: string): Html => {
  const { files } = visit.texts
  return html`${textField(visit, { name: "message", label: files.commitMessage, value: message, maxlength: 10_000 })}
${selectField(visit, {
  name: "target",
  label: files.where,
  options: [
    { value: "branch", label: files.toBranch(branch) },
    { value: "new", label: files.newBranchChoice }
  ]
})}${textField(visit, { name: "new_branch", label: files.newBranch, value: "" })}
<div class="row"><button class="button primary">${files.commit}</button>${linkButton(back, files.cancel)}</div>`
}

/** Renders the form of a commit in a card, with its error messages. */
export const commitCard = (visit: Visit, title: string, form: Html): Html =>
  html`<section class="card" aria-label="${title}"><header><h2>${title}</h2></header><div class="body">${problemSummary(visit)}${form}</div></section>`

/** The branch, the new branch and the message of a commit, in the format of the API. */
export interface CommitTarget {
  readonly branch: string
  readonly new_branch?: string
  readonly message: string
}

/** Returns the branch and message of the commit from the form, and the error messages of the form. */
export const targetIn = (
  { form, texts }: Visit,
  branch: string,
  message: string
): { readonly target: CommitTarget; readonly problems: Problems } => {
  const isNew = typed(form, "target") === "new"
  const name = typed(form, "new_branch").trim()
  const written = typed(form, "message").trim()
  return {
    target: { branch, message: written === "" ? message : written, ...(isNew ? { new_branch: name } : {}) },
    problems: isNew && name === "" ? { new_branch: texts.files.branchRequired } : {}
  }
}

const messageIn = (body: unknown): string | undefined => {
  const { message } = (body ?? {}) as { readonly message?: unknown }
  return typeof message === "string" ? message : undefined
}

/**
 * Commits a change, and redirects to the file or folder. For a new branch, redirects to the form that opens a pull
 * request.
 *
 * If the forge denies the commit, for example on a protected branch, the form is shown again with the reason.
 */
export const submitCommit = async (
  visit: Visit,
  { branch, new_branch: newBranch }: CommitTarget,
  path: string,
  commit: PromiseLike<
    | { readonly ok: true }
    | { readonly ok: false; readonly error: { readonly status?: number | undefined; readonly body?: unknown } }
  >
): Promise<Submitted> => {
  const done = await commit
  if (!done.ok) {
    const reason = messageIn(done.error.body)
    if (done.error.status !== 403 || reason === undefined) throw done.error
    return { problems: { "": reason }, status: 403 }
  }
  const name = repositoryIn(visit)
  return newBranch === undefined
    ? { to: revisionPath(name, "src", { kind: "branch", name: branch }, path) }
    : { to: `${repositoryPath(name)}/compare/${encodedPath(`${branch}...${newBranch}`)}?expand=1` }
}
