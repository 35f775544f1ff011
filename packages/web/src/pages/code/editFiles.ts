import type { ContentsResponse } from "@slipway/client/forge"
import { fileField, formTo, textArea, textField, uploadForm } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { revisionPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { commitCard, commitFields, submitCommit, targetIn } from "./commitForm.ts"
import { loadRepository, repositoryOperations } from "./loadRepository.ts"
import { namedIn, type Place, placeIn, refOf, repositoryIn } from "./revision.ts"
import { breadcrumb } from "./tree.ts"

/** The maximum size in bytes of a file that can be edited in a form. */
const largestEdited = 512 * 1024

/** Reads the branch and the path from the URL. A repository without commits has only its default branch. */
const loadPlace = async (visit: Visit) => {
  const [{ may, repository }, place] = await Promise.all([loadRepository(visit), placeIn(visit, "branch")])
  return { repository, may, place }
}

const loadFile = async (visit: Visit) => {
  const { may, place, repository } = await loadPlace(visit)
  if (place.path === "") throw new NotFound()
  const { file_contents: file } = await visit.forge.repository.contents.readExtended({
    params: { ...namedIn(visit), "*": place.path },
    query: { ref: refOf(place.revision), includes: "file_content" }
  })
  if (file === null) throw new NotFound()
  return { repository, may, place, file }
}

/** Returns the text of a file. Returns undefined if it is binary, or too long for a form. */
const textOf = ({ content, size, type }: ContentsResponse): string | undefined => {
  if (type !== "file" || size > largestEdited || (content === null && size > 0)) return undefined
  const bytes = Buffer.from(content ?? "", "base64")
  const text = bytes.toString("utf8")
  return bytes.includes(0) || Buffer.compare(Buffer.from(text), bytes) !== 0 ? undefined : text
}

const viewOf = (
  visit: Visit,
  { may, place: { path, revision }, repository }: Awaited<ReturnType<typeof loadPlace>>,
  title: string,
  content: Html
) => ({
  title: `${title} · ${repository.full_name}`,
  frame: repositoryFrame(repository, "code", visit, may),
  body: html`<div class="title">${path === "" ? nothing : breadcrumb(visit, repositoryIn(visit), revision, path)}</div>${content}`
})

const backTo = (visit: Visit, { path, revision }: Place): string =>
  revisionPath(repositoryIn(visit), "src", revision, path)

const joined = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`)

/** Returns the path in a form, without slashes around it. Returns undefined if the path is not valid for a file. */
const pathIn = ({ form }: Visit): string | undefined => {
  const path = typed(form, "path")
    .trim()
    .replace(/^\/+|\/+$/g, "")
  const isPossible = path !== "" && path.split("/").every((part) => !["", ".", "..", ".git"].includes(part))
  return isPossible ? path : undefined
}

const base64 = (content: string | Uint8Array): string => Buffer.from(content as string).toString("base64")

/** Returns the text in a form with the line endings of the file, because browsers send `\r\n`. */
const contentIn = ({ form }: Visit): string => {
  const text = typed(form, "content").replaceAll("\r\n", "\n")
  return typed(form, "ends") === "crlf" ? text.replaceAll("\n", "\r\n") : text
}

const fileFields = (visit: Visit, path: string, content: string): Html => {
  const { files } = visit.texts
  return html`${textField(visit, { name: "path", label: files.path, hint: files.pathHint, value: path, required: true, maxlength: 4_096 })}
<input type="hidden" name="ends" value="${content.includes("\r\n") ? "crlf" : "lf"}">${textArea(visit, { name: "content", label: files.content, value: content, rows: 20, maxlength: largestEdited })}`
}

/** `/{owner}/{repo}/_new/{branch}/{folder}`: creates a file. */
const newFilePage = page({
  path: "/:owner/:repo/_new/*",
  operations: [...repositoryOperations, "repository.git.ref.read", "repository.contents.create"],
  signIn: true,
  load: loadPlace,
  view: (loaded, visit) => {
    const { place } = loaded
    const { files } = visit.texts
    const path = place.path === "" ? "" : `${place.path}/`
    const form = formTo(
      visit,
      visit.url.pathname,
      html`${fileFields(visit, path, "")}${commitFields(visit, place.revision.name, "", backTo(visit, place))}`
    )
    return viewOf(visit, loaded, files.newFile, commitCard(visit, files.newFile, form))
  },
  submit: async (visit) => {
    const { files } = visit.texts
    const { revision } = await placeIn(visit, "branch")
    const path = pathIn(visit)
    const { problems, target } = targetIn(visit, revision.name, files.addMessage(path ?? ""))
    if (path === undefined || Object.keys(problems).length > 0)
      return { problems: { ...(path === undefined ? { path: files.pathWrong } : {}), ...problems } }
    const body = { ...target, content: base64(contentIn(visit)) }
    const params = { ...namedIn(visit), "*": path }
    return submitCommit(visit, target, path, visit.forge.repository.contents.create({ params, body }).result())
  }
})

/** `/{owner}/{repo}/_edit/{branch}/{path}`: changes or renames a file. */
const editFilePage = page({
  path: "/:owner/:repo/_edit/*",
  operations: [
    ...repositoryOperations,
    "repository.git.ref.read",
    "repository.contents.readExtended",
    "repository.contents.edit"
  ],
  signIn: true,
  load: loadFile,
  view: (loaded, visit) => {
    const { file, place } = loaded
    const { files } = visit.texts
    const text = textOf(file)
    if (text === undefined) return viewOf(visit, loaded, files.edit, empty(files.notEditable))
    const form = formTo(
      visit,
      visit.url.pathname,
      html`<input type="hidden" name="sha" value="${visit.form.values.get("sha") ?? file.sha}">${fileFields(visit, file.path, text)}${commitFields(visit, place.revision.name, "", backTo(visit, place))}`
    )
    return viewOf(visit, loaded, files.edit, commitCard(visit, files.edit, form))
  },
  submit: async (visit) => {
    const { files } = visit.texts
    const { path: before, revision } = await placeIn(visit, "branch")
    const path = pathIn(visit)
    const { problems, target } = targetIn(visit, revision.name, files.editMessage(path ?? ""))
    if (path === undefined || Object.keys(problems).length > 0)
      return { problems: { ...(path === undefined ? { path: files.pathWrong } : {}), ...problems } }
    const body = {
      ...target,
      content: base64(contentIn(visit)),
      sha: typed(visit.form, "sha"),
      ...(path === before ? {} : { from_path: before })
    }
    const params = { ...namedIn(visit), "*": path }
    return submitCommit(visit, target, path, visit.forge.repository.contents.edit({ params, body }).result())
  }
})

/** `/{owner}/{repo}/_delete/{branch}/{path}`: deletes a file. */
const deleteFilePage = page({
  path: "/:owner/:repo/_delete/*",
  operations: [
    ...repositoryOperations,
    "repository.git.ref.read",
    "repository.contents.readExtended",
    "repository.contents.delete"
  ],
  signIn: true,
  load: loadFile,
  view: (loaded, visit) => {
    const { file, place } = loaded
    const { files } = visit.texts
    const form = formTo(
      visit,
      visit.url.pathname,
      html`<p>${files.deleteWhat(file.path)}</p><input type="hidden" name="sha" value="${visit.form.values.get("sha") ?? file.sha}">${commitFields(visit, place.revision.name, "", backTo(visit, place))}`
    )
    return viewOf(visit, loaded, files.deleteTitle, commitCard(visit, files.deleteTitle, form))
  },
  submit: async (visit) => {
    const { path, revision } = await placeIn(visit, "branch")
    const { problems, target } = targetIn(visit, revision.name, visit.texts.files.deleteMessage(path))
    if (Object.keys(problems).length > 0) return { problems }
    const params = { ...namedIn(visit), "*": path }
    const body = { ...target, sha: typed(visit.form, "sha") }
    return submitCommit(visit, target, "", visit.forge.repository.contents.delete({ params, body }).result())
  }
})

/** `/{owner}/{repo}/_upload/{branch}/{folder}`: commits files from the user's computer. */
const uploadFilesPage = page({
  path: "/:owner/:repo/_upload/*",
  operations: [...repositoryOperations, "repository.git.ref.read", "repository.contents.change"],
  signIn: true,
  uploads: true,
  load: loadPlace,
  view: (loaded, visit) => {
    const { place } = loaded
    const { files } = visit.texts
    const form = uploadForm(
      visit,
      visit.url.pathname,
      html`${fileField(visit, { name: "files", label: files.files, hint: files.filesHint, required: true })}${commitFields(visit, place.revision.name, "", backTo(visit, place))}`
    )
    return viewOf(visit, loaded, files.uploadFiles, commitCard(visit, files.uploadFiles, form))
  },
  submit: async (visit) => {
    const { path, revision } = await placeIn(visit, "branch")
    const sent = visit.form.files?.get("files") ?? []
    const { problems, target } = targetIn(visit, revision.name, visit.texts.files.uploadMessage(sent.length))
    if (sent.length === 0 || Object.keys(problems).length > 0)
      return { problems: { ...(sent.length === 0 ? { files: visit.texts.forms.required } : {}), ...problems } }
    const files = await Promise.all(
      sent.map(async (file) => ({
        operation: "upload" as const,
        // Some systems send the path of the file.
        path: joined(path, file.name.replace(/^.*[\\/]/, "")),
        content: base64(new Uint8Array(await file.arrayBuffer()))
      }))
    )
    const changed = visit.forge.repository.contents.change({ params: namedIn(visit), body: { ...target, files } })
    return submitCommit(visit, target, path, changed.result())
  }
})

/** The pages that create, edit, delete and upload files. */
export const editPages = [newFilePage, editFilePage, deleteFilePage, uploadFilesPage]
