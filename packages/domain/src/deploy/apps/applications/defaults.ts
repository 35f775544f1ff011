import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { fields, plainFields } from "../fields/table.ts"
import type { Variant } from "../fields/variants.ts"
import { exposedPortOf } from "../sources/detect.ts"
import type { Configuration } from "./Application.ts"
import type { Values } from "./Draft.ts"
import { escapeLabels } from "./labels.ts"

const lastPart = (path: string): string =>
  path
    .replace(/[/:]+$/, "")
    .replace(/\.git$/, "")
    .split(/[/:]/)
    .at(-1) ?? ""

const sourceName = (variant: Variant, values: Values): string => {
  switch (variant) {
    case "dockerfile":
      return "dockerfile"
    case "dockerimage":
      return lastPart((values.docker_registry_image_name ?? "").replace(/@.*$/, "").replace(/:[^/]*$/, ""))
    default:
      return `${lastPart(values.git_repository ?? "")}-${values.git_branch ?? ""}`
  }
}

const exposedPort = (values: Values): string => {
  switch (values.build_pack) {
    case "packer_a":
    case "packer_b":
    case "nixpacks":
    case "railpack":
      return values.is_static === true ? "80" : "3000"
    case "dockercompose":
      return ""
    default:
      return exposedPortOf(values.dockerfile ?? "") ?? "80"
  }
}

/** Returns a name with a unique suffix, shortened to the maximum length. */
export const nameEnding = (name: string | null, end: string): string =>
  `${(name ?? "").slice(0, 230).toWellFormed()}-${end}`

/** Returns the tag of an image without a tag in the request; empty if the name has a tag or a digest. */
const imageTag = ({ docker_registry_image_name: name }: Values): string =>
  /[:@][^/]*$/.test(name ?? "") ? "" : "latest"

/** Returns the settings of a new application: those of the request, and defaults for omitted ones. */
export const newConfiguration = (variant: Variant, uuid: ApplicationUuid, values: Values): Configuration => {
  const accepted = plainFields.filter((name) => fields[name].variants.includes(variant))
  const unset = Object.fromEntries(
    plainFields.map((name) => [name, accepted.includes(name) ? fields[name].unset : null])
  ) as Configuration
  return merge(
    {
      ...unset,
      name: nameEnding(sourceName(variant, values), uuid),
      ports_exposes: exposedPort(values),
      ...(variant === "dockerfile" ? { build_pack: "dockerfile" as const } : {}),
      ...(variant === "dockerimage" ? { docker_registry_image_tag: imageTag(values) } : {})
    },
    values
  )
}

/** Returns settings in which the settings of a request replace the existing ones. */
export const merge = (present: Configuration, values: Values): Configuration => {
  const sent = Object.fromEntries(
    plainFields.filter((name) => values[name] !== undefined).map((name) => [name, values[name]])
  ) as Partial<Configuration>
  return { ...present, ...sent }
}

/** Returns settings in the form in which they are stored: with escaped container labels. */
export const toStored = (sent: Configuration): Configuration => ({
  ...sent,
  custom_labels: escapeLabels(sent.custom_labels, sent.is_container_label_escape_enabled)
})
