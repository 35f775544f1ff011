import type { BuildDetection } from "@slipway/client/deploy"
import { type Html, html, type Problems, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../../page/ConsolePage.ts"
import { repositoryIn } from "./creation.ts"

/** The credentials that read a repository: none, a private key, or a forge connection or app installation. */
export interface Credentials {
  readonly private_key_uuid?: string
  readonly forge_app_uuid?: string
}

/** The API operations of the functions of this module. */
export const detectionOperations = ["projects.detectBuild"] as const

/** Thrown if no build settings are detected, with the form errors. */
export class Undetected extends Error {
  readonly problems: Problems
  constructor(problems: Problems) {
    super("no build settings were detected")
    this.problems = problems
  }
}

/** Detects the build settings of the repository in the form. */
export const detect = async (visit: ConsoleVisit, credentials: Credentials): Promise<BuildDetection> => {
  const { git_branch: branch, git_repository, ...rest } = repositoryIn(visit)
  const folder = "base_directory" in rest ? { base_directory: rest.base_directory ?? "/" } : {}
  return await visit.deploy.projects.detectBuild({
    params: { uuid: visit.params.project ?? "", environment: visit.params.environment ?? "" },
    body: { git_repository, ...(branch === "" ? {} : { git_branch: branch }), ...folder, ...credentials }
  })
}

/** Returns the detection that the form shows; undefined unless the user has just checked the repository. */
const shownIn = ({ form }: ConsoleVisit): BuildDetection | undefined => {
  // BOUNDARY: only `detect` returns an outcome with a branch.
  const outcome = form.outcome as BuildDetection | undefined
  return outcome !== undefined && "git_branch" in outcome ? outcome : undefined
}

/** Returns the build pack of a detection: a deployment reads the one of a manifest itself. */
const packOf = ({ build_pack: pack, has_manifest: hasManifest }: BuildDetection) =>
  pack ?? (hasManifest ? "nixpacks" : undefined)

/** Fills the empty fields of the form with the detected values; the build pack stays detected. */
export const withDetected = (visit: ConsoleVisit): ConsoleVisit => {
  const found = shownIn(visit)
  if (found === undefined) return visit
  const values = new URLSearchParams(visit.form.values)
  const detected = { git_branch: found.git_branch, ports_exposes: found.ports_exposes ?? "" }
  for (const [name, value] of Object.entries(detected)) {
    if ((values.get(name) ?? "").trim() === "") values.set(name, value)
  }
  return { ...visit, form: { ...visit.form, values } }
}

const nameOf = ({ texts }: ConsoleVisit, { build_pack: pack, has_manifest: hasManifest }: BuildDetection): string => {
  const { applications: t } = texts
  if (pack === null) return hasManifest ? t.detectedManifest : t.detectedNothing
  return t.detectedAs[pack]
}

/** Shows the button that checks the repository, and the result of the check. */
export const detectionField = (visit: ConsoleVisit): Html => {
  const { applications: t } = visit.texts
  const found = shownIn(visit)
  const isKnown = found !== undefined && packOf(found) !== undefined
  return html`<p class="row"><button class="button" name="do" value="detect">${t.checkRepository}</button><span class="small soft">${t.checkRepositoryHint}</span></p>
${found !== undefined && html`<p class="alert ${isKnown ? "info" : "warn"}" role="status" tabindex="-1" data-focus>${t.detected(found.git_branch, nameOf(visit, found))}${found.ports_exposes !== null && html` ${t.detectedPort(found.ports_exposes)}`}</p>`}`
}

/** Returns the fields of an application from a repository; detects the branch, build pack and port that are empty. */
export const detectedRepositoryIn = async (visit: ConsoleVisit, credentials: Credentials) => {
  const { build_pack: pack, ...repository } = repositoryIn(visit)
  if (typed(visit.form, "build_pack") !== "" && repository.git_branch !== "") return { ...repository, build_pack: pack }
  const found = await detect(visit, credentials)
  const detected = typed(visit.form, "build_pack") === "" ? packOf(found) : pack
  if (detected === undefined) {
    throw new Undetected({ build_pack: visit.texts.applications.detected(found.git_branch, nameOf(visit, found)) })
  }
  const locations = {
    ...(found.dockerfile_location === null ? {} : { dockerfile_location: found.dockerfile_location }),
    ...(found.docker_compose_location === null ? {} : { docker_compose_location: found.docker_compose_location })
  }
  return {
    ...(detected === found.build_pack ? locations : {}),
    ...(found.ports_exposes === null ? {} : { ports_exposes: found.ports_exposes }),
    ...repository,
    git_branch: repository.git_branch === "" ? found.git_branch : repository.git_branch,
    // BOUNDARY: the type of the body lists the build packs of its variant, which are those that are detected.
    build_pack: detected as "dockerfile"
  }
}
