import type { Application, Storage } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  empty,
  formSection,
  type Html,
  html,
  nothing,
  otherProblems,
  textArea,
  textField,
  typed,
  withQuery
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

const fields = ["name", "mount_path", "host_path", "content"] as const

type Kind = "persistent" | "file"

interface Permissions {
  readonly update: boolean
  readonly remove: boolean
}

const row = (visit: ConsoleVisit, storage: Storage, kind: Kind, may: Permissions): Html => {
  const { storages: t, forms } = visit.texts
  const { host_path: host, mount_path: path, name, uuid, volume_name: volume } = storage
  const source =
    kind === "file"
      ? t.file
      : host === null
        ? html`${t.volume} <code>${volume ?? name}</code>`
        : html`${t.directory} <code>${host}</code>`
  return html`<li><div class="grow"><h3><code>${path}</code></h3><div class="small soft">${name} · ${source}</div></div>${may.update && html`<a class="button" href="${`${withQuery(visit.url, { edit: uuid })}#edit`}">${t.edit}<span class="hidden-text"> ${path}</span></a>`}${may.remove && actionButton(visit, { do: "remove", storage: uuid }, forms.remove, { about: path })}</li>`
}

const listCard = (
  visit: ConsoleVisit,
  title: string,
  { kind, may, none, rows }: { kind: Kind; rows: ReadonlyArray<Storage>; none: string; may: Permissions }
): Html =>
  card(
    title,
    rows.length === 0 ? empty(none) : html`<ul class="rows">${rows.map((each) => row(visit, each, kind, may))}</ul>`
  )

/** Returns the storage that the address or the submitted form names. */
const editedIn = ({ form, query }: ConsoleVisit): string | null =>
  typed(form, "do") === "edit" ? typed(form, "storage") : query.get("edit")

const contentField = (visit: ConsoleVisit, value = ""): Html =>
  textArea(visit, { name: "content", label: visit.texts.storages.content, maxlength: 100_000, value })

const editSection = (visit: ConsoleVisit, storage: Storage, kind: Kind): Html => {
  const { storages: t, forms, words } = visit.texts
  return formSection(visit, {
    key: "edit",
    title: t.editTitle(storage.mount_path),
    hint: kind === "file" && storage.content === null ? t.contentHidden : t.appliedLater,
    fields: (
      own
    ) => html`<input type="hidden" name="storage" value="${storage.uuid}"><input type="hidden" name="type" value="${kind}">${textField(own, { name: "name", label: words.name, required: true, value: storage.name })}
${textField(own, { name: "mount_path", label: t.mountPath, required: true, maxlength: 1024, value: storage.mount_path })}
${kind === "file" ? html`${storage.content !== null && html`<input type="hidden" name="shown" value="content">`}${contentField(own, storage.content ?? "")}` : textField(own, { name: "host_path", label: t.hostPath, hint: t.hostPathHint, maxlength: 1024, value: storage.host_path ?? "" })}`,
    button: forms.save
  })
}

const addSections = (visit: ConsoleVisit): Html => {
  const { storages: t, words } = visit.texts
  return html`${formSection(visit, {
    key: "volume",
    title: t.addVolume,
    hint: t.addVolumeHint,
    fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true })}
${textField(own, { name: "mount_path", label: t.mountPath, hint: t.mountPathHint, required: true, maxlength: 1024 })}
${textField(own, { name: "host_path", label: t.hostPath, hint: t.hostPathHint, maxlength: 1024 })}`,
    button: t.addVolume
  })}
${formSection(visit, {
  key: "file",
  title: t.addFile,
  hint: t.addFileHint,
  fields: (own) => html`${textField(own, { name: "mount_path", label: t.filePath, required: true, maxlength: 1024 })}
${contentField(own)}`,
  button: t.addFile
})}`
}

const title = ({ texts }: ConsoleVisit, application: Application): string =>
  `${texts.storages.title} · ${application.name ?? application.uuid}`

/** `/applications/{uuid}/storages`: the volumes, directories and files of an application. */
export const storagesPage = page({
  path: "/applications/:application/storages",
  operations: [...applicationOperations, "storages.list", "storages.create", "storages.update", "storages.remove"],
  load: async (visit) => {
    const params = applicationIn(visit)
    const [application, storages, may] = await Promise.all([
      loadApplication(visit),
      visit.deploy.storages.list({ params }),
      decisionsOn(visit, {
        update: ["application.update", params.uuid],
        remove: ["application.storage.delete", params.uuid]
      })
    ])
    return { application, storages, may }
  },
  view: ({ application, may, storages }, visit) => {
    const { storages: t } = visit.texts
    const { file_storages: files, persistent_storages: volumes } = storages
    const wanted = editedIn(visit)
    const isWanted = ({ uuid }: Storage) => uuid === wanted
    const [volume, file] = [volumes.find(isWanted), files.find(isWanted)]
    const edited =
      volume !== undefined
        ? editSection(visit, volume, "persistent")
        : file !== undefined
          ? editSection(visit, file, "file")
          : nothing
    return {
      title: title(visit, application),
      frame: applicationFrame(visit, application, "storages"),
      body: html`${otherProblems(visit, ["edit", "volume", "file"])}
${listCard(visit, t.volumes, { may, kind: "persistent", rows: volumes, none: t.noVolumes })}
${listCard(visit, t.files, { may, kind: "file", rows: files, none: t.noFiles })}
${may.update && html`${edited}${addSections(visit)}`}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    const { form } = visit
    const { create, remove, update } = visit.deploy.storages
    const [name, path, host] = [typed(form, "name"), typed(form, "mount_path"), typed(form, "host_path")]
    const content = typed(form, "content").replaceAll("\r\n", "\n")
    const directory = host === "" ? null : host
    try {
      switch (typed(form, "do")) {
        case "remove":
          await remove({ params: { ...params, storage_uuid: typed(form, "storage") } })
          break
        case "edit": {
          const changed = { uuid: typed(form, "storage"), name, mount_path: path }
          // An empty text leaves a hidden content unchanged, and empties one that the form showed.
          const isUnchanged = content === "" && typed(form, "shown") !== "content"
          await (typed(form, "type") === "file"
            ? update({ params, body: { ...changed, type: "file", ...(isUnchanged ? {} : { content }) } })
            : update({ params, body: { ...changed, type: "persistent", host_path: directory } }))
          break
        }
        case "file":
          await create({ params, body: { type: "file", mount_path: path, content } })
          break
        default:
          await create({ params, body: { type: "persistent", name, mount_path: path, host_path: directory } })
      }
      return { to: applicationPath(params.uuid, "storages") }
    } catch (error) {
      return rejectedForm(error, fields)
    }
  }
})
