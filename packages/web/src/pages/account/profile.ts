import { checkField, formTo, problemSummary, selectField, textArea, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { html } from "../../html/Html.ts"
import { card } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { page } from "../../page/Page.ts"
import { accountView } from "./frame.ts"

/** `/user/settings`: the public profile of the signed-in user. */
export const profileSettingsPage = page({
  path: "/user/settings",
  operations: ["account.settings.read", "account.settings.edit"],
  signIn: true,
  load: async (visit) => visit.forge.account.settings.read(),
  view: (settings, visit) => {
    const { account: t, forms } = visit.texts
    return accountView(
      visit,
      "profile",
      card(
        t.profile,
        html`<div class="body">${problemSummary(visit)}${formTo(
          visit,
          "/user/settings",
          html`${textField(visit, { name: "full_name", label: t.fullName, value: settings.full_name, maxlength: 100, autocomplete: "name" })}
${textArea(visit, { name: "description", label: t.description, value: settings.description, rows: 3, maxlength: 255 })}
${textField(visit, { name: "website", label: t.website, type: "url", value: settings.website, autocomplete: "url" })}
${textField(visit, { name: "location", label: t.location, value: settings.location, maxlength: 50 })}
${checkField(visit, { name: "hide_email", label: t.hideEmail, checked: settings.hide_email })}
${checkField(visit, { name: "hide_activity", label: t.hideActivity, checked: settings.hide_activity })}
<button class="button primary">${forms.save}</button>`
        )}</div>`
      )
    )
  },
  submit: async (visit) => {
    const { forge, form } = visit
    const body = {
      full_name: typed(form, "full_name").trim(),
      description: typed(form, "description").trim(),
      website: typed(form, "website").trim(),
      location: typed(form, "location").trim(),
      hide_email: typed(form, "hide_email") === "on",
      hide_activity: typed(form, "hide_activity") === "on"
    }
    const edited = await forge.account.settings.edit({ body }).result()
    return edited.ok ? { to: "/user/settings" } : rejectedAt(edited.error)
  }
})

const preferences = ["enabled", "onmention", "andyourown", "disabled"] as const

/** `/user/settings/notifications`: the notification emails that the signed-in user gets. */
export const notificationSettingsPage = page({
  path: "/user/settings/notifications",
  operations: ["account.settings.read", "account.settings.edit"],
  signIn: true,
  load: async (visit) => visit.forge.account.settings.read(),
  view: (settings, visit) => {
    const { account: t, forms } = visit.texts
    return accountView(
      visit,
      "notifications",
      card(
        t.notifications,
        html`<div class="body">${problemSummary(visit)}${formTo(
          visit,
          "/user/settings/notifications",
          html`${selectField(visit, {
            name: "mail",
            label: t.mailPreference,
            value: settings.email_notifications_preference,
            options: preferences.map((value) => ({ value, label: t.mailOptions[value] }))
          })}<button class="button primary">${forms.save}</button>`
        )}</div>`
      )
    )
  },
  submit: async (visit) => {
    const preference = preferences.find((each) => each === typed(visit.form, "mail"))
    if (preference === undefined) return { problems: { mail: visit.texts.forms.required } }
    await visit.forge.account.settings.edit({ body: { email_notifications_preference: preference } })
    return { to: "/user/settings/notifications" }
  }
})
