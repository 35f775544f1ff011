import { buttonTo } from "../../forms/fields.ts"
import { html } from "../../html/Html.ts"
import { page } from "../../page/Page.ts"

/** `/user/logout`: ends the session. A link to this page only shows the sign-out button. */
export const signOutPage = page({
  path: "/user/logout",
  operations: ["account.session.list", "account.session.delete"],
  signIn: true,
  load: () => Promise.resolve(undefined),
  view: (_, visit) => ({
    title: visit.texts.layout.signOut,
    body: html`<div class="narrow"><div class="title"><h1>${visit.texts.layout.signOut}</h1></div>${buttonTo(visit, "/user/logout", visit.texts.layout.signOut, "button primary")}</div>`
  }),
  submit: async ({ forge: { account } }) => {
    for await (const session of account.session.list()) {
      if (!session.current) continue
      await account.session.delete({ params: { id: session.id } })
      break
    }
    return { to: "/" }
  }
})
