import type { GitlabApp } from "@slipway/client/deploy"
import { html, nothing, textField, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { secretField, typedOrNull, typedRemovable } from "../../page/secretFields.ts"
import { type StoredKind, storedPages } from "./storedPages.ts"

const bodyOf = (visit: ConsoleVisit) => {
  const { form } = visit
  return {
    name: typed(form, "name"),
    html_url: typed(form, "html_url"),
    group_name: typedOrNull(visit, "group_name"),
    custom_user: typed(form, "custom_user"),
    custom_port: Number(typed(form, "custom_port")),
    ...typedRemovable(visit, "webhook_token")
  }
}

const kind: StoredKind<GitlabApp, undefined> = {
  tab: "sources",
  path: "/sources/gitlab",
  list: "/sources",
  operations: ["gitlabApps.get", "gitlabApps.create", "gitlabApps.update", "gitlabApps.delete"],
  actions: { create: "gitlabApp.create", update: "gitlabApp.update", delete: "gitlabApp.delete" },
  texts: ({ texts }) => texts.administration.gitlab,
  names: ["name", "html_url", "group_name", "webhook_token", "custom_user", "custom_port"],
  extra: async () => undefined,
  find: async ({ deploy }, uuid) => deploy.gitlabApps.get({ params: { gitlab_app_id: uuid } }),
  fields: (visit, row) => {
    const { administration: t, servers, words } = visit.texts
    return html`${textField(visit, { name: "name", label: words.name, required: true, value: row?.name ?? "" })}
${textField(visit, { name: "html_url", label: t.webAddress, type: "url", required: true, value: row?.html_url ?? "https://gitlab.com" })}
${textField(visit, { name: "group_name", label: t.groups, hint: t.groupsHint, value: row?.group_name ?? "" })}
${secretField(visit, { name: "webhook_token", label: t.webhookToken, isStored: row !== undefined, isRemovable: true })}
${textField(visit, { name: "custom_user", label: t.sshUser, required: true, value: row?.custom_user ?? "git" })}
${textField(visit, { name: "custom_port", label: servers.port, type: "number", required: true, value: String(row?.custom_port ?? 22) })}`
  },
  facts: () => nothing,
  create: async (visit) => visit.deploy.gitlabApps.create({ body: bodyOf(visit) }),
  update: async (visit, uuid) =>
    visit.deploy.gitlabApps.update({ params: { gitlab_app_id: uuid }, body: bodyOf(visit) }),
  remove: async ({ deploy }, uuid) => deploy.gitlabApps.delete({ params: { gitlab_app_id: uuid } })
}

/** The pages of GitLab apps. */
export const gitlabPages = storedPages(kind)
