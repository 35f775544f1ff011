import type { User } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { checkField, formTo, problemSummary, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { formSection, otherProblems, typedNameProblem } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { avatar, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { pathOf } from "../../layout/urls.ts"
import { requireAllowed } from "../../page/decisions.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { adminView } from "./adminFrame.ts"

const here = "/admin/users"
const userPath = (name: string): string => `${here}${pathOf(name)}`

const badges = ({ texts: { admin: t } }: Visit, user: User): Html =>
  html`${user.is_admin && html`<span class="badge info">${t.isAdmin}</span>`}${!user.active && html`<span class="badge warn">${t.inactive}</span>`}${user.restricted && html`<span class="badge">${t.restricted}</span>`}${user.prohibit_login && html`<span class="badge bad">${t.prohibited}</span>`}`

const row = (visit: Visit, user: User): Html =>
  html`<li>${avatar(user.avatar_url, "big")}<div class="grow"><div class="row"><h3><a href="${userPath(user.login)}">${user.login}</a></h3>${user.full_name !== "" && html`<span class="soft">${user.full_name}</span>`}${badges(visit, user)}</div><div class="small soft">${user.email}</div></div></li>`

/** `/admin/users`: all accounts, with a search by name or email address. */
export const adminUsersPage = page({
  path: "/admin/users",
  operations: ["admin.user.list"],
  signIn: true,
  load: async (visit) => {
    const q = visit.query.get("q")?.trim().slice(0, 255) ?? ""
    const query = { ...(q === "" ? {} : { q }), page: pageNumber(visit), limit: rowsPerPage }
    return await visit.forge.admin.user.list({ query })
  },
  view: (users, visit) => {
    const { admin: t, issues, start } = visit.texts
    return adminView(
      visit,
      "users",
      html`<div class="title"><form class="filters" role="search" aria-label="${t.searchUsers}" action="${here}"><input type="search" name="q" aria-label="${t.searchUsers}" placeholder="${t.searchUsers}" value="${visit.query.get("q") ?? ""}" maxlength="255"><button class="button">${icon("search")}${issues.filter}</button></form><span class="push">${linkButton(`${here}/new`, t.newUser, "plus", "primary")}</span></div>
<section class="card" aria-label="${t.tabs.users}">${users.length === 0 ? empty(start.noneFound) : html`<ul class="rows">${users.map((user) => row(visit, user))}</ul>`}</section>${pagination(visit, users.length === rowsPerPage)}`
    )
  }
})

/** `/admin/users/new`: creates an account. */
export const newUserPage = page({
  path: "/admin/users/new",
  operations: ["admin.user.create", "access.check"],
  signIn: true,
  load: (visit) => requireAllowed(visit, ["admin.user.create", "site"]),
  view: (_, visit) => {
    const { admin: t, session } = visit.texts
    return adminView(
      visit,
      "users",
      html`<div class="medium">${problemSummary(visit)}${formTo(
        visit,
        `${here}/new`,
        html`${textField(visit, { name: "username", label: session.username, required: true, maxlength: 40 })}
${textField(visit, { name: "email", label: session.email, type: "email", required: true, maxlength: 254 })}
${textField(visit, { name: "password", label: session.newPassword, type: "password", required: true, autocomplete: "new-password", maxlength: 256 })}
${checkField(visit, { name: "must_change", label: t.mustChange, checked: true })}
<button class="button primary">${t.createUser}</button>`
      )}</div>`,
      t.newUser
    )
  },
  submit: async ({ form, forge, texts }): Promise<Submitted> => {
    const username = typed(form, "username").trim()
    const email = typed(form, "email").trim()
    const password = typed(form, "password")
    const account = { username, email, password }
    const missing = Object.entries(account).filter(([, value]) => value === "")
    if (missing.length > 0)
      return { problems: Object.fromEntries(missing.map(([name]) => [name, texts.forms.required])) }
    const body = { ...account, must_change_password: typed(form, "must_change") === "on" }
    const response = await forge.admin.user.create({ body }).result()
    return response.ok ? { to: userPath(response.value.login) } : rejectedAt(response.error)
  }
})

const nameIn = ({ params }: Visit): string => params.name ?? ""

const sections = (visit: Visit, user: User): Html => {
  const { admin: t, forms, session } = visit.texts
  return html`${formSection(visit, {
    key: "account",
    title: t.account,
    fields: (own) =>
      html`${checkField(own, { name: "active", label: t.active, checked: user.active })}${checkField(own, { name: "admin", label: t.admin, checked: user.is_admin })}${checkField(own, { name: "restricted", label: t.restrictedLong, checked: user.restricted })}${checkField(own, { name: "prohibit_login", label: t.prohibitedLong, checked: user.prohibit_login })}`,
    button: forms.save
  })}${formSection(visit, {
    key: "password",
    title: t.setPassword,
    hint: t.setPasswordHint,
    fields: (own) =>
      html`${textField(own, { name: "password", label: session.newPassword, type: "password", required: true, autocomplete: "new-password", maxlength: 256 })}${checkField(own, { name: "must_change", label: t.mustChange, checked: true })}`,
    button: session.setPassword
  })}${formSection(visit, {
    key: "factor",
    title: t.secondFactor,
    hint: t.secondFactorHint,
    danger: true,
    fields: () => html``,
    button: t.disableFactor
  })}${formSection(visit, {
    key: "delete",
    title: t.deleteUser,
    hint: t.deleteUserHint,
    danger: true,
    fields: (own) =>
      html`${textField(own, { name: "confirm", label: `${t.typeUser}: ${user.login}`, required: true })}${checkField(own, { name: "purge", label: t.purge })}`,
    button: t.deleteUser
  })}`
}

const edits = {
  account: async (visit: Visit): Promise<Submitted> => {
    const isOn = (name: string): boolean => typed(visit.form, name) === "on"
    const body = {
      active: isOn("active"),
      admin: isOn("admin"),
      restricted: isOn("restricted"),
      prohibit_login: isOn("prohibit_login")
    }
    const edited = await visit.forge.admin.user.edit({ params: { username: nameIn(visit) }, body }).result()
    return edited.ok ? { to: userPath(nameIn(visit)) } : rejectedAt(edited.error, { username: "active" })
  },
  password: async (visit: Visit): Promise<Submitted> => {
    const password = typed(visit.form, "password")
    if (password === "") return { problems: { password: visit.texts.forms.required } }
    const body = { password, must_change_password: typed(visit.form, "must_change") === "on", end_tokens: true }
    const edited = await visit.forge.admin.user.edit({ params: { username: nameIn(visit) }, body }).result()
    return edited.ok ? { to: userPath(nameIn(visit)) } : rejectedAt(edited.error)
  },
  factor: async (visit: Visit): Promise<Submitted> => {
    const disabled = await visit.forge.admin.user.secondFactor.delete({ params: { username: nameIn(visit) } }).result()
    return disabled.ok ? { to: userPath(nameIn(visit)) } : rejectedAt(disabled.error)
  },
  delete: async (visit: Visit): Promise<Submitted> => {
    const problem = typedNameProblem(visit, "confirm", nameIn(visit))
    if (problem !== undefined) return { problems: { confirm: problem } }
    const query = typed(visit.form, "purge") === "on" ? ({ purge: "true" } as const) : {}
    const removed = await visit.forge.admin.user.delete({ params: { username: nameIn(visit) }, query }).result()
    return removed.ok ? { to: here } : rejectedAt(removed.error, { username: "confirm" })
  }
} as const

/** `/admin/users/{name}`: changes or deletes an account. */
export const adminUserPage = page({
  path: "/admin/users/:name",
  operations: ["access.check", "user.read", "admin.user.edit", "admin.user.secondFactor.delete", "admin.user.delete"],
  signIn: true,
  load: async (visit) => {
    await requireAllowed(visit, ["admin.user.edit", "site"])
    return await visit.forge.user.read({ params: { username: nameIn(visit) } })
  },
  view: (user, visit) =>
    adminView(
      visit,
      "users",
      html`<p class="row"><a href="${pathOf(user.login)}">${user.login}</a>${badges(visit, user)}<span class="soft">${user.email}</span></p>${otherProblems(visit, Object.keys(edits))}<div class="medium">${sections(visit, user)}</div>`,
      user.login
    ),
  submit: (visit) => {
    const key = typed(visit.form, "do")
    if (!Object.hasOwn(edits, key)) return Promise.reject(new NotFound())
    // BOUNDARY: the key is one of the table, as checked.
    return edits[key as keyof typeof edits](visit)
  }
})
