import type { Application, ApplicationUpdate } from "@slipway/client/deploy"
import { checkField, type Html, selectField, textArea, textField, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { optionsWith } from "../../page/options.ts"
import { secretField } from "../../page/secretFields.ts"
import type { Texts } from "../../texts/index.ts"

type Text = {
  [K in keyof Texts["applications"]]: Texts["applications"][K] extends string ? K : never
}[keyof Texts["applications"]]

/** A setting of an application: its field in the API, its kind, and its label. */
interface SettingField {
  readonly name: keyof ApplicationUpdate & keyof Application
  /** `list` has one value per line, and `pairs` one `name=domain` per line. A `secret` is never shown. */
  readonly kind: "check" | "lines" | "list" | "number" | "pairs" | "secret" | "select" | "text"
  readonly label: Text | "name" | "description" | "domains"
  readonly hint?: Text
  /** The choices of a select field. */
  readonly options?: ReadonlyArray<readonly [value: string, label: Text | `=${string}`]>
  /** Whether an empty field is sent as null. */
  readonly isNullable?: boolean
  /** The kind of application that has the setting; undefined if all applications have it. */
  readonly of?: "built" | "compose" | "dockerfile" | "git" | "image" | "text"
}

/** The settings of the previews of an application. */
export const previewFields: ReadonlyArray<SettingField> = [
  { name: "is_preview_deployments_enabled", kind: "check", label: "previews" },
  { name: "preview_url_template", kind: "text", label: "previewTemplate", hint: "previewTemplateHint" }
]

const buildPacks = [
  ["nixpacks", "nixpacks"],
  ["dockerfile", "=Dockerfile"],
  ["dockercompose", "=Docker Compose"],
  ["static", "staticFiles"],
  ["railpack", "=Railpack"]
] as const

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
      {
        name: "docker_compose_domains",
        kind: "pairs",
        label: "composeDomains",
        hint: "composeDomainsHint",
        of: "compose"
      },
      { name: "autogenerate_domain", kind: "check", label: "generateDomain" },
      {
        name: "redirect",
        kind: "select",
        label: "redirect",
        isNullable: true,
        options: [
          ["", "redirectNone"],
          ["www", "redirectWww"],
          ["non-www", "redirectNonWww"],
          ["both", "redirectBoth"]
        ]
      },
      { name: "is_force_https_enabled", kind: "check", label: "forceHttps" },
      { name: "is_gzip_enabled", kind: "check", label: "compress" },
      { name: "is_stripprefix_enabled", kind: "check", label: "stripPrefix" },
      { name: "noindex_domains", kind: "list", label: "noindex", hint: "noindexHint" },
      { name: "ports_exposes", kind: "text", label: "ports" },
      { name: "ports_mappings", kind: "text", label: "portMappings" },
      { name: "connect_to_docker_network", kind: "check", label: "connectNetwork" }
    ]
  },
  {
    key: "auth",
    title: "basicAuth",
    fields: [
      { name: "is_http_basic_auth_enabled", kind: "check", label: "basicAuthEnabled" },
      { name: "http_basic_auth_username", kind: "text", label: "basicAuthUser", isNullable: true },
      { name: "http_basic_auth_password", kind: "secret", label: "basicAuthPassword" }
    ]
  },
  {
    key: "source",
    title: "source",
    fields: [
      { name: "git_repository", kind: "text", label: "gitRepository", of: "git" },
      { name: "git_branch", kind: "text", label: "gitBranch", of: "git" },
      { name: "git_commit_sha", kind: "text", label: "gitCommit", of: "git" },
      { name: "build_pack", kind: "select", label: "buildPack", options: buildPacks, of: "git" },
      { name: "base_directory", kind: "text", label: "baseDirectory", of: "git" },
      { name: "publish_directory", kind: "text", label: "publishDirectory", of: "git" },
      { name: "is_static", kind: "check", label: "isStatic", of: "git" },
      { name: "is_spa", kind: "check", label: "isSpa", of: "git" },
      { name: "dockerfile_location", kind: "text", label: "dockerfileLocation", of: "dockerfile" },
      { name: "docker_compose_location", kind: "text", label: "composeLocation", of: "compose" },
      { name: "watch_paths", kind: "lines", label: "watchPaths", of: "git" },
      { name: "is_auto_deploy_enabled", kind: "check", label: "autoDeploy", of: "git" },
      { name: "is_commit_skip_enabled", kind: "check", label: "commitSkip", of: "git" },
      { name: "is_git_submodules_enabled", kind: "check", label: "submodules", of: "git" },
      { name: "is_git_lfs_enabled", kind: "check", label: "lfs", of: "git" },
      { name: "dockerfile", kind: "lines", label: "dockerfileText", of: "text" },
      { name: "docker_registry_image_name", kind: "text", label: "imageName", of: "image" },
      { name: "docker_registry_image_tag", kind: "text", label: "imageTag", of: "image" }
    ]
  },
  {
    key: "build",
    title: "build",
    fields: [
      { name: "docker_registry_image_name", kind: "text", label: "pushImage", hint: "pushImageHint", of: "built" },
      { name: "docker_registry_image_tag", kind: "text", label: "pushTag", of: "built" },
      { name: "use_build_server", kind: "check", label: "buildServer", of: "built" },
      { name: "disable_build_cache", kind: "check", label: "noCache", of: "built" },
      { name: "include_source_commit_in_build", kind: "check", label: "commitInBuild", of: "git" },
      { name: "docker_images_to_keep", kind: "number", label: "imagesToKeep" }
    ]
  },
  {
    key: "commands",
    title: "commands",
    fields: [
      { name: "install_command", kind: "text", label: "installCommand", of: "git" },
      { name: "build_command", kind: "text", label: "buildCommand", of: "git" },
      { name: "start_command", kind: "text", label: "startCommand", of: "git" },
      { name: "docker_compose_custom_build_command", kind: "text", label: "composeBuild", of: "compose" },
      { name: "docker_compose_custom_start_command", kind: "text", label: "composeStart", of: "compose" },
      { name: "pre_deployment_command", kind: "text", label: "preDeployment" },
      { name: "pre_deployment_command_container", kind: "text", label: "preDeploymentContainer" },
      { name: "post_deployment_command", kind: "text", label: "postDeployment" },
      { name: "post_deployment_command_container", kind: "text", label: "postDeploymentContainer" },
      { name: "stop_grace_period", kind: "number", label: "stopGrace" }
    ]
  },
  {
    key: "health",
    title: "health",
    fields: [
      { name: "health_check_enabled", kind: "check", label: "healthEnabled" },
      {
        name: "health_check_scheme",
        kind: "select",
        label: "healthScheme",
        options: [
          ["http", "=HTTP"],
          ["https", "=HTTPS"]
        ]
      },
      { name: "health_check_method", kind: "text", label: "healthMethod" },
      { name: "health_check_host", kind: "text", label: "healthHost", isNullable: true },
      { name: "health_check_port", kind: "text", label: "healthPort", isNullable: true },
      { name: "health_check_path", kind: "text", label: "healthPath" },
      { name: "health_check_return_code", kind: "number", label: "healthCode" },
      { name: "health_check_response_text", kind: "text", label: "healthText", isNullable: true },
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
      { name: "limits_memory_reservation", kind: "text", label: "memoryReservation" },
      { name: "limits_memory_swap", kind: "text", label: "memorySwap" },
      { name: "limits_memory_swappiness", kind: "number", label: "memorySwappiness" },
      { name: "limits_cpus", kind: "text", label: "cpus" },
      { name: "limits_cpuset", kind: "text", label: "cpuSet", isNullable: true },
      { name: "limits_cpu_shares", kind: "number", label: "cpuShares" }
    ]
  },
  {
    key: "advanced",
    title: "advanced",
    fields: [
      { name: "custom_docker_run_options", kind: "text", label: "runOptions" },
      { name: "custom_labels", kind: "lines", label: "customLabels" },
      { name: "is_container_label_escape_enabled", kind: "check", label: "labelEscape" },
      { name: "is_env_sorting_enabled", kind: "check", label: "sortVariables" }
    ]
  }
]

/** Returns the kinds of an application, by which its settings are chosen. */
const kindsOf = ({ build_pack: pack, variant }: Pick<Application, "build_pack" | "variant">): ReadonlyArray<string> => {
  if (variant === "dockerimage") return ["image"]
  if (variant === "dockerfile") return ["text", "built"]
  return ["git", "built", ...(pack === "dockercompose" ? ["compose"] : []), ...(pack === "dockerfile" ? [pack] : [])]
}

/** Returns the fields of a group that apply to an application. */
export const fieldsOf = (
  application: Pick<Application, "build_pack" | "variant">,
  fields: ReadonlyArray<SettingField>
): ReadonlyArray<SettingField> => {
  const kinds = kindsOf(application)
  return fields.filter(({ of }) => of === undefined || kinds.includes(of))
}

const labelOf = ({ applications, words }: Texts, { label }: SettingField): string =>
  label === "name" || label === "description" || label === "domains" ? words[label] : applications[label]

/** Returns the stored value of a setting as the text of its field. */
const storedText = (application: Application, { kind, name }: SettingField): string => {
  const value = application[name]
  if (value === null || value === undefined) return ""
  if (kind === "pairs") {
    return (application.docker_compose_domains ?? []).map((each) => `${each.name}=${each.domain}`).join("\n")
  }
  return Array.isArray(value) ? value.join("\n") : String(value)
}

/** Shows the form field of a setting with its current value. */
export const settingField = (visit: ConsoleVisit, application: Application, field: SettingField): Html => {
  const { hint, kind, name, options = [] } = field
  const { applications: t } = visit.texts
  const value = storedText(application, field)
  const shared = { name, label: labelOf(visit.texts, field), ...(hint === undefined ? {} : { hint: t[hint] }) }
  switch (kind) {
    case "check":
      return checkField(visit, { ...shared, checked: application[name] === true })
    case "secret":
      return secretField(visit, { ...shared, isStored: application[name] !== null })
    case "select":
      return selectField(visit, {
        ...shared,
        value,
        options: optionsWith(
          value,
          options.map(([each, label]) => ({
            value: each,
            // BOUNDARY: a label that begins with `=` is a name, and any other one is the key of a text.
            label: label.startsWith("=") ? label.slice(1) : t[label as Text]
          }))
        )
      })
    case "lines":
    case "list":
    case "pairs":
      return textArea(visit, { ...shared, value, rows: kind === "lines" ? 6 : 3, maxlength: 100_000 })
    default:
      return textField(visit, { ...shared, value, type: kind === "number" ? "number" : "text", maxlength: 10_000 })
  }
}

const linesIn = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const pairIn = (line: string) => {
  const at = line.indexOf("=")
  return { name: line.slice(0, at < 0 ? undefined : at).trim(), domain: at < 0 ? "" : line.slice(at + 1).trim() }
}

/** Converts the typed text of a setting to the value that the API accepts. */
const sentValue = ({ isNullable = false, kind }: SettingField, text: string) => {
  if (kind === "list") return linesIn(text)
  if (kind === "pairs") return linesIn(text).map(pairIn)
  if (text === "" && (isNullable || kind === "number")) return null
  return kind === "number" ? Number(text) : text
}

/** Returns the submitted settings that differ from the current settings of the application. */
export const changesIn = (
  visit: ConsoleVisit,
  application: Application,
  fields: ReadonlyArray<SettingField>
): ApplicationUpdate => {
  const changes = fields.flatMap((field): ReadonlyArray<readonly [string, unknown]> => {
    const { kind, name } = field
    const text = typed(visit.form, name).replaceAll("\r\n", "\n")
    if (kind === "check") {
      const isOn = text === "on"
      return isOn === (application[name] === true) ? [] : [[name, isOn]]
    }
    if (kind === "secret") return text === "" ? [] : [[name, text]]
    return text === storedText(application, field) ? [] : [[name, sentValue(field, text)]]
  })
  // BOUNDARY: the API validates the values; a number field that holds no number is rejected there with its name.
  return Object.fromEntries(changes) as ApplicationUpdate
}
