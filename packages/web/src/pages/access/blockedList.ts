import { ServiceError, type User } from "@slipway/client/forge"
import { textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { avatar, card, empty, pagination, rowsPerPage } from "../../layout/components.ts"
import { pathOf } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, type Submitted, type Visit } from "../../page/Page.ts"

/** The texts that differ between the blocks of a user and of an organization. */
export interface BlockTexts {
  readonly none: string
  readonly hint: string
}

/** Shows the blocked users of a user or an organization, and the form that blocks another user. */
export const blockedList = (visit: Visit, users: ReadonlyArray<User>, { hint, none }: BlockTexts): Html => {
  const { account: t } = visit.texts
  const rows = users.map(
    ({ avatar_url, login }) =>
      html`<li>${avatar(avatar_url, "big")}<div class="grow"><h3><a href="${pathOf(login)}">${login}</a></h3></div>${actionButton(visit, { do: "remove", name: login }, t.unblock, { about: login })}</li>`
  )
  const list = rows.length === 0 ? empty(none) : html`<ul class="rows">${rows}</ul>`
  return html`${otherProblems(visit, ["add"])}${card(t.blocked_users, list)}${pagination(visit, rows.length === rowsPerPage)}${formSection(
    visit,
    {
      key: "add",
      title: t.block,
      hint,
      fields: (own) => textField(own, { name: "name", label: t.blockedName, required: true }),
      button: t.block
    }
  )}`
}

/** How to block and unblock a user; `add` returns the error of a rejected block. */
export interface Blocking {
  readonly add: (username: string) => Promise<{ readonly ok: true } | { readonly ok: false; readonly error: unknown }>
  readonly remove: (username: string) => Promise<unknown>
}

/** Blocks or unblocks the user in the sent form. */
export const changeBlocks = async ({ form, texts, url }: Visit, { add, remove }: Blocking): Promise<Submitted> => {
  const username = typed(form, "name").trim()
  const does = typed(form, "do")
  if (does !== "add" && does !== "remove") throw new NotFound()
  if (username === "") return { problems: { name: texts.forms.required } }
  if (does === "remove") {
    await remove(username)
    return { to: url.pathname }
  }
  const added = await add(username)
  if (added.ok) return { to: url.pathname }
  return added.error instanceof ServiceError && added.error.status === 404
    ? { problems: { name: texts.errors.noSuchName }, status: 422 }
    : rejectedAt(added.error, { username: "name", "": "name" })
}
