import type { Registry } from "@slipway/client/deploy"
import { html, nothing, textField, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { type ConsolePage, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { secretField, typedSecret } from "../../page/secretFields.ts"
import { administrationFrame, administrationQuestions } from "./administrationFrame.ts"
import { type StoredKind, storedPages } from "./storedPages.ts"
import { pageQuery, storedList, storedPagination } from "./storedRows.ts"

const bodyOf = ({ form }: ConsoleVisit) => ({
  name: typed(form, "name"),
  description: typed(form, "description"),
  registry: typed(form, "registry"),
  username: typed(form, "username")
})

const kind: StoredKind<Registry, undefined> = {
  tab: "registries",
  path: "/registries",
  list: "/registries",
  operations: ["registries.get", "registries.create", "registries.update", "registries.delete"],
  actions: { create: "registry.create", update: "registry.update", delete: "registry.delete" },
  texts: ({ texts }) => texts.administration.registry,
  names: ["name", "description", "registry", "username", "password"],
  extra: async () => undefined,
  find: async ({ deploy }, uuid) => deploy.registries.get({ params: { uuid } }),
  fields: (visit, row) => {
    const { administration: t, words } = visit.texts
    return html`${textField(visit, { name: "name", label: words.name, required: true, value: row?.name ?? "" })}
${textField(visit, { name: "registry", label: t.registryHost, hint: t.registryHostHint, required: true, value: row?.registry ?? "" })}
${textField(visit, { name: "username", label: t.username, required: true, autocomplete: "off", value: row?.username ?? "" })}
${secretField(visit, { name: "password", label: t.password, required: true, isStored: row !== undefined })}
${textField(visit, { name: "description", label: words.description, value: row?.description ?? "" })}`
  },
  facts: () => nothing,
  create: async (visit) =>
    visit.deploy.registries.create({ body: { ...bodyOf(visit), password: typed(visit.form, "password") } }),
  update: async (visit, uuid) =>
    visit.deploy.registries.update({ params: { uuid }, body: { ...bodyOf(visit), ...typedSecret(visit, "password") } }),
  remove: async ({ deploy }, uuid) => deploy.registries.delete({ params: { uuid } })
}

/** `/registries`: the credentials for container registries. */
const registriesPage = page({
  path: "/registries",
  operations: ["registries.list", "people.check"],
  load: async (visit) => {
    const [registries, may] = await Promise.all([
      visit.deploy.registries.list(pageQuery(visit)),
      decisionsOn(visit, { ...administrationQuestions, create: ["registry.create"] })
    ])
    return { registries, may }
  },
  view: ({ may, registries }, visit) => {
    const { administration: t } = visit.texts
    return {
      title: t.registries,
      frame: administrationFrame(visit, "registries", may),
      body: html`${storedList({ title: t.registries, none: t.noRegistries, add: t.registry.add, mayAdd: may.create, path: "/registries", rows: registries, about: ({ registry, username }) => html`<code>${registry}</code> · ${username}` })}${storedPagination(visit, registries)}`
    }
  }
})

/** The pages of credentials for registries. */
export const registryPages: ReadonlyArray<ConsolePage> = [registriesPage, ...storedPages(kind)]
