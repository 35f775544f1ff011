import { formTo, problemSummary, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { html } from "../../html/Html.ts"
import { pathOf } from "../../layout/urls.ts"
import { requireAllowed } from "../../page/decisions.ts"
import { typed } from "../../page/FormState.ts"
import { page } from "../../page/Page.ts"
import { profileFields, profileIn } from "./profileFields.ts"

/** `/org/create`: creates an organization. The viewer becomes its owner. */
export const newOrganizationPage = page({
  path: "/org/create",
  operations: ["organization.create", "access.check"],
  signIn: true,
  load: (visit) => requireAllowed(visit, ["organization.create", "site"]),
  view: (_, visit) => {
    const { organizations: t } = visit.texts
    return {
      title: t.newTitle,
      body: html`<div class="medium"><div class="title"><h1>${t.newTitle}</h1></div>${problemSummary(visit)}${formTo(
        visit,
        "/org/create",
        html`${textField(visit, { name: "username", label: t.name, hint: t.nameHint, required: true, maxlength: 40 })}
${profileFields(visit)}
<button class="button primary">${t.create}</button>`
      )}</div>`
    }
  },
  submit: async (visit) => {
    const username = typed(visit.form, "username").trim()
    if (username === "") return { problems: { username: visit.texts.forms.required } }
    const response = await visit.forge.organization.create({ body: { username, ...profileIn(visit) } }).result()
    return response.ok ? { to: pathOf(response.value.username) } : rejectedAt(response.error, { name: "username" })
  }
})
