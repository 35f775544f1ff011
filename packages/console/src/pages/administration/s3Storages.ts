import type { S3Storage } from "@slipway/client/deploy"
import { actionButton, card, html, textField, typed } from "@slipway/web/foundation"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { secretField, typedOrNull, typedSecret } from "../../page/secretFields.ts"
import { administrationFrame, administrationQuestions } from "./administrationFrame.ts"
import { type StoredKind, storedPages } from "./storedPages.ts"
import { pageQuery, storedList, storedPagination } from "./storedRows.ts"

const bodyOf = (visit: ConsoleVisit) => ({
  name: typed(visit.form, "name"),
  description: typedOrNull(visit, "description"),
  endpoint: typed(visit.form, "endpoint"),
  bucket: typed(visit.form, "bucket"),
  region: typed(visit.form, "region"),
  age_recipient: typedOrNull(visit, "age_recipient")
})

const badgeOf = ({ texts }: ConsoleVisit, { is_usable: isUsable }: S3Storage) =>
  html`<span class="badge ${isUsable ? "ok" : "warn"}">${isUsable ? texts.administration.usable : texts.administration.notUsable}</span>`

const kind: StoredKind<S3Storage, undefined> = {
  tab: "storages",
  path: "/storages",
  list: "/storages",
  operations: ["s3Storages.get", "s3Storages.create", "s3Storages.update", "s3Storages.delete", "s3Storages.validate"],
  actions: { create: "s3Storage.create", update: "s3Storage.update", delete: "s3Storage.delete" },
  texts: ({ texts }) => texts.administration.storage,
  names: ["name", "description", "endpoint", "bucket", "region", "key", "secret", "age_recipient"],
  extra: async () => undefined,
  find: async ({ deploy }, uuid) => deploy.s3Storages.get({ params: { uuid } }),
  fields: (visit, row) => {
    const { administration: t, words } = visit.texts
    const isStored = row !== undefined
    return html`${textField(visit, { name: "name", label: words.name, required: true, value: row?.name ?? "" })}
${textField(visit, { name: "endpoint", label: t.endpoint, hint: t.endpointHint, type: "url", required: true, value: row?.endpoint ?? "" })}
${textField(visit, { name: "bucket", label: t.bucket, required: true, value: row?.bucket ?? "" })}
${textField(visit, { name: "region", label: t.region, required: true, value: row?.region ?? "us-east-1" })}
${secretField(visit, { name: "key", label: t.accessKey, required: true, isStored })}
${secretField(visit, { name: "secret", label: t.secretKey, required: true, isStored })}
${textField(visit, { name: "age_recipient", label: t.ageRecipient, hint: t.ageRecipientHint, value: row?.age_recipient ?? "" })}
${textField(visit, { name: "description", label: words.description, value: row?.description ?? "" })}`
  },
  facts: (visit, row, _, mayUpdate) => {
    const { administration: t } = visit.texts
    return card(
      t.connectionState,
      html`<div class="body row">${badgeOf(visit, row)}<code class="grow">${row.endpoint}/${row.bucket}</code>${mayUpdate && actionButton(visit, { do: "test" }, visit.texts.servers.test, { className: "button primary" })}</div>`
    )
  },
  create: async (visit) => {
    const { form } = visit
    const body = { ...bodyOf(visit), key: typed(form, "key"), secret: typed(form, "secret") }
    return await visit.deploy.s3Storages.create({ body })
  },
  update: async (visit, uuid) => {
    const body = { ...bodyOf(visit), ...typedSecret(visit, "key"), ...typedSecret(visit, "secret") }
    return await visit.deploy.s3Storages.update({ params: { uuid }, body })
  },
  remove: async ({ deploy }, uuid) => deploy.s3Storages.delete({ params: { uuid } }),
  act: async (visit, uuid) => {
    if (typed(visit.form, "do") !== "test") return undefined
    return { outcome: (await visit.deploy.s3Storages.validate({ params: { uuid } })).message }
  }
}

/** `/storages`: the S3 storages for backups. */
const storagesPage = page({
  path: "/storages",
  operations: ["s3Storages.list", "people.check"],
  load: async (visit) => {
    const [storages, may] = await Promise.all([
      visit.deploy.s3Storages.list(pageQuery(visit)),
      decisionsOn(visit, { ...administrationQuestions, create: ["s3Storage.create"] })
    ])
    return { storages, may }
  },
  view: ({ may, storages }, visit) => {
    const { administration: t } = visit.texts
    return {
      title: t.storages,
      frame: administrationFrame(visit, "storages", may),
      body: html`${storedList({ title: t.storages, none: t.noStorages, add: t.storage.add, mayAdd: may.create, path: "/storages", rows: storages, badge: (row) => badgeOf(visit, row), about: ({ bucket, endpoint }) => html`<code>${endpoint}/${bucket}</code>` })}${storedPagination(visit, storages)}`
    }
  }
})

/** The pages of S3 storages. */
export const storagePages: ReadonlyArray<ConsolePage> = [storagesPage, ...storedPages(kind)]
