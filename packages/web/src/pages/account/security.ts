import type { AuthorizedApplication, OutsideIdentity, Session } from "@slipway/client/forge"
import { confirmationFields, confirmationIn, confirmationProblems } from "../../forms/confirmation.ts"
import { textField } from "../../forms/fields.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, copyField, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { accountView } from "./frame.ts"

const here = "/user/settings/security"

/** The secret of a second factor that the user has not confirmed yet. */
class Enrolled {
  readonly secret: string
  readonly address: string
  constructor(secret: string, address: string) {
    this.secret = secret
    this.address = address
  }
}

/** New recovery codes of a second factor. They are shown once. */
class Recovery {
  readonly codes: ReadonlyArray<string>
  constructor(codes: ReadonlyArray<string>) {
    this.codes = codes
  }
}

const enrol = async (visit: Visit): Promise<Submitted> => {
  const response = await visit.forge.account.secondFactor.enrol(undefined, confirmationIn(visit, "enrol")).result()
  if (!response.ok) return confirmationProblems(visit, "enrol", response.error)
  return { outcome: new Enrolled(response.value.secret, response.value.address) }
}

const confirm = async (visit: Visit): Promise<Submitted> => {
  const code = typed(visit.form, "new_code").trim()
  if (code === "") return { problems: { new_code: visit.texts.forms.required } }
  const confirmed = await visit.forge.account.secondFactor
    .confirm({ body: { code } }, confirmationIn(visit, "confirm"))
    .result()
  if (!confirmed.ok)
    return confirmationProblems(visit, "confirm", confirmed.error, { code: "new_code", "": "new_code" })
  return { outcome: new Recovery(confirmed.value.recovery_codes) }
}

const renew = async (visit: Visit): Promise<Submitted> => {
  const { recoveryCodes } = visit.forge.account.secondFactor
  const response = await recoveryCodes.create(undefined, confirmationIn(visit, "codes")).result()
  return response.ok
    ? { outcome: new Recovery(response.value.recovery_codes) }
    : confirmationProblems(visit, "codes", response.error)
}

const turnOff = async (visit: Visit): Promise<Submitted> => {
  const removed = await visit.forge.account.secondFactor.delete(undefined, confirmationIn(visit, "off")).result()
  return removed.ok ? { to: here } : confirmationProblems(visit, "off", removed.error)
}

const end = async ({ forge, form }: Visit): Promise<Submitted> => {
  await forge.account.session.delete({ params: { id: typed(form, "id") } })
  return { to: here }
}

const endAll = async ({ forge }: Visit): Promise<Submitted> => {
  await forge.account.session.deleteAll()
  return { to: "/user/login" }
}

const revoke = async ({ forge, form }: Visit): Promise<Submitted> => {
  await forge.account.grant.delete({ params: { id: typed(form, "id") } })
  return { to: here }
}

const forget = async ({ forge, form }: Visit): Promise<Submitted> => {
  await forge.account.identity.delete({ params: { id: typed(form, "id") } })
  return { to: here }
}

const forms = { enrol, confirm, codes: renew, off: turnOff, end, "end-all": endAll, revoke, forget } as const

const confirmSection = (visit: Visit): Html => {
  const { account: t } = visit.texts
  const { outcome } = visit.form
  const enrolled = outcome instanceof Enrolled ? outcome : undefined
  if (enrolled === undefined && typed(visit.form, "do") !== "confirm") return nothing
  return formSection(visit, {
    key: "confirm",
    title: t.confirmFactor,
    hint: t.confirmHint,
    fields: (own) =>
      html`${enrolled !== undefined && html`<p>${t.factorSecret}</p>${copyField(visit, t.factorSecret, enrolled.secret)}<p class="small"><a href="${enrolled.address.startsWith("otpauth://") ? enrolled.address : ""}">${t.factorAddress}</a></p>`}${textField(own, { name: "new_code", label: t.newCode, required: true, autocomplete: "one-time-code", maxlength: 64 })}${confirmationFields(own, "confirm")}`,
    button: t.confirmFactor
  })
}

const factor = (visit: Visit): Html => {
  const { account: t } = visit.texts
  const { outcome } = visit.form
  const simple = (key: "enrol" | "codes" | "off", title: string, danger = false) =>
    formSection(visit, { key, title, danger, fields: (own) => confirmationFields(own, key), button: title })
  if (outcome instanceof Recovery)
    return card(
      t.recoveryCodes,
      html`<div class="body"><p>${t.recoveryHint}</p><pre class="message" tabindex="0">${outcome.codes.join("\n")}</pre></div>`
    )
  const confirming = confirmSection(visit)
  if (confirming !== nothing) return confirming
  return html`<section class="card" aria-label="${t.factor}"><header><h2>${t.factor}</h2></header><div class="body"><p class="soft">${t.factorHint}</p></div></section>${simple("enrol", t.setUp)}${simple("codes", t.newCodes)}${simple("off", t.turnOff, true)}`
}

const sessionRow = (visit: Visit, session: Session): Html => {
  const { account: t } = visit.texts
  const { address, created_at: created, current, id, last_used_at: used, user_agent: agent } = session
  return html`<li><div class="grow"><h3>${agent === "" ? t.unknownAgent : agent}</h3><div class="small soft">${address} · ${t.created} ${time(visit, created)}${used !== null && html` · ${t.lastUsed} ${time(visit, used)}`}</div></div>${
    current
      ? html`<span class="badge ok">${t.thisSession}</span>`
      : actionButton(visit, { do: "end", id: String(id) }, t.endSession, { className: "button danger", about: agent })
  }</li>`
}

const grantRow = (visit: Visit, { id, name, scopes }: AuthorizedApplication): Html =>
  html`<li><div class="grow"><h3>${name}</h3><span class="small soft">${scopes.join(", ")}</span></div>${actionButton(visit, { do: "revoke", id: String(id) }, visit.texts.account.revoke, { className: "button danger", about: name })}</li>`

const identityRow = (visit: Visit, { created_at: created, id, issuer }: OutsideIdentity): Html =>
  html`<li><div class="grow"><h3>${issuer}</h3><span class="small soft">${time(visit, created)}</span></div>${actionButton(visit, { do: "forget", id: String(id) }, visit.texts.forms.remove, { className: "button danger", about: issuer })}</li>`

/** `/user/settings/security`: the second factor, sessions, authorized applications and external sign-in services. */
export const securitySettingsPage = page({
  path: "/user/settings/security",
  operations: [
    "account.secondFactor.enrol",
    "account.secondFactor.confirm",
    "account.secondFactor.delete",
    "account.secondFactor.recoveryCodes.create",
    "account.session.list",
    "account.session.delete",
    "account.session.deleteAll",
    "account.grant.list",
    "account.grant.delete",
    "account.identity.list",
    "account.identity.delete"
  ],
  signIn: true,
  load: async (visit) => {
    const { account } = visit.forge
    const [sessions, grants, identities] = await Promise.all([
      account.session.list({ query: { page: pageNumber(visit), limit: rowsPerPage } }),
      account.grant.list(),
      account.identity.list()
    ])
    return { sessions, grants, identities }
  },
  view: ({ grants, identities, sessions }, visit) => {
    const { account: t } = visit.texts
    const rows = (list: ReadonlyArray<Html>, none: string) =>
      list.length === 0 ? empty(none) : html`<ul class="rows">${list}</ul>`
    const ending = html`<h2>${t.sessions}</h2><span class="push">${actionButton(visit, { do: "end-all" }, t.endAll, { className: "button danger" })}</span>`
    return accountView(
      visit,
      "security",
      html`${otherProblems(visit, ["enrol", "confirm", "codes", "off"])}<p>${t.signedInAs(visit.viewer?.login ?? "")}</p>${factor(visit)}${card(
        ending,
        rows(
          sessions.map((each) => sessionRow(visit, each)),
          t.sessions
        ),
        t.sessions
      )}${pagination(visit, sessions.length === rowsPerPage)}${card(
        t.grants,
        rows(
          grants.map((each) => grantRow(visit, each)),
          t.noGrants
        )
      )}${card(
        t.identities,
        rows(
          identities.map((each) => identityRow(visit, each)),
          t.noIdentities
        )
      )}`
    )
  },
  submit: (visit) => {
    const key = typed(visit.form, "do")
    if (!Object.hasOwn(forms, key)) return Promise.reject(new NotFound())
    // BOUNDARY: the key is one of the table, as checked.
    return forms[key as keyof typeof forms](visit)
  }
})
