import type { EditRepoOption, Repository } from "@slipway/client/forge"
import { checkField, checkGroup, selectField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { formSection, otherProblems, typedNameProblem } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { asPreview, previewButtons, previewCard, previewOf, wantsPreview } from "../access/accessChanges.ts"
import { namedIn } from "../code/revision.ts"
import { loadSettings, type SettingsOf, settingsOperations, settingsView } from "./settings.ts"

const units = [
  "has_code",
  "has_issues",
  "has_pull_requests",
  "has_releases",
  "has_wiki",
  "has_projects",
  "has_packages",
  "has_actions"
] as const

const styles = [
  ["allow_merge_commits", "merge"],
  ["allow_rebase", "rebase"],
  ["allow_rebase_explicit", "rebase-merge"],
  ["allow_squash_merge", "squash"],
  ["allow_fast_forward_only_merge", "fast-forward-only"]
] as const

const asked = { transfer: "repository.transfer", delete: "repository.delete" } as const

const generalFields = (visit: Visit, repository: Repository): Html => {
  const { settings: t } = visit.texts
  return html`${textField(visit, { name: "name", label: t.name, hint: t.nameHint, value: repository.name, required: true, maxlength: 100 })}
${textField(visit, { name: "description", label: t.description, value: repository.description, maxlength: 2048 })}
${textField(visit, { name: "website", label: t.website, type: "url", value: repository.website, maxlength: 1024 })}
${textField(visit, { name: "default_branch", label: t.branch, value: repository.default_branch })}
${checkField(visit, { name: "private", label: t.private, checked: repository.private })}
${checkField(visit, { name: "template", label: t.template, checked: repository.template })}
${checkGroup(visit, {
  name: "units",
  label: t.units,
  hint: t.unitsHint,
  chosen: units.filter((unit) => repository[unit]),
  options: units.map((value) => ({ value, label: t.unitNames[value] }))
})}`
}

const mergeFields = (visit: Visit, repository: Repository): Html => {
  const { settings: t } = visit.texts
  return html`${checkGroup(visit, {
    name: "styles",
    label: t.allowedStyles,
    chosen: styles.map(([flag]) => flag).filter((flag) => repository[flag]),
    options: styles.map(([value]) => ({ value, label: t.mergeStyles[value] }))
  })}
${selectField(visit, {
  name: "default_merge_style",
  label: t.defaultStyle,
  value: repository.default_merge_style,
  options: styles.map(([flag, value]) => ({ value, label: t.mergeStyles[flag] }))
})}
${checkField(visit, { name: "delete_branch", label: t.deleteBranch, checked: repository.default_delete_branch_after_merge })}`
}

const confirmField = (visit: Visit, name: string, { full_name: full }: Repository): Html =>
  textField(visit, { name, label: visit.texts.settings.typeName(full), required: true })

const dangerSections = (visit: Visit, repository: SettingsOf<keyof typeof asked>): Html => {
  const { settings: t } = visit.texts
  const { may, repo_transfer: pending } = repository
  return html`${formSection(visit, {
    key: "archive",
    title: repository.archived ? t.unarchive : t.archive,
    hint: t.archiveHint,
    danger: !repository.archived,
    fields: () => html`<input type="hidden" name="archived" value="${repository.archived ? "no" : "yes"}">`,
    button: repository.archived ? t.unarchive : t.archive
  })}${
    may.transfer &&
    formSection(visit, {
      key: "transfer",
      title: t.transfer,
      hint: pending === null ? t.transferHint : t.transferPending(pending.recipient.login),
      danger: true,
      fields: (own) =>
        html`${textField(own, { name: "new_owner", label: t.newOwner, required: true, maxlength: 40 })}${confirmField(own, "confirm_transfer", repository)}`,
      button: t.transfer
    })
  }${
    may.delete &&
    formSection(visit, {
      key: "delete",
      title: t.delete,
      hint: t.deleteHint,
      danger: true,
      fields: (own) => confirmField(own, "confirm_delete", repository),
      button: t.delete
    })
  }`
}

const editWith = async (
  visit: Visit,
  body: EditRepoOption,
  names: Readonly<Record<string, string>>
): Promise<Submitted> => {
  const query = wantsPreview(visit) ? { query: asPreview } : {}
  const edited = await visit.forge.repository.edit({ params: namedIn(visit), body, ...query }).result()
  if (!edited.ok) return rejectedAt(edited.error, names)
  if (wantsPreview(visit)) return { outcome: previewOf(edited.value) }
  const { name, owner } = edited.value as Repository
  return { to: `${repositoryPath({ owner: owner.login, name })}/settings` }
}

const saveGeneral = (visit: Visit): Promise<Submitted> => {
  const { form, texts } = visit
  const name = typed(form, "name").trim()
  if (name === "") return Promise.resolve({ problems: { name: texts.forms.required } })
  const on = form.values.getAll("units")
  const allowed = form.values.getAll("styles")
  const style = styles.find(([, value]) => value === typed(form, "default_merge_style"))?.[1]
  const branch = typed(form, "default_branch").trim()
  const body: EditRepoOption = {
    name,
    description: typed(form, "description"),
    website: typed(form, "website").trim(),
    private: typed(form, "private") === "on",
    template: typed(form, "template") === "on",
    ...(branch === "" ? {} : { default_branch: branch }),
    ...Object.fromEntries(units.map((unit) => [unit, on.includes(unit)])),
    ...Object.fromEntries(styles.map(([flag]) => [flag, allowed.includes(flag)])),
    ...(style === undefined ? {} : { default_merge_style: style }),
    default_delete_branch_after_merge: typed(form, "delete_branch") === "on"
  }
  const names = [...units.map((unit) => [unit, "units"]), ...styles.map(([flag]) => [flag, "styles"])]
  return editWith(visit, body, Object.fromEntries(names))
}

const fullName = async (visit: Visit): Promise<string> =>
  (await visit.forge.repository.read({ params: namedIn(visit) })).full_name

const transfer = async (visit: Visit): Promise<Submitted> => {
  const owner = typed(visit.form, "new_owner").trim()
  if (owner === "") return { problems: { new_owner: visit.texts.forms.required } }
  const problem = typedNameProblem(visit, "confirm_transfer", await fullName(visit))
  if (problem !== undefined) return { problems: { confirm_transfer: problem } }
  const sent = await visit.forge.repository.transfer({ params: namedIn(visit), body: { new_owner: owner } }).result()
  if (!sent.ok) {
    // A hidden recipient has the same message as a missing one.
    if (sent.error.status === 404) return { problems: { new_owner: visit.texts.errors.noSuchName } }
    return rejectedAt(sent.error, { "": "new_owner" })
  }
  return { to: repositoryPath({ owner: sent.value.owner.login, name: sent.value.name }) }
}

const remove = async (visit: Visit): Promise<Submitted> => {
  const problem = typedNameProblem(visit, "confirm_delete", await fullName(visit))
  if (problem !== undefined) return { problems: { confirm_delete: problem } }
  await visit.forge.repository.delete({ params: namedIn(visit) })
  return { to: "/" }
}

const archive = (visit: Visit): Promise<Submitted> =>
  editWith(visit, { archived: typed(visit.form, "archived") === "yes" }, {})

const forms = { general: saveGeneral, archive, transfer, delete: remove } as const

/**
 * `/{owner}/{repo}/settings`: changes the name, visibility, units (parts such as issues) and merge settings of a
 * repository; also archives, transfers or deletes it.
 */
export const generalSettingsPage = page({
  path: "/:owner/:repo/settings",
  operations: [...settingsOperations, "repository.edit", "repository.transfer", "repository.delete"],
  signIn: true,
  load: (visit) => loadSettings(visit, asked),
  view: (repository, visit) => {
    const { settings: t } = visit.texts
    const body = html`${otherProblems(visit, Object.keys(forms))}${previewCard(visit)}<div class="medium">${formSection(
      visit,
      {
        key: "general",
        title: t.general,
        fields: (own) => html`${generalFields(own, repository)}<h3>${t.merging}</h3>${mergeFields(own, repository)}`,
        button: previewButtons(visit)
      }
    )}${dangerSections(visit, repository)}</div>`
    return settingsView(visit, repository, "general", t.settings, body)
  },
  submit: (visit) => {
    const key = typed(visit.form, "do")
    if (!Object.hasOwn(forms, key)) return Promise.reject(new NotFound())
    // BOUNDARY: the key is one of the table, as checked.
    return forms[key as keyof typeof forms](visit)
  }
})
