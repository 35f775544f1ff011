import type { PrivateKey } from "@slipway/client/deploy"
import {
  card,
  copyField,
  empty,
  formTo,
  type Html,
  html,
  linkButton,
  nothing,
  textField,
  typed,
  withQuery
} from "@slipway/web/foundation"
import { applicationPath } from "../../../layout/links.ts"
import type { ConsoleVisit } from "../../../page/ConsolePage.ts"
import { decisionsOn } from "../../../page/decisions.ts"
import { branchField, buildFields, repositoryNames } from "./applicationSources.ts"
import { applicationFields, newResourcePath } from "./creation.ts"
import { detectedRepositoryIn } from "./detection.ts"
import type { Source } from "./sourcePage.ts"

/** The most keys that the page lists. */
const mostKeys = 100

interface Keys {
  readonly keys: ReadonlyArray<PrivateKey>
  readonly key: PrivateKey | undefined
  readonly mayCreate: boolean
}

const keyOf = ({ form, query }: ConsoleVisit): string => form.values.get("private_key_uuid") ?? query.get("key") ?? ""

const loadKeys = async (visit: ConsoleVisit): Promise<Keys> => {
  const { keys } = visit.deploy
  const uuid = keyOf(visit)
  const [all, key, { create }] = await Promise.all([
    keys.list({ query: { per_page: mostKeys } }),
    uuid === "" ? undefined : keys.get({ params: { uuid } }),
    decisionsOn(visit, { create: ["key.create"] })
  ])
  return { keys: all, key, mayCreate: create }
}

const chooseKey = (visit: ConsoleVisit, { keys, mayCreate }: Keys): Html => {
  const { administration, applications: t, words } = visit.texts
  return html`${card(
    t.chooseKey,
    keys.length === 0
      ? empty(administration.noKeys)
      : html`<ul class="rows">${keys.map(({ fingerprint, name, uuid }) => html`<li><div class="grow"><h3><a href="${withQuery(visit.url, { key: uuid })}">${name}</a></h3><div class="small soft"><code>${fingerprint}</code></div></div></li>`)}</ul>`
  )}${
    mayCreate &&
    card(
      t.createKey,
      html`<div class="body"><p class="soft">${t.createKeyHint}</p>${formTo(
        visit,
        visit.url.pathname,
        html`<input type="hidden" name="do" value="key">${textField(visit, { name: "key_name", label: words.name, required: true })}<button class="button primary">${t.createKey}</button>`
      )}</div>`
    )
  }`
}

const chosenKey = (visit: ConsoleVisit, key: PrivateKey): Html => {
  const { administration, applications: t } = visit.texts
  return card(
    html`<h2>${key.name}</h2>${linkButton(newResourcePath(visit, "key"), t.otherKey, undefined, "push")}`,
    html`<div class="body"><p class="soft">${t.addPublicKey}</p>${copyField(visit, administration.publicKey, key.public_key)}</div>`,
    key.name
  )
}

const credentialsIn = ({ form }: ConsoleVisit) => ({ private_key_uuid: typed(form, "private_key_uuid") })

/** A private repository that is read with an SSH key. */
export const keySource: Source<Keys> = {
  key: "key",
  texts: ({ texts: { applications: t } }) => ({ title: t.ofKey, hint: t.ofKeyHint, button: t.create }),
  operations: ["keys.list", "keys.get", "keys.create", "applications.createPrivateDeployKey"],
  names: [...repositoryNames, "private_key_uuid", "key_name"],
  extra: loadKeys,
  before: (visit, keys) => (keys.key === undefined ? chooseKey(visit, keys) : chosenKey(visit, keys.key)),
  isReady: ({ key }) => key !== undefined,
  fields: (visit, servers, { key }) => {
    const { applications: t } = visit.texts
    return key === undefined
      ? nothing
      : html`<input type="hidden" name="private_key_uuid" value="${key.uuid}">
${textField(visit, { name: "git_repository", label: t.gitRepository, hint: t.sshAddressHint, required: true, maxlength: 2048 })}
${buildFields(visit, branchField(visit))}${applicationFields(visit, servers)}`
  },
  credentials: credentialsIn,
  create: async (visit) => {
    const { applications, keys } = visit.deploy
    if (typed(visit.form, "do") === "key") {
      const { uuid } = await keys.create({ body: { name: typed(visit.form, "key_name") } })
      return `${newResourcePath(visit, "key")}?${new URLSearchParams({ key: uuid })}`
    }
    const credentials = credentialsIn(visit)
    const body = { ...(await detectedRepositoryIn(visit, credentials)), ...credentials }
    return applicationPath((await applications.createPrivateDeployKey({ body })).uuid)
  }
}
