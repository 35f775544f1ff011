import { pageNumber, rowsPerPage } from "../../layout/components.ts"
import { page } from "../../page/Page.ts"
import { blockedList, changeBlocks } from "../access/blockedList.ts"
import { organizationOperations, orgIn } from "./organization.ts"
import { loadOrganizationSettings, organizationSettingsView } from "./organizationSettingsFrame.ts"

/** `/org/{org}/settings/blocked_users`: the users that an organization blocks. */
export const organizationBlocksPage = page({
  path: "/org/:org/settings/blocked_users",
  operations: [
    ...organizationOperations,
    "organization.block.list",
    "organization.block.add",
    "organization.block.remove"
  ],
  signIn: true,
  load: async (visit) => ({
    settings: await loadOrganizationSettings(visit),
    users: await visit.forge.organization.block.list({
      params: orgIn(visit),
      query: { page: pageNumber(visit), limit: rowsPerPage }
    })
  }),
  view: ({ settings, users }, visit) => {
    const { ownerSettings: t } = visit.texts
    return organizationSettingsView(
      visit,
      settings,
      "blocked_users",
      blockedList(visit, users, { none: t.noBlocked, hint: t.blockHint })
    )
  },
  submit: (visit) => {
    const { block } = visit.forge.organization
    return changeBlocks(visit, {
      add: (username) => block.add({ params: { ...orgIn(visit), username } }).result(),
      remove: async (username) => await block.remove({ params: { ...orgIn(visit), username } })
    })
  }
})
