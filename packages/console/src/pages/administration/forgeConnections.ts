import type { ForgeConnection } from "@slipway/client/deploy"
import { actionButton, card, type Html, html, safeHref, textField, time, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { secretField, typedOrNull, typedSecret } from "../../page/secretFields.ts"
import { type StoredKind, storedPages } from "./storedPages.ts"

const portOf = (visit: ConsoleVisit): number | null => {
  const port = typedOrNull(visit, "ssh_port")
  return port === null ? null : Number(port)
}

const bodyOf = (visit: ConsoleVisit) => ({
  name: typed(visit.form, "name"),
  platform_url: typed(visit.form, "platform_url"),
  ssh_port: portOf(visit)
})

/** Shows whether a forge is connected. */
export const connectionBadge = (
  { texts }: ConsoleVisit,
  { is_rotating: isRotating, status }: ForgeConnection
): Html => {
  const { administration: t } = texts
  const isConnected = status === "connected"
  return html`<span class="badge ${isConnected ? (isRotating ? "info" : "ok") : "bad"}">${isConnected ? (isRotating ? t.rotating : t.connected) : t.disconnected}</span>`
}

const kind: StoredKind<ForgeConnection, undefined> = {
  tab: "sources",
  path: "/sources/connections",
  list: "/sources",
  operations: [
    "forgeConnections.get",
    "forgeConnections.create",
    "forgeConnections.update",
    "forgeConnections.delete",
    "forgeConnections.disconnect",
    "forgeConnections.rotate"
  ],
  actions: {
    create: "forgeConnection.create",
    update: "forgeConnection.update",
    delete: "forgeConnection.delete"
  },
  texts: ({ texts }) => texts.administration.connection,
  names: ["name", "url", "platform_url", "ssh_port", "token"],
  extra: async () => undefined,
  find: async ({ deploy }, uuid) => deploy.forgeConnections.get({ params: { uuid } }),
  fields: (visit, row) => {
    const { administration: t, words } = visit.texts
    const isNew = row === undefined
    return html`${textField(visit, { name: "name", label: words.name, required: !isNew, value: row?.name ?? "" })}
${isNew && textField(visit, { name: "url", label: t.forgeAddress, type: "url", required: true })}
${secretField(visit, { name: "token", label: t.token, required: true, isStored: !isNew, hint: t.connectionTokenHint })}
${textField(visit, { name: "platform_url", label: t.platformAddress, hint: t.platformAddressHint, type: "url", required: true, value: row?.platform_url ?? visit.rootUrl })}
${textField(visit, { name: "ssh_port", label: t.sshPort, hint: t.sshPortHint, type: "number", value: row?.ssh_port == null ? "" : String(row.ssh_port) })}`
  },
  facts: (visit, row, _, mayUpdate) => {
    const { administration: t } = visit.texts
    const { account, reason, status, token_since: since, url } = row
    return card(
      t.connectionState,
      html`<div class="body"><p>${connectionBadge(visit, row)}</p>${reason !== null && html`<p class="alert bad">${reason}</p>`}
<dl class="facts"><dt>${t.forgeAddress}</dt><dd><a href="${safeHref(url) ?? ""}">${url}</a></dd><dt>${t.forgeAccount}</dt><dd>${account}</dd>${since !== null && html`<dt>${t.tokenSince}</dt><dd>${time(visit, since)}</dd>`}</dl>
${mayUpdate && status === "connected" && html`<div class="row">${actionButton(visit, { do: "rotate" }, t.rotate)}${actionButton(visit, { do: "disconnect" }, t.disconnect)}</div><p class="small soft">${t.rotateHint} ${t.disconnectHint}</p>`}</div>`
    )
  },
  create: async (visit) => {
    const { name, ...body } = bodyOf(visit)
    return await visit.deploy.forgeConnections.create({
      body: {
        ...body,
        url: typed(visit.form, "url"),
        token: typed(visit.form, "token"),
        ...(name === "" ? {} : { name })
      }
    })
  },
  update: async (visit, uuid) =>
    visit.deploy.forgeConnections.update({
      params: { uuid },
      body: { ...bodyOf(visit), ...typedSecret(visit, "token") }
    }),
  remove: async ({ deploy }, uuid) => deploy.forgeConnections.delete({ params: { uuid } }),
  act: async (visit, uuid) => {
    const { forgeConnections } = visit.deploy
    const does = typed(visit.form, "do")
    if (does !== "rotate" && does !== "disconnect") return undefined
    await forgeConnections[does]({ params: { uuid } })
    return { to: `/sources/connections/${uuid}` }
  }
}

/** The pages of connections to forges. */
export const connectionPages = storedPages(kind)
