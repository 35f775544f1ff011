import type { ForgeApp, PrivateKey } from "@slipway/client/deploy"
import { html, nothing, selectField, textField, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { optionsWith } from "../../page/options.ts"
import { secretField, typedOrNull, typedRemovable, typedSecret } from "../../page/secretFields.ts"
import { type StoredKind, storedPages } from "./storedPages.ts"

const bodyOf = (visit: ConsoleVisit) => {
  const { form } = visit
  return {
    name: typed(form, "name"),
    html_url: typed(form, "html_url"),
    organization: typedOrNull(visit, "organization"),
    api_url: typed(form, "api_url"),
    app_id: Number(typed(form, "app_id")),
    installation_id: Number(typed(form, "installation_id")),
    client_id: typed(form, "client_id"),
    private_key_uuid: typed(form, "private_key_uuid"),
    custom_user: typed(form, "custom_user"),
    custom_port: Number(typed(form, "custom_port")),
    ...typedRemovable(visit, "webhook_secret")
  }
}

const kind: StoredKind<ForgeApp, ReadonlyArray<PrivateKey>> = {
  tab: "sources",
  path: "/sources/github",
  list: "/sources",
  operations: ["forgeApps.get", "forgeApps.create", "forgeApps.update", "forgeApps.delete", "keys.list"],
  actions: { create: "forgeApp.create", update: "forgeApp.update", delete: "forgeApp.delete" },
  texts: ({ texts }) => texts.administration.github,
  names: [
    "name",
    "html_url",
    "organization",
    "api_url",
    "app_id",
    "installation_id",
    "client_id",
    "client_secret",
    "webhook_secret",
    "private_key_uuid",
    "custom_user",
    "custom_port"
  ],
  extra: async ({ deploy }) => deploy.keys.list({ query: { per_page: 100 } }),
  find: async ({ deploy }, uuid) => deploy.forgeApps.get({ params: { uuid } }),
  fields: (visit, row, keys) => {
    const { administration: t, servers, words } = visit.texts
    const isStored = row !== undefined
    const number = (value: number | string | undefined) => (value === undefined ? "" : String(value))
    return html`${textField(visit, { name: "name", label: words.name, required: true, value: row?.name ?? "" })}
${textField(visit, { name: "organization", label: t.organization, value: row?.organization ?? "" })}
${textField(visit, { name: "html_url", label: t.webAddress, type: "url", required: true, value: row?.html_url ?? "https://github.com" })}
${textField(visit, { name: "api_url", label: t.apiAddress, type: "url", required: true, value: row?.api_url ?? "https://api.github.com" })}
${textField(visit, { name: "app_id", label: t.appId, type: "number", required: true, value: number(row?.app_id) })}
${textField(visit, { name: "installation_id", label: t.installationId, type: "number", required: true, value: number(row?.installation_id) })}
${textField(visit, { name: "client_id", label: t.clientId, required: true, value: row?.client_id ?? "" })}
${secretField(visit, { name: "client_secret", label: t.clientSecret, required: true, isStored })}
${secretField(visit, { name: "webhook_secret", label: t.webhookSecret, isStored, isRemovable: true })}
${selectField(visit, {
  name: "private_key_uuid",
  label: t.privateKey,
  hint: t.appKeyHint,
  value: row?.private_key_uuid ?? "",
  options: optionsWith(
    row?.private_key_uuid ?? "",
    keys.map(({ name, uuid }) => ({ value: uuid, label: name }))
  )
})}
${textField(visit, { name: "custom_user", label: t.sshUser, required: true, value: row?.custom_user ?? "git" })}
${textField(visit, { name: "custom_port", label: servers.port, type: "number", required: true, value: number(row?.custom_port ?? 22) })}`
  },
  facts: () => nothing,
  create: async (visit) => {
    const body = { ...bodyOf(visit), client_secret: typed(visit.form, "client_secret") }
    return await visit.deploy.forgeApps.create({ body })
  },
  update: async (visit, uuid) => {
    const body = { ...bodyOf(visit), ...typedSecret(visit, "client_secret") }
    return await visit.deploy.forgeApps.update({ params: { uuid }, body })
  },
  remove: async ({ deploy }, uuid) => deploy.forgeApps.delete({ params: { uuid } })
}

/** The pages of GitHub apps. */
export const githubPages = storedPages(kind)
