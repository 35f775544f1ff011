import { Schema } from "effect"
import { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import { PrivateKeyUuid } from "../../infrastructure/keys/PrivateKey.ts"
import { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import { parseDomains } from "../domains/DomainAddress.ts"
import { EnvironmentUuid, ProjectUuid } from "../projects/Project.ts"
import { Dockerfile, ImageName, ImageTag } from "./docker.ts"
import { field, line, lineThat, nonEmpty, text, whole } from "./field.ts"
import { AppRepository, GitBranch, GitCommit, GitRepository } from "./git.ts"
import { CpuSet, Cpus, Memory, MemorySwap } from "./limits.ts"
import { InnerPath, UrlPath } from "./paths.ts"
import { Port, PortMappings, Ports } from "./ports.ts"
import { PreviewTemplate, usualTemplate } from "./preview.ts"
import { built, fromGit, type Variant, variants } from "./variants.ts"

const git = { variants: fromGit }
const secret = { secret: true }
const nullable = Schema.NullOr

const Flag = Schema.Boolean
const Command = text(10_000)
const ContainerName = lineThat(
  (value) => /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(value),
  "Must be the name of a container.",
  255
)
const Seconds = whole(1, 86_400)
const domainProblems = (value: string) => parseDomains(value).problems
const Domains = text(20_000).check(Schema.makeFilter(domainProblems))
const ComposeDomain = Schema.Struct({ name: nonEmpty(line(255)), domain: Domains })
/**
 * Returns a domain that two services both have, which is an error, because requests could reach only one of them;
 * undefined if there is none.
 */
const sharedDomain = (domains: ReadonlyArray<typeof ComposeDomain.Type>): string | undefined => {
  const services = new Map<string, string>()
  for (const { domain, name } of domains) {
    for (const { key, written } of parseDomains(domain).addresses) {
      const other = services.get(key)
      if (other !== undefined && other !== name) {
        return `The services \`${other}\` and \`${name}\` cannot share the domain \`${written}\`: use different domains.`
      }
      services.set(key, name)
    }
  }
  return undefined
}
const Username = lineThat(
  (value) => !value.includes(":"),
  "Must not contain a colon, which separates the username from the password in basic auth.",
  255
)
const Method = lineThat(
  (value) => /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i.test(value),
  "Must be an HTTP method."
)
const Host = lineThat((value) => /^[A-Za-z0-9_.:[\]-]{1,253}$/.test(value), "Must be a host name or an address.")
const WebhookSecret = line(1_000)

/**
 * The build packs: how an image is built from source code. `packer_a` and `nixpacks` are the same build pack, and so
 * are `packer_b` and `railpack`; these need no Dockerfile or other build recipe.
 */
export const BuildPack = Schema.Literals([
  "packer_a",
  "packer_b",
  "static",
  "dockerfile",
  "dockercompose",
  "nixpacks",
  "railpack"
])
export type BuildPack = typeof BuildPack.Type

/** All configuration fields of an application, in the order of spec "Application configuration fields". */
export const fields = {
  project_uuid: field(ProjectUuid, null, { requiredBy: variants }),
  server_uuid: field(ServerUuid, null, { requiredBy: variants }),
  environment_name: field(nonEmpty(line(255)), null),
  environment_uuid: field(EnvironmentUuid, null),
  destination_uuid: field(DestinationUuid, null),
  forge_app_uuid: field(ForgeAppUuid, null, { variants: ["private-forge-app"], requiredBy: ["private-forge-app"] }),
  private_key_uuid: field(PrivateKeyUuid, null, {
    variants: ["private-deploy-key"],
    requiredBy: ["private-deploy-key"]
  }),
  git_repository: field(GitRepository, null, { ...git, requiredBy: fromGit }),
  git_branch: field(GitBranch, null, { ...git, requiredBy: fromGit }),
  git_commit_sha: field(GitCommit, "HEAD", git),
  build_pack: field(BuildPack, null, { variants: built, requiredBy: fromGit }),
  dockerfile: field(Dockerfile, null, { variants: built, requiredBy: ["dockerfile"] }),
  dockerfile_location: field(InnerPath, "/Dockerfile", git),
  docker_compose_location: field(InnerPath, "/docker-compose.yaml", git),
  docker_compose_custom_start_command: field(Command, "", git),
  docker_compose_custom_build_command: field(Command, "", git),
  docker_compose_domains: field(
    Schema.Array(ComposeDomain).check(
      Schema.isMaxLength(100, { message: "Must have at most 100 entries." }),
      Schema.makeFilter(sharedDomain)
    ),
    [],
    git
  ),
  docker_registry_image_name: field(ImageName, "", { requiredBy: ["dockerimage"] }),
  docker_registry_image_tag: field(ImageTag, ""),
  base_directory: field(InnerPath, "/", { variants: built }),
  publish_directory: field(InnerPath, "/", git),
  watch_paths: field(text(10_000), "", git),
  name: field(nonEmpty(line(255)), null),
  description: field(text(10_000), ""),
  domains: field(Domains, ""),
  ports_exposes: field(Ports, null),
  ports_mappings: field(PortMappings, ""),
  is_static: field(Flag, false, git),
  is_spa: field(Flag, false, git),
  static_image: field(Schema.Literal("nginx:alpine"), "nginx:alpine", git),
  install_command: field(Command, "", git),
  build_command: field(Command, "", git),
  start_command: field(Command, "", git),
  pre_deployment_command: field(Command, ""),
  pre_deployment_command_container: field(ContainerName, ""),
  post_deployment_command: field(Command, ""),
  post_deployment_command_container: field(ContainerName, ""),
  is_auto_deploy_enabled: field(Flag, true, git),
  is_commit_skip_enabled: field(Flag, true, git),
  is_force_https_enabled: field(Flag, true),
  stop_grace_period: field(nullable(whole(0, 3_600)), null),
  instant_deploy: field(Flag, false),
  use_build_server: field(nullable(Flag), null),
  connect_to_docker_network: field(Flag, false),
  force_domain_override: field(Flag, false),
  autogenerate_domain: field(Flag, true),
  is_container_label_escape_enabled: field(Flag, true),
  is_preserve_repository_enabled: field(Flag, false, git),
  is_git_submodules_enabled: field(Flag, true),
  is_git_lfs_enabled: field(Flag, true),
  is_preview_deployments_enabled: field(Flag, false),
  preview_url_template: field(nullable(PreviewTemplate), usualTemplate),
  is_gzip_enabled: field(Flag, false),
  is_stripprefix_enabled: field(Flag, false),
  noindex_domains: field(
    Schema.Array(nonEmpty(Domains)).check(Schema.isMaxLength(100, { message: "Must have at most 100 entries." })),
    []
  ),
  disable_build_cache: field(Flag, false),
  include_source_commit_in_build: field(Flag, false),
  is_env_sorting_enabled: field(Flag, false),
  docker_images_to_keep: field(nullable(whole(0, 100)), null),
  redirect: field(nullable(Schema.Literals(["www", "non-www", "both"])), null),
  health_check_enabled: field(Flag, false),
  health_check_path: field(UrlPath, "/"),
  health_check_port: field(nullable(Port), null),
  health_check_host: field(nullable(Host), null),
  health_check_method: field(Method, "GET"),
  health_check_return_code: field(whole(100, 599), 200),
  health_check_scheme: field(Schema.Literals(["http", "https"]), "http"),
  health_check_response_text: field(nullable(text(10_000)), null),
  health_check_interval: field(Seconds, 5),
  health_check_timeout: field(Seconds, 5),
  health_check_retries: field(whole(1, 1_000), 10),
  health_check_start_period: field(whole(0, 86_400), 5),
  limits_memory: field(Memory, "0"),
  limits_memory_swap: field(MemorySwap, "0"),
  limits_memory_swappiness: field(whole(0, 100), 60),
  limits_memory_reservation: field(Memory, "0"),
  limits_cpus: field(Cpus, "0"),
  limits_cpuset: field(nullable(CpuSet), null),
  limits_cpu_shares: field(whole(0, 262_144), 1024),
  custom_labels: field(text(100_000), ""),
  custom_docker_run_options: field(line(10_000), ""),
  manual_webhook_secret_forgeA: field(WebhookSecret, null, secret),
  manual_webhook_secret_forgeB: field(WebhookSecret, null, secret),
  manual_webhook_secret_forgeC: field(WebhookSecret, null, secret),
  manual_webhook_secret_forgeD: field(WebhookSecret, null, secret),
  is_http_basic_auth_enabled: field(Flag, false),
  http_basic_auth_username: field(nullable(Username), null),
  http_basic_auth_password: field(nullable(line(1_000)), null, secret)
} as const

/** The type of the table of all configuration fields. */
export type Fields = typeof fields
/** The name of a configuration field. */
export type FieldName = keyof Fields
/** The names of all configuration fields. */
export const fieldNames = Object.keys(fields) as ReadonlyArray<FieldName>

/** The value that a request may send for a field. */
export type Sent<Name extends FieldName> = Fields[Name]["schema"]["Type"]

const OnlyDockerfile = Schema.Literal("dockerfile")

/** Returns the schema for the values of a field in requests for an application of the given variant. */
export const schemaFor = (variant: Variant, name: FieldName): Schema.Codec<unknown, unknown> => {
  const isOfApp = variant === "private-forge-app" && name === "git_repository"
  const isOfDockerfile = variant === "dockerfile" && name === "build_pack"
  // The schemas of all fields accept and return unknown values here.
  return (isOfApp ? AppRepository : isOfDockerfile ? OnlyDockerfile : fields[name].schema) as Schema.Codec<unknown>
}

/** The fields that determine the placement of an application, and the credentials of its source. */
export const placementFields = [
  "project_uuid",
  "server_uuid",
  "environment_name",
  "environment_uuid",
  "destination_uuid",
  "forge_app_uuid",
  "private_key_uuid"
] as const satisfies ReadonlyArray<FieldName>
export type PlacementField = (typeof placementFields)[number]

/** The fields with values that are encrypted when stored. */
export const secretFields = [
  "manual_webhook_secret_forgeA",
  "manual_webhook_secret_forgeB",
  "manual_webhook_secret_forgeC",
  "manual_webhook_secret_forgeD",
  "http_basic_auth_password"
] as const satisfies ReadonlyArray<FieldName>
export type SecretField = (typeof secretFields)[number]

/** The fields that are stored unencrypted. */
export type PlainField = Exclude<FieldName, PlacementField | SecretField>
/** The names of the fields that are stored unencrypted. */
export const plainFields = fieldNames.filter(
  (name): name is PlainField =>
    !(placementFields as ReadonlyArray<FieldName>).includes(name) &&
    !(secretFields as ReadonlyArray<FieldName>).includes(name)
)
