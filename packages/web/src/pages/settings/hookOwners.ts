import { requireAllowed } from "../../page/decisions.ts"
import type { Visit } from "../../page/Page.ts"
import { accountView } from "../account/frame.ts"
import { adminView } from "../admin/adminFrame.ts"
import { organizationOperations, orgIn, orgPath } from "../organizations/organization.ts"
import { loadOrganizationSettings, organizationSettingsView } from "../organizations/organizationSettingsFrame.ts"
import { type HookCalls, hookPages } from "./ownedHooks.ts"

const siteCalls = ({ forge: { admin } }: Visit): HookCalls => ({
  list: (listed) => admin.hook.list(listed),
  create: (body) => admin.hook.create({ body }).result(),
  read: (params) => admin.hook.read({ params }),
  edit: (params, body) => admin.hook.edit({ params, body }).result(),
  delete: (params) => admin.hook.delete({ params }),
  deliveries: (params, listed) => admin.hook.delivery.list({ params, ...listed }),
  delivery: (params) => admin.hook.delivery.read({ params }),
  redeliver: (params) => admin.hook.delivery.redeliver({ params })
})

const accountCalls = ({ forge: { account } }: Visit): HookCalls => ({
  list: (listed) => account.hook.list(listed),
  create: (body) => account.hook.create({ body }).result(),
  read: (params) => account.hook.read({ params }),
  edit: (params, body) => account.hook.edit({ params, body }).result(),
  delete: (params) => account.hook.delete({ params }),
  deliveries: (params, listed) => account.hook.delivery.list({ params, ...listed }),
  delivery: (params) => account.hook.delivery.read({ params }),
  redeliver: (params) => account.hook.delivery.redeliver({ params })
})

const organizationCalls = (visit: Visit): HookCalls => {
  const { hook } = visit.forge.organization
  const org = orgIn(visit)
  return {
    list: (listed) => hook.list({ params: org, ...listed }),
    create: (body) => hook.create({ params: org, body }).result(),
    read: (params) => hook.read({ params: { ...org, ...params } }),
    edit: (params, body) => hook.edit({ params: { ...org, ...params }, body }).result(),
    delete: (params) => hook.delete({ params: { ...org, ...params } }),
    deliveries: (params, listed) => hook.delivery.list({ params: { ...org, ...params }, ...listed }),
    delivery: (params) => hook.delivery.read({ params: { ...org, ...params } }),
    redeliver: (params) => hook.delivery.redeliver({ params: { ...org, ...params } })
  }
}

/** `/admin/hooks`: the webhooks of the site. */
const siteHookPages = hookPages({
  operations: "admin",
  path: "/admin/hooks",
  here: () => "/admin/hooks",
  uses: ["access.check"],
  load: (visit) => requireAllowed(visit, ["admin.hook.create", "site"]),
  calls: siteCalls,
  view: (visit, _, title, body) => adminView(visit, "hooks", body, title),
  none: ({ texts }) => texts.admin.noHooks
})

/** `/org/{org}/settings/hooks`: the webhooks of an organization. */
const organizationHookPages = hookPages({
  operations: "organization",
  path: "/org/:org/settings/hooks",
  here: ({ params }) => orgPath(params.org ?? "", "settings", "hooks"),
  uses: organizationOperations,
  load: loadOrganizationSettings,
  calls: organizationCalls,
  view: (visit, loaded, title, body) => organizationSettingsView(visit, loaded, "hooks", body, title),
  none: ({ texts }) => texts.ownerSettings.noHooks
})

/** `/user/settings/hooks`: the webhooks of the signed-in user. */
const accountHookPages = hookPages({
  operations: "account",
  path: "/user/settings/hooks",
  here: () => "/user/settings/hooks",
  uses: ["access.check"],
  load: (visit) => requireAllowed(visit, ["account.hook.create", "site"]),
  calls: accountCalls,
  view: (visit, _, title, body) => accountView(visit, "hooks", body, title),
  none: ({ texts }) => texts.account.noHooks
})

/** The pages of webhooks of the site, of organizations and of the signed-in user. */
export const ownedHookPages = [...siteHookPages, ...organizationHookPages, ...accountHookPages]
