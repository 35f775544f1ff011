import type { AccessToken, CreateAccessTokenOption } from "@slipway/client/forge"
import { confirmationFields, confirmationIn, confirmationProblems } from "../../forms/confirmation.ts"
import { checkField, selectField, textField } from "../../forms/fields.ts"
import { formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, copyField, empty, linkButton } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { accountView } from "./frame.ts"

const here = "/user/settings/applications"

const categories = [
  "activitypub",
  "admin",
  "issue",
  "misc",
  "notification",
  "organization",
  "package",
  "repository",
  "user"
] as const

const levels = ["none", "read", "write"] as const

type Scope = NonNullable<CreateAccessTokenOption["scopes"]>[number]

/** A token that was just generated. */
class NewToken {
  readonly token: AccessToken
  constructor(token: AccessToken) {
    this.token = token
  }
}

/** The access tokens of a user, to show after the user has confirmed with the password. */
class TokenList {
  readonly tokens: ReadonlyArray<AccessToken>
  constructor(tokens: ReadonlyArray<AccessToken>) {
    this.tokens = tokens
  }
}

const newTokenFields = (visit: Visit): Html => {
  const { account: t } = visit.texts
  return html`${textField(visit, { name: "name", label: t.tokenName, required: true })}
<fieldset class="field group" id="field-scopes"><legend>${t.tokenScopes}</legend>${visit.form.problems.scopes !== undefined && html`<p class="error">${visit.form.problems.scopes}</p>`}<div class="scopes">${categories.map(
    (category) =>
      selectField(visit, {
        name: `scope-${category}`,
        label: t.scopes[category],
        value: "none",
        options: levels.map((value) => ({ value, label: t.scopeLevels[value] }))
      })
  )}</div></fieldset>
${checkField(visit, { name: "public_only", label: t.publicOnly })}
${textField(visit, { name: "expires", label: t.expiry, hint: t.expiryHint, type: "date" })}
${confirmationFields(visit, "generate", visit.texts.session.password)}`
}

const scopesIn = ({ form }: Visit): ReadonlyArray<Scope> => {
  const chosen = categories.flatMap((category): ReadonlyArray<Scope> => {
    const level = typed(form, `scope-${category}`)
    return level === "read" || level === "write" ? [`${level}:${category}`] : []
  })
  return chosen.length > 0 && typed(form, "public_only") === "on" ? [...chosen, "public-only"] : chosen
}

const generate = async (visit: Visit): Promise<Submitted> => {
  const { forge, form, now, texts, viewer } = visit
  const name = typed(form, "name").trim()
  const scopes = scopesIn(visit)
  const date = typed(form, "expires").trim()
  const expires = date === "" ? undefined : `${date}T23:59:59Z`
  const isExpiry = expires === undefined || (/^\d{4}-\d\d-\d\d$/.test(date) && Date.parse(expires) > now.getTime())
  const problems = {
    ...(name === "" ? { name: texts.forms.required } : {}),
    ...(scopes.length === 0 ? { scopes: texts.account.noScope } : {}),
    ...(isExpiry ? {} : { expires: texts.account.expiryWrong })
  }
  if (Object.keys(problems).length > 0) return { problems }
  const body = { name, scopes, ...(expires === undefined ? {} : { expires_at: expires }) }
  const sent = { params: { username: viewer?.login ?? "" }, body }
  const response = await forge.user.token.create(sent, confirmationIn(visit, "generate")).result()
  if (response.ok) return { outcome: new NewToken(response.value) }
  return confirmationProblems(visit, "generate", response.error, { expires_at: "expires", "": "name" })
}

const show = async (visit: Visit): Promise<Submitted> => {
  const sent = { params: { username: visit.viewer?.login ?? "" }, query: { limit: 50 } }
  const found = await visit.forge.user.token.list(sent, confirmationIn(visit, "show")).result()
  return found.ok ? { outcome: new TokenList(found.value) } : confirmationProblems(visit, "show", found.error)
}

const remove = async (visit: Visit): Promise<Submitted> => {
  const id = typed(visit.form, "token")
  if (id === "") return { problems: { "": visit.texts.account.chooseToken } }
  const sent = { params: { username: visit.viewer?.login ?? "", id } }
  const removed = await visit.forge.user.token.delete(sent, confirmationIn(visit, "delete")).result()
  return removed.ok ? { to: `${here}?tokens=yes` } : confirmationProblems(visit, "delete", removed.error)
}

const newToken = (visit: Visit): Html => {
  const { outcome } = visit.form
  if (!(outcome instanceof NewToken)) return nothing
  const { account: t } = visit.texts
  return html`<section class="card" aria-label="${t.generated}" tabindex="-1" data-focus><header><h2>${t.generated}: ${outcome.token.name}</h2></header><div class="body"><p>${t.generatedHint}</p>${copyField(visit, t.generated, outcome.token.sha1)}</div></section>`
}

const tokenRow = (visit: Visit, token: AccessToken): Html => {
  const { account: t } = visit.texts
  const {
    created_at: created,
    expires_at: expires,
    id,
    last_used_at: used,
    name,
    scopes,
    token_last_eight: last
  } = token
  return html`<div class="field check"><input type="radio" name="token" id="token-${id}" value="${id}"><label for="token-${id}"><b>${name}</b> <code>…${last}</code> <span class="small soft">${scopes.join(", ")} · ${t.created} ${time(visit, created)} · ${t.lastUsed} ${used === undefined ? t.never : time(visit, used)} · ${t.expires} ${expires === undefined ? t.never : time(visit, expires)}</span></label></div>`
}

const tokens = (visit: Visit): Html => {
  const { account: t } = visit.texts
  const { outcome } = visit.form
  if (!(outcome instanceof TokenList)) {
    const fields = (own: Visit) => confirmationFields(own, "show")
    return formSection(visit, { key: "show", title: t.tokens, hint: t.tokensHint, fields, button: t.showTokens })
  }
  if (outcome.tokens.length === 0) return card(t.tokens, empty(t.noTokens))
  return formSection(visit, {
    key: "delete",
    title: t.tokens,
    danger: true,
    fields: (own) =>
      html`<fieldset class="field group"><legend>${t.tokenDeleted}</legend>${outcome.tokens.map((token) => tokenRow(visit, token))}</fieldset>${confirmationFields(own, "delete")}`,
    button: t.deleteToken
  })
}

/** Returns whether the page shows the list of tokens. Otherwise, it shows the form that generates a token. */
const showsTokens = ({ form, query }: Visit): boolean =>
  query.has("tokens") || ["show", "delete"].includes(typed(form, "do"))

const forms = { generate, show, delete: remove } as const

/** `/user/settings/applications`: access tokens with their permissions and expiry. */
export const applicationSettingsPage = page({
  path: "/user/settings/applications",
  operations: ["user.token.list", "user.token.create", "user.token.delete"],
  signIn: true,
  load: () => Promise.resolve(undefined),
  view: (_, visit) => {
    const { account: t } = visit.texts
    const body = showsTokens(visit)
      ? html`<p>${linkButton(here, t.newToken, "plus")}</p>${tokens(visit)}`
      : html`<p>${linkButton(`${here}?tokens=yes`, t.showTokens, "key")} ${linkButton(`${here}/oauth2`, t.oauth2, "globe")}</p>${newToken(visit)}${formSection(
          visit,
          {
            key: "generate",
            title: t.newToken,
            hint: t.tokenHint,
            fields: newTokenFields,
            button: t.generate
          }
        )}`
    return accountView(visit, "applications", html`${otherProblems(visit, ["generate", "show"])}${body}`)
  },
  submit: (visit) => {
    const key = typed(visit.form, "do")
    if (!Object.hasOwn(forms, key)) return Promise.reject(new NotFound())
    // BOUNDARY: the key is one of the table, as checked.
    return forms[key as keyof typeof forms](visit)
  }
})
