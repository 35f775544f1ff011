import { type Html, html, textArea, textField, typed } from "@slipway/web/foundation"
import { applicationPath } from "../../../layout/links.ts"
import type { ConsoleVisit } from "../../../page/ConsolePage.ts"
import { typedText } from "../../../page/secretFields.ts"
import { applicationFields, applicationIn, buildPackField, portsField } from "./creation.ts"
import { detectedRepositoryIn, detectionField } from "./detection.ts"
import type { Source } from "./sourcePage.ts"

/** The names of the fields that the applications of all sources have. */
export const applicationNames = ["name", "server_uuid", "domains", "ports_exposes"] as const

/** The names of the fields of an application from a repository. */
export const repositoryNames = [
  ...applicationNames,
  "git_repository",
  "git_branch",
  "build_pack",
  "base_directory"
] as const

/** Shows the fields of the repository's branch and of the build, with the button that detects them. */
export const buildFields = (visit: ConsoleVisit, branch: Html) => {
  const { applications: t } = visit.texts
  return html`${branch}
${textField(visit, { name: "base_directory", label: t.baseDirectory, hint: t.baseDirectoryHint })}
${detectionField(visit)}
${buildPackField(visit)}
${portsField(visit, t.detectPortsHint)}`
}

/** Shows the field of a branch; an empty one is the default branch. */
export const branchField = (visit: ConsoleVisit): Html =>
  textField(visit, {
    name: "git_branch",
    label: visit.texts.applications.gitBranch,
    hint: visit.texts.applications.defaultBranchHint
  })

const nothingMore = async (): Promise<undefined> => undefined

/** A public repository at any git host. */
export const gitSource: Source<undefined> = {
  key: "git",
  texts: ({ texts: { applications: t } }) => ({ title: t.ofGit, hint: t.ofGitHint, button: t.create }),
  operations: ["applications.createPublic"],
  names: repositoryNames,
  extra: nothingMore,
  fields: (visit, servers) => {
    const { applications: t } = visit.texts
    return html`${textField(visit, { name: "git_repository", label: t.gitRepository, required: true, type: "url", maxlength: 2048 })}
${buildFields(visit, branchField(visit))}${applicationFields(visit, servers)}`
  },
  credentials: () => ({}),
  create: async (visit) => {
    const body = await detectedRepositoryIn(visit, {})
    return applicationPath((await visit.deploy.applications.createPublic({ body })).uuid)
  }
}

/** The text of a Dockerfile. */
export const dockerfileSource: Source<undefined> = {
  key: "dockerfile",
  texts: ({ texts: { applications: t } }) => ({ title: t.ofDockerfile, hint: t.ofDockerfileHint, button: t.create }),
  operations: ["applications.createDockerfile"],
  names: [...applicationNames, "dockerfile"],
  extra: nothingMore,
  fields: (visit, servers) =>
    html`${textArea(visit, { name: "dockerfile", label: "Dockerfile", required: true, rows: 12 })}
${portsField(visit, visit.texts.applications.exposedPortsHint)}${applicationFields(visit, servers)}`,
  create: async (visit) => {
    const body = { ...applicationIn(visit), dockerfile: typedText(visit, "dockerfile") }
    return applicationPath((await visit.deploy.applications.createDockerfile({ body })).uuid)
  }
}

const imageOf = ({ form }: ConsoleVisit) => {
  const text = typed(form, "image").trim()
  // A digest stays a part of the name.
  const [, image = text, tag] = /^([^@]*?)(?::([\w][\w.-]*))?$/.exec(text) ?? []
  return {
    docker_registry_image_name: image,
    ...(tag === undefined ? {} : { docker_registry_image_tag: tag })
  }
}

/** An image of a registry. */
export const imageSource: Source<undefined> = {
  key: "image",
  texts: ({ texts: { applications: t } }) => ({ title: t.ofImage, hint: t.ofImageHint, button: t.create }),
  operations: ["applications.createDockerimage"],
  names: [...applicationNames, "image"],
  shownAt: { docker_registry_image_name: "image", docker_registry_image_tag: "image" },
  extra: nothingMore,
  fields: (visit, servers) => {
    const { applications: t } = visit.texts
    return html`${textField(visit, { name: "image", label: t.imageName, required: true, maxlength: 1024 })}
${portsField(visit, t.imagePortsHint)}${applicationFields(visit, servers)}`
  },
  create: async (visit) => {
    const body = { ...applicationIn(visit), ...imageOf(visit) }
    return applicationPath((await visit.deploy.applications.createDockerimage({ body })).uuid)
  }
}
