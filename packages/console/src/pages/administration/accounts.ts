import type { Account } from "@slipway/client/deploy"
import {
  card,
  checkField,
  formSection,
  type Html,
  html,
  otherProblems,
  pathOf,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { typedOrNull } from "../../page/secretFields.ts"
import { administrationFrame, administrationQuestions } from "./administrationFrame.ts"
import { pageQuery, storedPagination } from "./storedRows.ts"

const accountPath = (uuid: string): string => pathOf("accounts", uuid)

const badges = ({ texts }: ConsoleVisit, { is_disabled: isDisabled, is_root: isRoot }: Account): Html => {
  const { instance: t } = texts
  return html`${isRoot && html`<span class="badge info">${t.root}</span>`}${isDisabled && html`<span class="badge bad">${t.disabledAccount}</span>`}`
}

const lastSignIn = (visit: ConsoleVisit, { last_sign_in_at: at }: Account): Html => {
  const { instance: t } = visit.texts
  return at === null ? html`${t.neverSignedIn}` : html`${t.lastSignIn} ${time(visit, at)}`
}

const passwordField = (visit: ConsoleVisit, hint: string, required: boolean): Html =>
  textField(visit, {
    name: "password",
    label: visit.texts.instance.password,
    hint,
    type: "password",
    autocomplete: "new-password",
    required
  })

/** `/accounts`: the accounts of the instance, for owners of the root team. */
const accountsPage = page({
  path: "/accounts",
  operations: ["accounts.list", "accounts.create", "people.check"],
  load: async (visit) => {
    const [accounts, may] = await Promise.all([
      visit.deploy.accounts.list(pageQuery(visit)),
      decisionsOn(visit, { ...administrationQuestions, create: ["account.create"] })
    ])
    return { accounts, may }
  },
  view: ({ accounts, may }, visit) => {
    const { instance: t, words } = visit.texts
    return {
      title: t.accounts,
      frame: administrationFrame(visit, "accounts", may),
      body: html`${otherProblems(visit, ["create"])}
${card(t.accounts, html`<ul class="rows">${accounts.map((each) => html`<li><div class="grow"><h3><a href="${accountPath(each.uuid)}">${each.name}</a></h3><div class="small soft">${each.email ?? ""}</div></div>${badges(visit, each)}<span class="small soft">${lastSignIn(visit, each)}</span></li>`)}</ul>`)}${storedPagination(visit, accounts)}
${
  may.create &&
  formSection(visit, {
    key: "create",
    title: t.createAccount,
    fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true })}
${textField(own, { name: "email", label: t.email, type: "email" })}
${passwordField(own, t.newPasswordHint, false)}
${checkField(own, { name: "is_root", label: t.rootAccount, hint: t.rootHint })}`,
    button: t.createAccount
  })
}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const password = typed(form, "password")
    try {
      const { uuid } = await visit.deploy.accounts.create({
        body: {
          name: typed(form, "name").trim(),
          email: typedOrNull(visit, "email"),
          is_root: typed(form, "is_root") === "on",
          ...(password === "" ? {} : { password })
        }
      })
      return { to: accountPath(uuid) }
    } catch (error) {
      return rejectedForm(error, ["name", "email", "password"])
    }
  }
})

/** `/accounts/{uuid}`: disables an account, makes it a root account, and sets its password. */
const accountPage = page({
  path: "/accounts/:account",
  operations: ["accounts.get", "accounts.update", "people.check"],
  load: async (visit) => {
    const account = await visit.deploy.accounts.get({ params: { uuid: visit.params.account ?? "" } })
    const may = await decisionsOn(visit, { ...administrationQuestions, update: ["account.update"] })
    return { account, may }
  },
  view: ({ account, may }, visit) => {
    const { forms, instance: t, words } = visit.texts
    return {
      title: account.name,
      frame: administrationFrame(visit, "accounts", may),
      body: html`<div class="title"><h2>${account.name}</h2>${badges(visit, account)}</div>${otherProblems(visit, ["save", "password"])}
<p class="soft">${lastSignIn(visit, account)}</p>
${
  may.update &&
  html`${formSection(visit, {
    key: "save",
    title: words.settings,
    fields: (
      own
    ) => html`${textField(own, { name: "email", label: t.email, type: "email", value: account.email ?? "" })}
${checkField(own, { name: "is_root", label: t.rootAccount, hint: t.rootHint, checked: account.is_root })}
${checkField(own, { name: "is_disabled", label: t.disableAccount, hint: t.disableHint, checked: account.is_disabled })}`,
    button: forms.save
  })}
${formSection(visit, { key: "password", title: t.resetPassword, fields: (own) => passwordField(own, t.resetHint, true), button: t.resetPassword })}`
}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const params = { uuid: visit.params.account ?? "" }
    const isPassword = typed(form, "do") === "password"
    try {
      await visit.deploy.accounts.update({
        params,
        body: isPassword
          ? { password: typed(form, "password") }
          : {
              email: typedOrNull(visit, "email"),
              is_root: typed(form, "is_root") === "on",
              is_disabled: typed(form, "is_disabled") === "on"
            }
      })
      return { to: accountPath(params.uuid) }
    } catch (error) {
      return rejectedForm(error, ["email", "is_root", "is_disabled", "password"])
    }
  }
})

/** The pages of accounts. */
export const accountPages: ReadonlyArray<ConsolePage> = [accountsPage, accountPage]
