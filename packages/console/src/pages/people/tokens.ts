import {
  actionButton,
  card,
  copyField,
  empty,
  formSection,
  type Html,
  html,
  otherProblems,
  selectField,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { peopleFrame, tabQuestions } from "./peopleFrame.ts"

const abilities = ["read", "read:sensitive", "write", "deploy", "root"] as const

/** Shows the plain text of a new token, once. */
const newToken = (visit: ConsoleVisit): Html | false => {
  const { outcome } = visit.form
  const { people: t } = visit.texts
  return (
    typeof outcome === "string" &&
    html`<div class="alert info" role="status"><p>${t.shownOnce}</p>${copyField(visit, t.newToken, outcome)}</div>`
  )
}

/** `/tokens`: the tokens of the viewer's account. */
export const tokensPage = page({
  path: "/tokens",
  operations: ["accounts.tokens", "accounts.createToken", "accounts.revokeToken", "people.check"],
  load: async (visit) => {
    const [tokens, may] = await Promise.all([visit.deploy.accounts.tokens(), decisionsOn(visit, tabQuestions)])
    return { tokens, may }
  },
  view: ({ may, tokens }, visit) => {
    const { people: t, words } = visit.texts
    return {
      title: t.tokens,
      frame: peopleFrame(visit, "tokens", may),
      body: html`${otherProblems(visit, ["create"])}${newToken(visit)}
${card(t.tokens, tokens.length === 0 ? empty(t.noTokens) : html`<ul class="rows">${tokens.map(({ abilities: of, expires_at: end, name, uuid }) => html`<li><div class="grow"><h3>${name}</h3><div class="small soft">${of.join(", ")}${end !== null && html` · ${t.expires} ${time(visit, end)}`}</div></div>${actionButton(visit, { do: "revoke", token: uuid }, t.revoke, { about: name })}</li>`)}</ul>`)}
${formSection(visit, {
  key: "create",
  title: t.createToken,
  hint: t.tokenHint,
  fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true })}
${selectField(own, { name: "abilities", label: t.ability, options: abilities.map((each) => ({ value: each, label: each })) })}
${textField(own, { name: "expires_at", label: t.expiry, type: "date" })}`,
  button: t.createToken
})}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const { accounts } = visit.deploy
    try {
      if (typed(form, "do") === "revoke") {
        await accounts.revokeToken({ params: { token_uuid: typed(form, "token") } })
        return { to: "/tokens" }
      }
      const ability = abilities.find((each) => each === typed(form, "abilities"))
      const end = typed(form, "expires_at")
      const { token } = await accounts.createToken({
        body: {
          name: typed(form, "name"),
          abilities: ability === undefined ? [] : [ability],
          ...(end === "" ? {} : { expires_at: `${end}T00:00:00Z` })
        }
      })
      return { outcome: token }
    } catch (error) {
      return rejectedForm(error, ["name", "abilities", "expires_at"])
    }
  }
})
