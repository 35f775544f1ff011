import type { Package } from "@slipway/client/forge"
import { problemSummary, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems, typedNameProblem } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { ownerFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { userLink } from "../issues/issueParts.ts"
import { offersOf } from "../organizations/organization.ts"
import { ownerOperations, readOwner } from "../owner/readOwner.ts"
import { fileTable, installation, packagePath, typeBadge, versionList } from "./packageParts.ts"

const keyIn = ({ params }: Visit) => ({
  username: params.owner ?? "",
  type: params.type ?? "",
  name: params.name ?? ""
})

const versionIn = (visit: Visit) => ({ ...keyIn(visit), version: visit.params.version ?? "" })

/** Loads the owner in the URL, the tabs of its pages, and what the viewer may do with its packages. */
const loadOwner = async (visit: Visit) => {
  const owner = await readOwner(visit, visit.params.owner ?? "")
  const about = `packages:${"login" in owner ? owner.login : owner.username}`
  const questions = {
    remove: ["package.delete", about],
    removeVersion: ["package.version.delete", about],
    link: ["package.link", about]
  } as const
  // One request decides about the tabs and the buttons.
  const may = await ("login" in owner ? decisionsOn(visit, questions) : offersOf(visit, owner, {}, questions))
  return { owner, offers: "teams" in may ? may : {}, may }
}

const facts = (visit: Visit, { created_at: at, creator, repository }: Package): Html => {
  const { packages: t } = visit.texts
  return html`<aside><section><h2>${t.details}</h2><p class="small">${t.published} ${time(visit, at)}<br>${userLink(creator)}</p></section>
<section><h2>${t.repository}</h2><p>${repository === null ? html`<span class="soft">${t.notLinked}</span>` : html`<a href="${repositoryPath({ owner: repository.owner.login, name: repository.name })}">${repository.full_name}</a>`}</p></section></aside>`
}

/** Renders the forms that link a package to a repository and that delete the package. */
const packageForms = (
  visit: Visit,
  { name, repository }: Package,
  may: { readonly link: boolean; readonly remove: boolean }
) => {
  const { forms, packages: t } = visit.texts
  return html`${
    may.link &&
    formSection(visit, {
      key: "link",
      title: t.link,
      hint: t.linkHint,
      fields: (own) =>
        textField(own, {
          name: "repository",
          label: t.repository,
          required: true,
          value: repository?.name ?? "",
          maxlength: 100
        }),
      button: t.link
    })
  }${may.link && repository !== null && html`<p>${actionButton(visit, { do: "unlink" }, t.unlink)}</p>`}${
    may.remove &&
    formSection(visit, {
      key: "delete",
      title: t.delete,
      hint: t.deleteHint,
      danger: true,
      fields: (own) => textField(own, { name: "confirm", label: `${t.typeName}: ${name}`, required: true }),
      button: forms.delete
    })
  }`
}

/** `/{owner}/-/packages/{type}/{name}`: a package with its latest version and its other versions. */
export const packagePage = page({
  path: "/:owner/-/packages/:type/:name",
  operations: [
    ...ownerOperations,
    "access.check",
    "package.version.list",
    "package.version.readLatest",
    "package.version.file.list",
    "package.link",
    "package.unlink",
    "package.delete"
  ],
  signIn: true,
  load: async (visit) => {
    const params = keyIn(visit)
    const { version } = visit.forge.package
    const current = pageNumber(visit)
    const [known, versions] = await Promise.all([
      loadOwner(visit),
      version.list({ params, query: { page: current, limit: rowsPerPage } })
    ])
    // The list begins with the latest version.
    const [first] = current === 1 ? versions : []
    const latest = first ?? (await version.readLatest({ params }))
    const files =
      latest.type === "generic" ? await version.file.list({ params: { ...params, version: latest.version } }) : []
    return { ...known, versions, latest, files }
  },
  view: ({ files, latest, may, offers, owner, versions }, visit) => {
    const { packages: t } = visit.texts
    const name = visit.params.owner ?? ""
    return {
      title: `${latest.name} · ${t.title}`,
      frame: ownerFrame(owner, "packages", visit, offers),
      body: html`<div class="title"><h2>${latest.name}</h2>${typeBadge(visit, latest.type)}<a class="push" href="${packagePath(name, latest.type, latest.name, latest.version)}">${t.latest}: <code>${latest.version}</code></a></div>${otherProblems(visit, ["link", "delete"])}
<div class="split"><div>${card(t.install, installation(visit, latest.owner.login, latest, files))}${card(t.versions, versionList(visit, versions, t.none))}${pagination(visit, versions.length === rowsPerPage)}${packageForms(visit, latest, may)}</div>${facts(visit, latest)}</div>`
    }
  },
  submit: async (visit): Promise<Submitted> => {
    const { forge, form, texts, url } = visit
    const params = keyIn(visit)
    switch (typed(form, "do")) {
      case "link": {
        const name = typed(form, "repository").trim()
        if (name === "") return { problems: { repository: texts.forms.required } }
        const linked = await forge.package.link({ params: { ...params, repo_name: name } }).result()
        if (linked.ok) return { to: url.pathname }
        // The package exists: it was just shown. A hidden repository gets the same message as a missing one.
        return linked.error.status === 404
          ? { problems: { repository: texts.errors.noSuchName } }
          : rejectedAt(linked.error, { "": "repository" })
      }
      case "unlink":
        await forge.package.unlink({ params })
        return { to: url.pathname }
      case "delete": {
        const problem = typedNameProblem(visit, "confirm", params.name)
        if (problem !== undefined) return { problems: { confirm: problem } }
        await forge.package.delete({ params })
        return { to: packagePath(params.username) }
      }
      default:
        throw new NotFound()
    }
  }
})

/** `/{owner}/-/packages/{type}/{name}/{version}`: a version of a package, with its files. */
export const packageVersionPage = page({
  path: "/:owner/-/packages/:type/:name/:version",
  operations: [
    ...ownerOperations,
    "access.check",
    "package.version.read",
    "package.version.file.list",
    "package.version.delete"
  ],
  signIn: true,
  load: async (visit) => {
    const params = versionIn(visit)
    const [known, version, files] = await Promise.all([
      loadOwner(visit),
      visit.forge.package.version.read({ params }),
      visit.forge.package.version.file.list({ params })
    ])
    return { ...known, version, files }
  },
  view: ({ files, may, offers, owner, version }, visit) => {
    const { forms, packages: t } = visit.texts
    const name = visit.params.owner ?? ""
    return {
      title: `${version.name} ${version.version} · ${t.title}`,
      frame: ownerFrame(owner, "packages", visit, offers),
      body: html`<div class="title"><h2><a href="${packagePath(name, version.type, version.name)}">${version.name}</a> <code>${version.version}</code></h2>${typeBadge(visit, version.type)}</div>${problemSummary(visit)}
<div class="split"><div>${card(t.install, installation(visit, version.owner.login, version, files))}${card(t.files, fileTable(visit, files))}${may.removeVersion ? card(t.deleteVersion, html`<div class="body"><p>${t.deleteVersionHint}</p>${actionButton(visit, { do: "delete" }, forms.delete, { className: "button danger", about: version.version })}</div>`) : nothing}</div>${facts(visit, version)}</div>`
    }
  },
  submit: async (visit): Promise<Submitted> => {
    const params = versionIn(visit)
    await visit.forge.package.version.delete({ params })
    return { to: packagePath(params.username) }
  }
})
