import type { Application, ForgeApp, PrivateKey, Server } from "@slipway/client/deploy"
import { card, empty, type Html, html, nothing, textField, typed } from "@slipway/web/foundation"
import { applicationPath, serverPath } from "../../layout/links.ts"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { secretArea, typedSecret } from "../../page/secretFields.ts"
import { administrationFrame, administrationQuestions } from "./administrationFrame.ts"
import { type StoredKind, storedPages } from "./storedPages.ts"
import { pageQuery, storedList, storedPagination } from "./storedRows.ts"

/** The most servers, app installations and applications each that the page of a key lists. */
const mostUsers = 100

/** The resources that use a key. */
interface KeyUsers {
  readonly servers: ReadonlyArray<Server>
  readonly apps: ReadonlyArray<ForgeApp>
  readonly applications: ReadonlyArray<Application>
}

const usersOf = async ({ deploy }: ConsoleVisit, key: string): Promise<KeyUsers> => {
  const query = { private_key_uuid: key, per_page: mostUsers }
  const [servers, apps, applications] = await Promise.all([
    deploy.servers.list({ query }),
    deploy.forgeApps.list({ query }),
    deploy.applications.list({ query })
  ])
  return { servers, apps, applications }
}

const userRow = (type: string, to: string, name: string): Html =>
  html`<li><span class="badge">${type}</span><h3 class="grow"><a href="${to}">${name}</a></h3></li>`

const usersCard = ({ texts }: ConsoleVisit, { applications, apps, servers }: KeyUsers): Html => {
  const { administration: t, people, words } = texts
  return card(
    t.usedBy,
    applications.length + apps.length + servers.length === 0
      ? empty(t.unused)
      : html`<ul class="rows">${servers.map(({ name, uuid }) => userRow(words.server, serverPath(uuid), name))}${apps.map(({ name, uuid }) => userRow(t.githubApp, `/sources/github/${uuid}`, name))}${applications.map(({ name, uuid }) => userRow(people.places.application, applicationPath(uuid), name ?? uuid))}</ul>`
  )
}

const named = ({ form }: ConsoleVisit) => ({ name: typed(form, "name"), description: typed(form, "description") })

const kind: StoredKind<PrivateKey, KeyUsers | undefined> = {
  tab: "keys",
  path: "/keys",
  list: "/keys",
  operations: [
    "keys.get",
    "keys.create",
    "keys.update",
    "keys.delete",
    "servers.list",
    "forgeApps.list",
    "applications.list"
  ],
  actions: { create: "key.create", update: "key.update", delete: "key.delete" },
  texts: ({ texts }) => texts.administration.key,
  names: ["name", "description", "private_key"],
  extra: async (visit, row) => (row === undefined ? undefined : await usersOf(visit, row.uuid)),
  find: async ({ deploy }, uuid) => deploy.keys.get({ params: { uuid } }),
  fields: (visit, row) => {
    const { administration: t, words } = visit.texts
    return html`${textField(visit, { name: "name", label: words.name, required: true, value: row?.name ?? "" })}
${textField(visit, { name: "description", label: words.description, value: row?.description ?? "" })}
${secretArea(visit, { name: "private_key", label: t.privateKey, isStored: row !== undefined, hint: row === undefined ? t.newKeyHint : t.privateKeyHint })}`
  },
  facts: (visit, row, users) => {
    const { administration: t } = visit.texts
    return html`${card(t.publicKey, html`<div class="body"><pre class="log" tabindex="0" aria-label="${t.publicKey}">${row.public_key}</pre><p class="small soft">${t.publicKeyHint} <code>${row.fingerprint}</code></p></div>`)}${users === undefined ? nothing : usersCard(visit, users)}`
  },
  create: async (visit) =>
    visit.deploy.keys.create({ body: { ...named(visit), ...typedSecret(visit, "private_key") } }),
  update: async (visit, uuid) =>
    visit.deploy.keys.update({ params: { uuid }, body: { ...named(visit), ...typedSecret(visit, "private_key") } }),
  remove: async ({ deploy }, uuid) => deploy.keys.delete({ params: { uuid } })
}

/** `/keys`: the private keys of the viewer's teams. */
const keysPage = page({
  path: "/keys",
  operations: ["keys.list", "people.check"],
  load: async (visit) => {
    const [keys, may] = await Promise.all([
      visit.deploy.keys.list(pageQuery(visit)),
      decisionsOn(visit, { ...administrationQuestions, create: ["key.create"] })
    ])
    return { keys, may }
  },
  view: ({ keys, may }, visit) => {
    const { administration: t } = visit.texts
    return {
      title: t.keys,
      frame: administrationFrame(visit, "keys", may),
      body: html`${storedList({ title: t.keys, none: t.noKeys, add: t.key.add, mayAdd: may.create, path: "/keys", rows: keys, about: ({ description, fingerprint }) => html`<code>${fingerprint}</code> ${description}` })}${storedPagination(visit, keys)}`
    }
  }
})

/** The pages of private keys. */
export const keyPages: ReadonlyArray<ConsolePage> = [keysPage, ...storedPages(kind)]
