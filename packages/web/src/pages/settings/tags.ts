import type { TagProtection } from "@slipway/client/forge"
import { textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { loadSettings, settingsOperations, settingsPath, settingsView } from "./settings.ts"

const namesIn = ({ form }: Visit, field: string): ReadonlyArray<string> =>
  typed(form, field)
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")

const fields = (visit: Visit, rule?: TagProtection): Html => {
  const { settings: t } = visit.texts
  const id = rule === undefined ? nothing : html`<input type="hidden" name="id" value="${rule.id}">`
  return html`${id}${textField(visit, { name: "name_pattern", label: t.tagPattern, hint: t.tagPatternHint, value: rule?.name_pattern ?? "", required: true })}
${textField(visit, { name: "whitelist_usernames", label: t.tagUsers, hint: t.listHint, value: rule?.whitelist_usernames.join(", ") ?? "", maxlength: 4096 })}
${textField(visit, { name: "whitelist_teams", label: t.tagTeams, hint: t.listHint, value: rule?.whitelist_teams.join(", ") ?? "", maxlength: 4096 })}`
}

const row = (visit: Visit, rule: TagProtection): Html => {
  const { forms, settings: t } = visit.texts
  const { id, name_pattern: pattern, whitelist_teams: teams, whitelist_usernames: users } = rule
  const allowed = [...users, ...teams].join(", ")
  return html`<li><div class="grow"><h3><code>${pattern}</code></h3><div class="small soft">${allowed === "" ? t.tagNobody : t.tagAllowed(allowed)}</div></div><span class="row"><a class="button" href="${settingsPath(visit, "tags")}?edit=${id}#edit">${t.edit}<span class="hidden-text"> ${pattern}</span></a>${actionButton(visit, { do: "delete", id: String(id) }, forms.delete, { className: "button danger", about: pattern })}</span></li>`
}

/** Returns the rule that the address or the sent form names. */
const editedIn = ({ form, query }: Visit, rules: ReadonlyArray<TagProtection>): TagProtection | undefined => {
  const id = typed(form, "do") === "edit" ? typed(form, "id") : query.get("edit")
  return rules.find((rule) => String(rule.id) === id)
}

/** `/{owner}/{repo}/settings/tags`: the protections of tags. `?edit={id}` adds the form that changes one. */
export const tagSettingsPage = page({
  path: "/:owner/:repo/settings/tags",
  operations: [
    ...settingsOperations,
    "repository.tagProtection.list",
    "repository.tagProtection.create",
    "repository.tagProtection.edit",
    "repository.tagProtection.delete"
  ],
  signIn: true,
  load: async (visit) => ({
    repository: await loadSettings(visit),
    rules: await visit.forge.repository.tagProtection.list({ params: namedIn(visit) })
  }),
  view: ({ repository, rules }, visit) => {
    const { forms, settings: t } = visit.texts
    const edited = editedIn(visit, rules)
    const list =
      rules.length === 0 ? empty(t.noTagRules) : html`<ul class="rows">${rules.map((rule) => row(visit, rule))}</ul>`
    const editForm =
      edited === undefined
        ? nothing
        : formSection(visit, {
            key: "edit",
            title: t.editRule(edited.name_pattern),
            fields: (own) => fields(own, edited),
            button: forms.save
          })
    const body = html`${otherProblems(visit, ["add", "edit"])}${card(t.tagRules, list)}${editForm}${formSection(visit, {
      key: "add",
      title: t.protectTags,
      hint: t.protectTagsHint,
      fields,
      button: t.createRule
    })}`
    return settingsView(visit, repository, "tags", t.tags, body)
  },
  submit: async (visit): Promise<Submitted> => {
    const { form, forge, texts, url } = visit
    const { tagProtection } = forge.repository
    const does = typed(form, "do")
    const params = { ...namedIn(visit), id: Number(typed(form, "id")) }
    if (does === "delete") {
      await tagProtection.delete({ params })
      return { to: url.pathname }
    }
    if (does !== "add" && does !== "edit") throw new NotFound()
    const pattern = typed(form, "name_pattern").trim()
    if (pattern === "") return { problems: { name_pattern: texts.forms.required } }
    const body = {
      name_pattern: pattern,
      whitelist_usernames: namesIn(visit, "whitelist_usernames"),
      whitelist_teams: namesIn(visit, "whitelist_teams")
    }
    const sent =
      does === "add"
        ? await tagProtection.create({ params: namedIn(visit), body }).result()
        : await tagProtection.edit({ params, body }).result()
    return sent.ok ? { to: url.pathname } : rejectedAt(sent.error, { "": "name_pattern" })
  }
})
