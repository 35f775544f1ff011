import type { CreateRepoOption } from "@slipway/client/forge"
import { checkField, formTo, problemSummary, selectField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { html } from "../../html/Html.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"

/** Returns the URL of the page that creates a repository, for an organization or for the viewer. */
export const newRepositoryPath = (organization?: string): string =>
  organization === undefined ? "/repo/create" : `/repo/create?${new URLSearchParams({ org: organization })}`

const options = (names: ReadonlyArray<string>, none: string) => [
  { value: "", label: none },
  ...names.map((name) => ({ value: name, label: name }))
]

const load = async (visit: Visit) => {
  const { forge, viewer } = visit
  const [organizations, gitignores, licenses, labels] = await Promise.all([
    forge.account.organization.list({ query: { limit: 50 } }),
    forge.gitignoreTemplate.list(),
    forge.license.list(),
    forge.labelTemplate.list()
  ])
  const names = organizations.map(({ username }) => username)
  const may = await decisionsOn(
    visit,
    Object.fromEntries(names.map((name) => [name, ["organization.repository.create", `org:${name}`] as const]))
  )
  return {
    owners: [viewer?.login ?? "", ...names.filter((name) => may[name] === true)],
    gitignores,
    licenses: licenses.map(({ key }) => key),
    labels
  }
}

const bodyOf = ({ form }: Visit, name: string): CreateRepoOption => {
  const chosen = (field: string) => (typed(form, field) === "" ? {} : { [field]: typed(form, field) })
  return {
    name,
    description: typed(form, "description"),
    private: typed(form, "private") === "on",
    template: typed(form, "template") === "on",
    auto_init: typed(form, "auto_init") === "on",
    ...chosen("default_branch"),
    ...chosen("gitignores"),
    ...chosen("license"),
    ...chosen("issue_labels")
  }
}

/**
 * `/repo/create`: creates a repository for the viewer, or for an organization in which the viewer may create
 * repositories.
 */
export const newRepositoryPage = page({
  path: "/repo/create",
  operations: [
    "account.organization.list",
    "account.repository.create",
    "organization.repository.create",
    "gitignoreTemplate.list",
    "license.list",
    "labelTemplate.list",
    "access.check"
  ],
  signIn: true,
  load,
  view: ({ gitignores, labels, licenses, owners }, visit) => {
    const { settings: t } = visit.texts
    return {
      title: t.newTitle,
      body: html`<div class="medium"><div class="title"><h1>${t.newTitle}</h1></div>${problemSummary(visit)}${formTo(
        visit,
        "/repo/create",
        html`${selectField(visit, {
          name: "owner",
          label: t.owner,
          value: visit.query.get("org") ?? owners[0] ?? "",
          options: owners.map((value) => ({ value, label: value }))
        })}
${textField(visit, { name: "name", label: t.name, hint: t.nameHint, required: true, maxlength: 100 })}
${textField(visit, { name: "description", label: t.description, maxlength: 2048 })}
${checkField(visit, { name: "private", label: t.private })}
${checkField(visit, { name: "template", label: t.template })}
${checkField(visit, { name: "auto_init", label: t.init })}
${textField(visit, { name: "default_branch", label: t.branch, value: "main" })}
${selectField(visit, { name: "gitignores", label: t.gitignore, options: options(gitignores, t.none) })}
${selectField(visit, { name: "license", label: t.license, options: options(licenses, t.none) })}
${selectField(visit, { name: "issue_labels", label: t.labels, options: options(labels, t.none) })}
<button class="button primary">${t.create}</button>`
      )}</div>`
    }
  },
  submit: async (visit) => {
    const { forge, form, texts, viewer } = visit
    const name = typed(form, "name").trim()
    if (name === "") return { problems: { name: texts.forms.required } }
    const owner = typed(form, "owner")
    const body = bodyOf(visit, name)
    const response =
      owner === "" || owner.toLowerCase() === viewer?.login.toLowerCase()
        ? await forge.account.repository.create({ body }).result()
        : await forge.organization.repository.create({ params: { org: owner }, body }).result()
    if (!response.ok) return rejectedAt(response.error, { "": "name" })
    return { to: repositoryPath({ owner: response.value.owner.login, name: response.value.name }) }
  }
})
