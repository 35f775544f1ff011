import type { Package, PackageFile } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html } from "../../html/Html.ts"
import { empty, pageNumber, rowsPerPage } from "../../layout/components.ts"
import { bytes, time } from "../../layout/time.ts"
import { pathOf, repositoryPath } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { userLink } from "../issues/issueParts.ts"

/** The types of packages that the package registries support. */
export const packageTypes = ["container", "generic", "npm"] as const

/** The type, name and version that identify a package of an owner. */
export type PackageKey = Pick<Package, "name" | "type" | "version">

/** Returns the path of the page of an owner's packages, of one package, or of one version. */
export const packagePath = (owner: string, ...key: ReadonlyArray<string>): string =>
  pathOf(owner, "-", "packages", ...key)

/** Returns the filter in the URL for a list of packages, in the format of the API. */
export const packageQuery = (visit: Visit) => {
  const type = packageTypes.find((each) => each === visit.query.get("type"))
  const q = visit.query.get("q")?.trim().slice(0, 255) ?? ""
  return {
    ...(type === undefined ? {} : { type }),
    ...(q === "" ? {} : { q }),
    page: pageNumber(visit),
    limit: rowsPerPage
  }
}

/** Renders the form that filters a list of packages by name and type. */
export const packageFilter = (visit: Visit): Html => {
  const { issues, layout, packages: t, words } = visit.texts
  const chosen = visit.query.get("type") ?? ""
  return html`<form class="filters" role="search" aria-label="${words.filter}" action="${visit.url.pathname}"><input type="search" name="q" aria-label="${words.name}" placeholder="${words.name}" value="${visit.query.get("q") ?? ""}" maxlength="255">
<select name="type" aria-label="${t.type}"><option value="">${t.allTypes}</option>${packageTypes.map((type) => html`<option value="${type}"${type === chosen && html` selected`}>${t.types[type]}</option>`)}</select>
<button class="button">${icon("search")}${issues.filter}<span class="hidden-text"> ${layout.searchButton}</span></button></form>`
}

const typeLabel = ({ texts: { packages: t } }: Visit, type: string): string => {
  const known = packageTypes.find((each) => each === type)
  return known === undefined ? type : t.types[known]
}

/** Shows the type of a package. */
export const typeBadge = (visit: Visit, type: string): Html =>
  html`<span class="badge">${typeLabel(visit, type)}</span>`

/** Renders a list of package versions, with the names of the packages. */
export const versionList = (visit: Visit, versions: ReadonlyArray<Package>, none: string): Html => {
  const { packages: t } = visit.texts
  if (versions.length === 0) return empty(none)
  return html`<ul class="rows">${versions.map(({ created_at: at, creator, name, owner, repository, type, version }) => {
    const linked =
      repository === null
        ? undefined
        : html` · <a href="${repositoryPath({ owner: repository.owner.login, name: repository.name })}">${repository.full_name}</a>`
    return html`<li>${icon("package", "soft")}<div class="grow"><div class="row"><h3><a href="${packagePath(owner.login, type, name)}">${name}</a></h3><a href="${packagePath(owner.login, type, name, version)}"><code>${version}</code></a>${typeBadge(visit, type)}</div>
<div class="small soft">${t.published} ${time(visit, at)} ${userLink(creator)}${linked}</div></div></li>`
  })}</ul>`
}

const command = (lines: string): Html => html`<pre class="message" tabindex="0">${lines}</pre>`

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Returns the command that installs or downloads a version with the client of its package type. */
export const installCommand = (
  { host, origin }: Pick<URL, "host" | "origin">,
  owner: string,
  { name, type, version }: PackageKey,
  files: ReadonlyArray<Pick<PackageFile, "name">>
): string => {
  const registry = `${origin}/api/packages/${encodeURIComponent(owner)}`
  switch (type) {
    case "npm": {
      const [scope] = name.startsWith("@") ? name.split("/") : []
      const source = `${registry}/npm/`
      return scope === undefined
        ? `npm install ${shellWord(`${name}@${version}`)} --registry=${source}`
        : `npm config set ${shellWord(`${scope}:registry`)} ${source}\nnpm install ${shellWord(`${name}@${version}`)}`
    }
    case "container": {
      const reference = version.startsWith("sha256:") ? `@${version}` : `:${version}`
      return `podman pull ${shellWord(`${host}/${owner.toLowerCase()}/${name}${reference}`)}`
    }
    default:
      return files
        .map((file) => `curl -fOJ ${registry}/generic/${[name, version, file.name].map(encodeURIComponent).join("/")}`)
        .join("\n")
  }
}

/** Renders instructions to install or download a version with the client of its package type. */
export const installation = (
  visit: Visit,
  owner: string,
  key: PackageKey,
  files: ReadonlyArray<Pick<PackageFile, "name">>
): Html => {
  const { packages: t } = visit.texts
  const text = installCommand(visit.url, owner, key, files)
  const hint = key.type === "npm" ? t.npmHint : key.type === "container" ? t.containerHint : t.genericHint
  return text === ""
    ? empty(t.noFiles)
    : html`<div class="body">${command(text)}<p class="small soft">${hint}</p></div>`
}

/** Renders the files of a version, with their sizes and digests. */
export const fileTable = (visit: Visit, files: ReadonlyArray<PackageFile>): Html => {
  const { packages: t } = visit.texts
  if (files.length === 0) return empty(t.noFiles)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t.files}"><table><thead><tr><th>${t.file}</th><th>${t.size}</th><th>SHA-256</th></tr></thead><tbody>${files.map(
    ({ name, sha256, size }) =>
      html`<tr><td>${name}</td><td>${bytes(visit, size)}</td><td><code class="small">${sha256}</code></td></tr>`
  )}</tbody></table></div>`
}
