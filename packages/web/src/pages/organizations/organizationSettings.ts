import type { Organization } from "@slipway/client/forge"
import { textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { formSection, otherProblems, typedNameProblem } from "../../forms/sections.ts"
import { html } from "../../html/Html.ts"
import { ownerFrame } from "../../layout/frames.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { asPreview, previewButtons, previewCard, previewOf, wantsPreview } from "../access/accessChanges.ts"
import { organizationOperations, orgIn, orgPath, settingsTabs } from "./organization.ts"
import { loadOrganizationSettings } from "./organizationSettingsFrame.ts"
import { profileFields, profileIn } from "./profileFields.ts"

const edit = async (visit: Visit): Promise<Submitted> => {
  const sent = { params: orgIn(visit), body: profileIn(visit) }
  const query = wantsPreview(visit) ? { query: asPreview } : {}
  const edited = await visit.forge.organization.edit({ ...sent, ...query }).result()
  if (!edited.ok) return rejectedAt(edited.error, { repo_admin_change_team_access: "admins_change_teams" })
  return wantsPreview(visit) ? { outcome: previewOf(edited.value) } : { to: visit.url.pathname }
}

const rename = async (visit: Visit): Promise<Submitted> => {
  const name = typed(visit.form, "new_name").trim()
  if (name === "") return { problems: { new_name: visit.texts.forms.required } }
  const problem = typedNameProblem(visit, "confirm_rename", visit.params.org ?? "")
  if (problem !== undefined) return { problems: { confirm_rename: problem } }
  const renamed = await visit.forge.organization.rename({ params: orgIn(visit), body: { new_name: name } }).result()
  return renamed.ok ? { to: orgPath(name, "settings") } : rejectedAt(renamed.error, { "": "new_name" })
}

const remove = async (visit: Visit): Promise<Submitted> => {
  const problem = typedNameProblem(visit, "confirm_delete", visit.params.org ?? "")
  if (problem !== undefined) return { problems: { confirm_delete: problem } }
  const removed = await visit.forge.organization.delete({ params: orgIn(visit) }).result()
  return removed.ok ? { to: "/" } : rejectedAt(removed.error)
}

const forms = { profile: edit, rename, delete: remove } as const

const sections = (visit: Visit, organization: Organization) => {
  const { organizations: t } = visit.texts
  const typeName = `${t.typeName}: ${organization.username}`
  return html`${formSection(visit, {
    key: "profile",
    title: t.profile,
    fields: (own) => profileFields(own, organization),
    button: previewButtons(visit)
  })}${formSection(visit, {
    key: "rename",
    title: t.rename,
    hint: t.renameHint,
    danger: true,
    fields: (own) =>
      html`${textField(own, { name: "new_name", label: t.newName, required: true, maxlength: 40 })}${textField(own, { name: "confirm_rename", label: typeName, required: true })}`,
    button: t.rename
  })}${formSection(visit, {
    key: "delete",
    title: t.delete,
    hint: t.deleteHint,
    danger: true,
    fields: (own) => textField(own, { name: "confirm_delete", label: `${typeName} `, required: true }),
    button: t.delete
  })}`
}

/** `/org/{org}/settings`: changes the profile of an organization, renames it, or deletes it. */
export const organizationSettingsPage = page({
  path: "/org/:org/settings",
  operations: [...organizationOperations, "organization.edit", "organization.rename", "organization.delete"],
  signIn: true,
  load: loadOrganizationSettings,
  view: ({ offers, organization }, visit) => {
    const { organizations: t } = visit.texts
    return {
      title: `${t.orgSettings} · ${organization.username}`,
      frame: ownerFrame(organization, "settings", visit, offers),
      body: html`${settingsTabs(visit, organization.username, "profile")}${otherProblems(visit, Object.keys(forms))}${previewCard(visit)}<div class="medium">${sections(visit, organization)}</div>`
    }
  },
  submit: (visit) => {
    const key = typed(visit.form, "do")
    if (!Object.hasOwn(forms, key)) return Promise.reject(new NotFound())
    // BOUNDARY: the key is one of the table, as checked.
    return forms[key as keyof typeof forms](visit)
  }
})
