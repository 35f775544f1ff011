import { pageNumber, rowsPerPage } from "../../layout/components.ts"
import { page } from "../../page/Page.ts"
import { blockedList, changeBlocks } from "../access/blockedList.ts"
import { accountView } from "./frame.ts"

/** `/user/settings/blocked_users`: the users that the signed-in user has blocked. */
export const blockedUsersPage = page({
  path: "/user/settings/blocked_users",
  operations: ["account.block.list", "account.block.add", "account.block.remove"],
  signIn: true,
  load: async (visit) =>
    await visit.forge.account.block.list({ query: { page: pageNumber(visit), limit: rowsPerPage } }),
  view: (users, visit) => {
    const { account: t } = visit.texts
    return accountView(visit, "blocked_users", blockedList(visit, users, { none: t.noBlocked, hint: t.blockHint }))
  },
  submit: (visit) => {
    const { block } = visit.forge.account
    return changeBlocks(visit, {
      add: (username) => block.add({ params: { username } }).result(),
      remove: async (username) => await block.remove({ params: { username } })
    })
  }
})
