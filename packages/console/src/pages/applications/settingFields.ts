import type { Application, ApplicationUpdate } from "@slipway/client/deploy"
import { checkField, type Html, textArea, textField, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import type { Texts } from "../../texts/index.ts"

type Text = {
  [K in keyof Texts["applications"]]: Texts["applications"][K] extends string ? K : never
}[keyof Texts["applications"]]

/** A setting of an application: its field in the API, its kind, and its label. */
interface SettingField {
  readonly name: keyof ApplicationUpdate & keyof Application
  readonly kind: "text" | "lines" | "number" | "check"
  readonly label: Text | "name" | "description" | "domains"
  readonly hint?: Text
  /** The kind of application that has the setting; undefined if all applications have it. */
  readonly of?: "git" | "image"
}

/** The settings of the previews of an application. */
export const previewFields: ReadonlyArray<SettingField> = [
  { name: "is_preview_deployments_enabled", kind: "check", label: "previews" },
  { name: "preview_url_template", kind: "text", label: "previewTemplate", hint: "previewTemplateHint" }
]

/** The settings of an application in groups; each group is one form. */
export const settingGroups: ReadonlyArray<{
  readonly key: string
  readonly title: Text
  readonly fields: ReadonlyArray<SettingField>
}> = [
  {
    key: "general",
    title: "general",
    fields: [
      { name: "name", kind: "text", label: "name" },
      { name: "description", kind: "text", label: "description" }
    ]
  },
  {
    key: "network",
    title: "network",
    fields: [
      { name: "domains", kind: "text", label: "domains", hint: "domainsHint" },
      { name: "ports_exposes", kind: "text", label: "ports" },
      { name: "ports_mappings", kind: "text", label: "portMappings" },
      { name: "is_force_https_enabled", kind: "check", label: "forceHttps" }
    ]
  },
  {
    key: "source",
    title: "source",
    fields: [
      { name: "git_repository", kind: "text", label: "gitRepository", of: "git" },
      { name: "git_branch", kind: "text", label: "gitBranch", of: "git" },
      { name: "git_commit_sha", kind: "text", label: "gitCommit", of: "git" },
      { name: "base_directory", kind: "text", label: "baseDirectory", of: "git" },
      { name: "publish_directory", kind: "text", label: "publishDirectory", of: "git" },
      { name: "dockerfile_location", kind: "text", label: "dockerfileLocation", of: "git" },
      { name: "watch_paths", kind: "lines", label: "watchPaths", of: "git" },
      { name: "is_auto_deploy_enabled", kind: "check", label: "autoDeploy", of: "git" },
      { name: "docker_registry_image_name", kind: "text", label: "imageName", of: "image" },
      { name: "docker_registry_image_tag", kind: "text", label: "imageTag", of: "image" }
    ]
  },
  {
    key: "commands",
    title: "commands",
    fields: [
      { name: "install_command", kind: "text", label: "installCommand", of: "git" },
      { name: "build_command", kind: "text", label: "buildCommand", of: "git" },
      { name: "start_command", kind: "text", label: "startCommand", of: "git" },
      { name: "pre_deployment_command", kind: "text", label: "preDeployment" },
      { name: "post_deployment_command", kind: "text", label: "postDeployment" },
      { name: "stop_grace_period", kind: "number", label: "stopGrace" }
    ]
  },
  {
    key: "health",
    title: "health",
    fields: [
      { name: "health_check_enabled", kind: "check", label: "healthEnabled" },
      { name: "health_check_path", kind: "text", label: "healthPath" },
      { name: "health_check_port", kind: "text", label: "healthPort" },
      { name: "health_check_return_code", kind: "number", label: "healthCode" },
      { name: "health_check_interval", kind: "number", label: "healthInterval" },
      { name: "health_check_timeout", kind: "number", label: "healthTimeout" },
      { name: "health_check_retries", kind: "number", label: "healthRetries" },
      { name: "health_check_start_period", kind: "number", label: "healthStart" }
    ]
  },
  {
    key: "limits",
    title: "limits",
    fields: [
      { name: "limits_memory", kind: "text", label: "memory" },
      { name: "limits_cpus", kind: "text", label: "cpus" }
    ]
  }
]

/** Returns the fields of a group that apply to an application. */
export const fieldsOf = (
  { variant }: Pick<Application, "variant">,
  fields: ReadonlyArray<SettingField>
): ReadonlyArray<SettingField> => {
  const kind = variant === "dockerimage" ? "image" : variant === "dockerfile" ? "dockerfile" : "git"
  return fields.filter(({ of }) => of === undefined || of === kind)
}

const labelOf = ({ applications, words }: Texts, { label }: SettingField): string =>
  label === "name" || label === "description" || label === "domains" ? words[label] : applications[label]

/** Shows the form field of a setting with its current value. */
export const settingField = (visit: ConsoleVisit, application: Application, field: SettingField): Html => {
  const { hint, kind, name } = field
  const value = application[name]
  const shared = {
    name,
    label: labelOf(visit.texts, field),
    ...(hint === undefined ? {} : { hint: visit.texts.applications[hint] })
  }
  if (kind === "check") return checkField(visit, { ...shared, checked: value === true })
  const text = value === null || value === undefined ? "" : String(value)
  return kind === "lines"
    ? textArea(visit, { ...shared, value: text, rows: 4 })
    : textField(visit, { ...shared, value: text, type: kind === "number" ? "number" : "text", maxlength: 4096 })
}

/** Returns the submitted settings that differ from the current settings of the application. */
export const changesIn = (
  visit: ConsoleVisit,
  application: Application,
  fields: ReadonlyArray<SettingField>
): ApplicationUpdate => {
  const changes = fields.flatMap(
    ({ kind, name }): ReadonlyArray<readonly [string, string | number | boolean | null]> => {
      const before = application[name]
      const text = typed(visit.form, name)
      if (kind === "check") return (text === "on") === (before === true) ? [] : [[name, text === "on"]]
      if (text === (before === null || before === undefined ? "" : String(before))) return []
      return [[name, kind === "number" ? (text === "" ? null : Number(text)) : text]]
    }
  )
  // BOUNDARY: the API validates the values; a number field that holds no number is rejected there with its name.
  return Object.fromEntries(changes) as ApplicationUpdate
}
