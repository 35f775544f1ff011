import type { Server } from "@slipway/client/deploy"
import { checkField, type Html, html, linkButton, selectField, textField, typed } from "@slipway/web/foundation"
import { environmentPath } from "../../../layout/links.ts"
import type { ConsoleVisit } from "../../../page/ConsolePage.ts"
import { overrideField } from "../../applications/domainConflicts.ts"

/** Returns the path of the page that lists the sources of a new resource, or of the form of one source. */
export const newResourcePath = ({ params }: ConsoleVisit, ...below: ReadonlyArray<string>): string =>
  environmentPath(params.project ?? "", params.environment ?? "", "new", ...below)

/** The build packs that a user can choose. */
const buildPacks = [
  ["nixpacks", "Nixpacks"],
  ["dockerfile", "Dockerfile"],
  ["dockercompose", "Docker Compose"],
  ["static", "Static files"],
  ["railpack", "Railpack"]
] as const

/** Shows the field of the build pack; by default, the platform detects it. */
export const buildPackField = (visit: ConsoleVisit): Html => {
  const { applications: t } = visit.texts
  const options = buildPacks.map(([value, label]) => ({ value, label: value === "nixpacks" ? t.nixpacks : label }))
  return selectField(visit, {
    name: "build_pack",
    label: t.buildPack,
    hint: t.detectHint,
    options: [{ value: "", label: t.detect }, ...options]
  })
}

// BOUNDARY: the options of the field are build packs; the API rejects any other value.
const buildPackIn = ({ form }: ConsoleVisit) => typed(form, "build_pack") as "dockerfile"

const filled = <const Name extends string>({ form }: ConsoleVisit, name: Name): { readonly [N in Name]?: string } => {
  const value = typed(form, name).trim()
  // BOUNDARY: the only key is the name.
  return (value === "" ? {} : { [name]: value }) as { readonly [N in Name]?: string }
}

/** Returns the place of the new resource: its environment, and the chosen server. */
export const placeIn = (visit: ConsoleVisit) => ({
  project_uuid: visit.params.project ?? "",
  environment_name: visit.params.environment ?? "",
  server_uuid: typed(visit.form, "server_uuid"),
  ...filled(visit, "name")
})

const isOn = ({ form }: ConsoleVisit, name: string): boolean => typed(form, name) === "on"

/** Returns whether the resource starts immediately, and whether it takes over domains of other resources. */
export const startIn = (visit: ConsoleVisit) => ({
  instant_deploy: isOn(visit, "instant_deploy"),
  ...(isOn(visit, "force_domain_override") ? { force_domain_override: true } : {})
})

/** Returns the fields that the applications of all sources have. */
export const applicationIn = (visit: ConsoleVisit) => ({
  ...placeIn(visit),
  ...startIn(visit),
  ...filled(visit, "domains"),
  ...filled(visit, "ports_exposes")
})

/** Returns the fields of an application from a repository. The build pack is omitted if the platform detects it. */
export const repositoryIn = (visit: ConsoleVisit) => ({
  ...applicationIn(visit),
  git_repository: typed(visit.form, "git_repository").trim(),
  git_branch: typed(visit.form, "git_branch").trim(),
  build_pack: buildPackIn(visit),
  ...filled(visit, "base_directory")
})

/** Shows the field of the server. */
export const serverField = (visit: ConsoleVisit, servers: ReadonlyArray<Server>): Html =>
  selectField(visit, {
    name: "server_uuid",
    label: visit.texts.words.server,
    options: servers.map(({ name, uuid }) => ({ value: uuid, label: name }))
  })

/** Shows the checkbox that starts the new resource. */
export const startField = (visit: ConsoleVisit): Html =>
  checkField(visit, { name: "instant_deploy", label: visit.texts.applications.createAndDeploy, checked: true })

/** Shows the field of the name. */
export const nameField = (visit: ConsoleVisit): Html =>
  textField(visit, { name: "name", label: visit.texts.words.name, hint: visit.texts.applications.nameHint })

const generatedDomains = ({ texts }: ConsoleVisit, servers: ReadonlyArray<Server>): string => {
  const { applications: t } = texts
  const shown = servers.map(({ generated_domain: domain, name }) => {
    const address = domain.replace("{uuid}", t.generatedId)
    return servers.length === 1 ? address : `${name}: ${address}`
  })
  return `${t.domainsHint}. ${t.generatedHint(shown.join(", "))}`
}

/** Shows the fields that the applications of all sources have. */
export const applicationFields = (visit: ConsoleVisit, servers: ReadonlyArray<Server>): Html => {
  const { words } = visit.texts
  return html`${nameField(visit)}
${textField(visit, { name: "domains", label: words.domains, hint: generatedDomains(visit, servers), maxlength: 4096 })}${overrideField(visit)}
${serverField(visit, servers)}${startField(visit)}`
}

/** Shows the field of the ports. */
export const portsField = (visit: ConsoleVisit, hint: string): Html =>
  textField(visit, { name: "ports_exposes", label: visit.texts.applications.ports, hint })

/** Shows the link to the list of sources. */
export const otherSource = (visit: ConsoleVisit): Html =>
  linkButton(newResourcePath(visit), visit.texts.applications.otherSource, undefined, "push")
