import { formTo, problemSummary } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/rejected.ts"
import { html } from "../../html/Html.ts"
import { requireAllowed } from "../../page/decisions.ts"
import { typed } from "../../page/FormState.ts"
import { page } from "../../page/Page.ts"
import { hookFieldNames, hookFields, hookIn } from "../settings/hookFields.ts"
import { adminView } from "./adminFrame.ts"

/** `/admin/hooks/new`: creates a webhook for all repositories of the site. */
export const newAdminHookPage = page({
  path: "/admin/hooks/new",
  operations: ["admin.hook.create", "access.check"],
  signIn: true,
  load: (visit) => requireAllowed(visit, ["admin.hook.create", "site"]),
  view: (_, visit) => {
    const { settings: t } = visit.texts
    return adminView(
      visit,
      "hooks",
      html`<div class="medium">${problemSummary(visit)}${formTo(visit, visit.url.pathname, html`${hookFields(visit)}<button class="button primary">${t.createHook}</button>`)}</div>`,
      t.newHook
    )
  },
  submit: async (visit) => {
    if (typed(visit.form, "url").trim() === "") return { problems: { url: visit.texts.forms.required } }
    const made = await visit.forge.admin.hook.create({ body: hookIn(visit) }).result()
    return made.ok ? { to: "/admin/hooks" } : rejectedAt(made.error, hookFieldNames)
  }
})
