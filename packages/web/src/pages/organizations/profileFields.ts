import type { CreateOrgOption, Organization } from "@slipway/client/forge"
import { checkField, selectField, textField } from "../../forms/fields.ts"
import { type Html, html } from "../../html/Html.ts"
import { typed } from "../../page/FormState.ts"
import type { Visit } from "../../page/Page.ts"

const visibilities = ["public", "limited", "private"] as const

/** Renders the fields of the profile of an organization, with its current values. */
export const profileFields = (visit: Visit, organization?: Organization): Html => {
  const { organizations: t } = visit.texts
  return html`${textField(visit, { name: "full_name", label: t.fullName, value: organization?.full_name ?? "", maxlength: 100 })}
${textField(visit, { name: "description", label: t.description, value: organization?.description ?? "" })}
${textField(visit, { name: "email", label: t.email, type: "email", value: organization?.email ?? "" })}
${textField(visit, { name: "website", label: t.website, type: "url", value: organization?.website ?? "" })}
${textField(visit, { name: "location", label: t.location, value: organization?.location ?? "", maxlength: 50 })}
${selectField(visit, {
  name: "visibility",
  label: t.visibility,
  value: organization?.visibility ?? "public",
  options: visibilities.map((value) => ({ value, label: t.visibilities[value] }))
})}
${checkField(visit, { name: "admins_change_teams", label: t.adminsChangeTeams, checked: organization?.repo_admin_change_team_access ?? true })}`
}

/** Returns the typed profile in the format of the API. */
export const profileIn = ({ form }: Visit): Omit<CreateOrgOption, "username"> => {
  const visibility = visibilities.find((each) => each === typed(form, "visibility"))
  return {
    full_name: typed(form, "full_name").trim(),
    description: typed(form, "description").trim(),
    email: typed(form, "email").trim(),
    website: typed(form, "website").trim(),
    location: typed(form, "location").trim(),
    ...(visibility === undefined ? {} : { visibility }),
    repo_admin_change_team_access: typed(form, "admins_change_teams") === "on"
  }
}
