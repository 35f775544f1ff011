import { ServiceError } from "@slipway/client/forge"
import { textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { html } from "../../html/Html.ts"
import { avatar, card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { pathOf } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted } from "../../page/Page.ts"
import { accountView } from "./frame.ts"

const here = "/user/settings/blocked_users"

/** `/user/settings/blocked_users`: the users that the signed-in user has blocked. */
export const blockedUsersPage = page({
  path: here,
  operations: ["account.block.list", "account.block.add", "account.block.remove"],
  signIn: true,
  load: async (visit) =>
    await visit.forge.account.block.list({ query: { page: pageNumber(visit), limit: rowsPerPage } }),
  view: (users, visit) => {
    const { account: t } = visit.texts
    const rows = users.map(
      ({ avatar_url, login }) =>
        html`<li>${avatar(avatar_url, "big")}<div class="grow"><h3><a href="${pathOf(login)}">${login}</a></h3></div>${actionButton(visit, { do: "remove", name: login }, t.unblock, { about: login })}</li>`
    )
    const list = rows.length === 0 ? empty(t.noBlocked) : html`<ul class="rows">${rows}</ul>`
    return accountView(
      visit,
      "blocked_users",
      html`${otherProblems(visit, ["add"])}${card(t.blocked_users, list)}${pagination(visit, rows.length === rowsPerPage)}${formSection(
        visit,
        {
          key: "add",
          title: t.block,
          hint: t.blockHint,
          fields: (own) => textField(own, { name: "name", label: t.blockedName, required: true }),
          button: t.block
        }
      )}`
    )
  },
  submit: async ({ form, forge, texts }): Promise<Submitted> => {
    const username = typed(form, "name").trim()
    const does = typed(form, "do")
    if (does !== "add" && does !== "remove") throw new NotFound()
    if (username === "") return { problems: { name: texts.forms.required } }
    const { block } = forge.account
    if (does === "remove") {
      await block.remove({ params: { username } })
      return { to: here }
    }
    const added = await block.add({ params: { username } }).result()
    if (added.ok) return { to: here }
    return added.error instanceof ServiceError && added.error.status === 404
      ? { problems: { name: texts.errors.noSuchName }, status: 422 }
      : rejectedAt(added.error, { username: "name", "": "name" })
  }
})
