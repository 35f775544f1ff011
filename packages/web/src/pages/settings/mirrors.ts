import type { Migration, PushMirror, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { checkField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { loadSettings, type SettingsOf, settingsOperations, settingsView } from "./settings.ts"

const asked = {
  sync: "repository.mirror.sync",
  syncPush: "repository.push-mirror.sync",
  create: "repository.push-mirror.create",
  remove: "repository.push-mirror.delete"
} as const

type MirrorSettings = SettingsOf<keyof typeof asked>

const tones = { waiting: "neutral", running: "info", failed: "bad", done: "ok" } as const

/** Shows the time of the latest synchronization; the API answers the year 1 for none. */
const synchronized = (visit: Visit, at: string): Html => {
  const { mirrors: t } = visit.texts
  return new Date(at).getUTCFullYear() < 1970 ? html`${t.never}` : html`${t.synchronized} ${time(visit, at)}`
}

const interval = ({ texts: { mirrors: t } }: Visit, text: string): string =>
  text === "" || /^0s?$/.test(text) ? t.noInterval : t.every(text)

const lastError = ({ texts: { mirrors: t } }: Visit, message: string): Html =>
  message === "" ? nothing : html`<p class="small bad-text"><b>${t.lastError}:</b> ${message}</p>`

/** Shows the source of a pull mirror and its state. */
const pullCard = (visit: Visit, { may, mirror_interval: every }: MirrorSettings, source: Migration): Html => {
  const { mirrors: t } = visit.texts
  const { last_error: message, original_url: address, state, updated } = source
  const sync = may.sync
    ? actionButton(visit, { do: "sync" }, t.syncNow, { about: t.pull })
    : html`<span class="small soft">${t.mayNotSync}</span>`
  return card(
    t.pull,
    html`<div class="body"><p>${t.pullHint}</p><div class="row">${icon("mirror")}<div class="grow"><p><code>${address}</code></p><p class="small soft">${interval(visit, every)} · ${synchronized(visit, updated)}</p>${lastError(visit, message)}</div><span class="badge ${tones[state]}">${t.states[state]}</span>${sync}</div></div>`
  )
}

const row = (visit: Visit, may: MirrorSettings["may"], mirror: PushMirror): Html => {
  const { forms, mirrors: t } = visit.texts
  const { interval: every, last_error: message, last_update: at, remote_address: address, remote_name: name } = mirror
  const remove = may.remove
    ? actionButton(visit, { do: "delete", name }, forms.delete, { className: "button danger", about: address })
    : nothing
  return html`<li>${icon("mirror")}<div class="grow"><h3><code>${address}</code></h3><p class="small soft">${interval(visit, every)}${mirror.sync_on_commit && html` · ${t.onPush}`} · ${synchronized(visit, at)}</p>${lastError(visit, message)}</div>${message !== "" && html`<span class="badge bad">${t.states.failed}</span>`}${remove}</li>`
}

const addForm = (visit: Visit): Html => {
  const { mirrors: t } = visit.texts
  return formSection(visit, {
    key: "add",
    title: t.add,
    hint: t.addHint,
    fields: (own) =>
      html`${textField(own, { name: "remote_address", label: t.address, hint: t.addressHint, type: "url", required: true, maxlength: 2048 })}
${textField(own, { name: "remote_username", label: t.username, autocomplete: "off" })}${textField(own, { name: "remote_password", label: t.password, type: "password", hint: t.passwordHint, autocomplete: "new-password", maxlength: 1024 })}
${textField(own, { name: "interval", label: t.interval, hint: t.intervalHint, value: "8h0m0s", maxlength: 32 })}${checkField(own, { name: "sync_on_commit", label: t.syncOnPush, checked: true })}`,
    button: t.add
  })
}

const pushCard = (visit: Visit, { archived, may }: MirrorSettings, found: ReadonlyArray<PushMirror>): Html => {
  const { mirrors: t } = visit.texts
  const sync =
    may.syncPush && found.length > 0 ? actionButton(visit, { do: "sync-push" }, t.syncNow, { about: t.push }) : nothing
  const list =
    found.length === 0
      ? empty(t.noPush)
      : html`<ul class="rows tall">${found.map((each) => row(visit, may, each))}</ul>`
  return html`${card(html`<h2>${t.push}</h2><span class="push">${sync}</span>`, list, t.push)}${pagination(visit, found.length === rowsPerPage)}
${may.create ? addForm(visit) : archived ? html`<p class="soft">${t.archived}</p>` : nothing}`
}

const loadSource = async (visit: Visit, { mirror }: Repository): Promise<Migration | undefined> =>
  mirror ? await visit.forge.repository.migration.read({ params: namedIn(visit) }) : undefined

const add = async (visit: Visit): Promise<Submitted> => {
  const { form, forge, texts, url } = visit
  const address = typed(form, "remote_address").trim()
  if (address === "") return { problems: { remote_address: texts.forms.required } }
  const [username, password, every] = ["remote_username", "remote_password", "interval"].map((name) =>
    typed(form, name).trim()
  )
  const body = {
    remote_address: address,
    ...(username === "" ? {} : { remote_username: username }),
    ...(password === "" ? {} : { remote_password: password }),
    ...(every === "" ? {} : { interval: every }),
    sync_on_commit: typed(form, "sync_on_commit") === "on"
  }
  const made = await forge.repository.pushMirror.create({ params: namedIn(visit), body }).result()
  return made.ok ? { to: url.pathname } : rejectedAt(made.error, { "": "remote_address" })
}

/** `/{owner}/{repo}/settings/mirrors`: the source of a pull mirror, and the push mirrors. */
export const mirrorSettingsPage = page({
  path: "/:owner/:repo/settings/mirrors",
  operations: [
    ...settingsOperations,
    "repository.mirror.sync",
    "repository.migration.read",
    "repository.pushMirror.list",
    "repository.pushMirror.create",
    "repository.pushMirror.delete",
    "repository.pushMirror.sync"
  ],
  signIn: true,
  load: async (visit) => {
    const repository = await loadSettings(visit, asked)
    const [source, found] = await Promise.all([
      loadSource(visit, repository),
      visit.forge.repository.pushMirror.list({
        params: namedIn(visit),
        query: { page: pageNumber(visit), limit: rowsPerPage }
      })
    ])
    return { repository, source, found }
  },
  view: ({ found, repository, source }, visit) => {
    const body = html`${otherProblems(visit, ["add"])}${source === undefined ? nothing : pullCard(visit, repository, source)}${pushCard(visit, repository, found)}`
    return settingsView(visit, repository, "mirrors", visit.texts.settings.mirrors, body)
  },
  submit: async (visit): Promise<Submitted> => {
    const { form, forge, url } = visit
    const params = namedIn(visit)
    const done = { to: url.pathname }
    switch (typed(form, "do")) {
      case "add":
        return await add(visit)
      case "delete":
        await forge.repository.pushMirror.delete({ params: { ...params, name: typed(form, "name") } })
        return done
      case "sync":
        await forge.repository.mirror.sync({ params })
        return done
      case "sync-push":
        await forge.repository.pushMirror.sync({ params })
        return done
      default:
        throw new NotFound()
    }
  }
})
