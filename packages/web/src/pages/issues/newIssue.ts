import type { IssueTemplate, Label } from "@slipway/client/forge"
import { choicesField, fileField, problemSummary, textArea, textField, uploadForm } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { repositoryPath, withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { checkedFiles } from "./attachments.ts"
import { templateFields, templateList, templateProblems, templateText } from "./issueTemplates.ts"

/** Loads the issue templates of a repository. Returns none if the viewer cannot read the code. */
const loadTemplates = async (visit: Visit) => {
  const params = namedIn(visit)
  const [templates, config] = await Promise.all([
    visit.forge.repository.issueTemplate.list({ params }).result(),
    visit.forge.repository.issueConfig.read({ params }).result()
  ])
  return {
    templates: templates.ok ? templates.value : [],
    config: config.ok ? config.value : { blank_issues_enabled: true, contact_links: [] }
  }
}

/** Returns the issue template that the URL selects; undefined for a blank issue. */
const chosenTemplate = (visit: Visit, templates: ReadonlyArray<IssueTemplate>): IssueTemplate | undefined => {
  const name = visit.query.get("template")
  if (name === null || name === "" || name === "blank") return undefined
  const found = templates.find(({ file_name: file }) => file === name)
  if (found === undefined) throw new NotFound()
  return found
}

/**
 * Returns whether to show the list of templates instead of the form. This is the case if the URL contains neither a
 * template nor form values.
 */
const choosesFirst = ({ form, query }: Visit): boolean =>
  form.values.size === 0 && !["template", "title", "body"].some((name) => query.has(name))

/**
 * The access check that decides whether the label field is shown, because the forge ignores labels from users with only
 * read access.
 *
 * The issue does not exist yet, so the check is about the labels of the repository.
 */
const offered = { label: ["label.create", "repo"] } as const

const load = async (visit: Visit) => {
  const params = namedIn(visit)
  const [{ may, repository }, labels, { config, templates }] = await Promise.all([
    loadRepository(visit, offered),
    visit.forge.label.list({ params, query: { limit: 50 } }),
    loadTemplates(visit)
  ])
  return {
    repository,
    may,
    labels: may.label ? labels.filter((label) => !label.is_archived) : [],
    templates,
    config,
    template: chosenTemplate(visit, templates)
  }
}

const labelChoice = (visit: Visit, labels: ReadonlyArray<Label>, template: IssueTemplate | undefined): Html =>
  labels.length === 0
    ? nothing
    : choicesField(visit, {
        name: "label",
        label: visit.texts.issues.labels,
        chosen: labels.filter(({ name }) => template?.labels.includes(name)).map(({ id }) => String(id)),
        options: labels.map(({ id, name }) => ({ value: String(id), label: name }))
      })

const description = (visit: Visit, template: IssueTemplate | undefined): Html =>
  template !== undefined && template.body.length > 0
    ? templateFields(visit, template)
    : textArea(visit, {
        name: "body",
        label: visit.texts.issues.comment,
        hint: visit.texts.issues.commentHint,
        value: visit.query.get("body") ?? template?.content ?? "",
        rows: 12
      })

/**
 * `/{owner}/{repo}/issues/new`: opens an issue. The query parameters `title`, `body` and `template` fill in the form.
 */
export const newIssuePage = page({
  path: "/:owner/:repo/issues/new",
  operations: [
    ...repositoryOperations,
    "label.list",
    "issue.create",
    "issue.asset.create",
    "repository.issueTemplate.list",
    "repository.issueConfig.read",
    "settings.attachment.read"
  ],
  signIn: true,
  uploads: true,
  load,
  view: ({ config, labels, may, repository, template, templates }, visit) => {
    const { editing, issues } = visit.texts
    const action =
      visit.query.get("template") === null
        ? visit.url.pathname
        : withQuery(new URL(visit.url.pathname, visit.url), { template: visit.query.get("template") ?? "" })
    const chooses = (templates.length > 0 || config.contact_links.length > 0) && choosesFirst(visit)
    return {
      title: `${issues.newIssue} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "issues", visit, may),
      body: chooses
        ? templateList(visit, templates, config)
        : html`<section class="card" aria-label="${issues.newIssue}"><header><h2>${template?.name ?? issues.newIssue}</h2>${templates.length > 0 && html`<span class="push">${linkButton(visit.url.pathname, editing.choose)}</span>`}</header><div class="body">${problemSummary(visit)}${uploadForm(
            visit,
            action,
            html`${textField(visit, { name: "title", label: issues.title, value: visit.query.get("title") ?? template?.title ?? "", required: true })}
${description(visit, template)}${fileField(visit, { name: "files", label: editing.files, hint: editing.filesHint })}
${labelChoice(visit, labels, template)}<button class="button primary">${issues.createIssue}</button>`
          )}</div></section>`
    }
  },
  submit: async (visit) => {
    const { form, forge, texts } = visit
    const params = namedIn(visit)
    const name = visit.query.get("template") ?? ""
    const template =
      name === "" || name === "blank" ? undefined : chosenTemplate(visit, (await loadTemplates(visit)).templates)
    const isForm = template !== undefined && template.body.length > 0
    const title = typed(form, "title").trim()
    const { files, problem } = await checkedFiles(visit)
    const problems = {
      ...(title === "" ? { title: texts.forms.required } : {}),
      ...(problem === undefined ? {} : { files: problem }),
      ...(isForm ? templateProblems(visit, template) : {})
    }
    if (Object.keys(problems).length > 0) return { problems }
    const labels = form.values.getAll("label").map(Number).filter(Number.isSafeInteger)
    const { number: index } = await forge.issue.create({
      params,
      body: {
        title,
        body: isForm ? templateText(visit, template) : typed(form, "body"),
        ...(labels.length === 0 ? {} : { labels }),
        ...(template === undefined || template.ref === "" ? {} : { ref: template.ref })
      }
    })
    for (const file of files)
      await forge.issue.asset.create({ params: { ...params, index }, query: { name: file.name }, body: file.stream() })
    return { to: `${repositoryPath(repositoryIn(visit))}/issues/${index}` }
  }
})
