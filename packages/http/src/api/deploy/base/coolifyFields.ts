import { Record, Schema } from "effect"

/** Returns the schemas of fields with constant values. */
const alwaysOf = <const Values extends Readonly<Record<string, boolean | number | string | null>>>(values: Values) =>
  Record.map(values, (value) => (value === null ? Schema.Null : Schema.Literal(value))) as unknown as {
    readonly [Name in keyof Values]: Schema.Codec<Values[Name]>
  }

/**
 * The fields of an application that Coolify clients expect in responses. Each has the same value for every application,
 * and no request contains them.
 */
export const coolifyApplicationFields = {
  repository_project_id: null,
  git_full_url: null,
  custom_network_aliases: null,
  health_check_type: "http",
  health_check_command: null,
  dockerfile_target_build: null,
  docker_compose: null,
  docker_compose_raw: null,
  swarm_replicas: null,
  swarm_placement_constraints: null,
  custom_healthcheck_found: false,
  deleted_at: null,
  custom_nginx_configuration: null,
  compose_parsing_version: null,
  config_hash: null
} as const

/** The constant fields that Coolify clients expect in cleanups: a cleanup runs at any disk usage and keeps volumes. */
export const coolifyCleanupFields = {
  docker_cleanup_threshold: 1,
  force_docker_cleanup: true,
  delete_unused_volumes: false,
  delete_unused_networks: false,
  disable_application_image_retention: false
} as const

/** The constant fields that Coolify clients expect in a deployment. */
export const coolifyDeploymentFields = {
  docker_registry_image_tag: null,
  configuration_hash: null,
  configuration_snapshot: null,
  configuration_diff: null,
  only_this_server: false,
  current_process_id: null,
  git_type: null
} as const

/** The constant fields that Coolify clients expect in an app installation, which every user with a token can use. */
export const coolifyGithubAppFields = { is_system_wide: false, is_public: false } as const

/** The constant fields that Coolify clients expect in a private key, which is valid for servers and repositories. */
export const coolifyKeyFields = { is_git_related: false, private_key: null } as const

/** The constant fields that Coolify clients expect in a server. */
export const coolifyServerFields = {
  unreachable_notification_sent: false,
  unreachable_count: 0,
  log_drain_notification_sent: false,
  swarm_cluster: null
} as const

/** The constant fields that Coolify clients expect in a service. */
export const coolifyServiceFields = {
  config_hash: null,
  deleted_at: null,
  destination_type: "standalone",
  is_container_label_readonly_enabled: false
} as const

/** The constant fields that Coolify clients expect in a team. */
export const coolifyTeamFields = { show_boarding: false, custom_server_limit: null } as const

/** The constant fields that Coolify clients expect in a storage: each preview has separate volumes. */
export const coolifyStorageFields = { is_preview_suffix_enabled: true } as const

/**
 * The constant fields that Coolify clients expect in a server's proxy.
 *
 * `status` is null because the proxy is checked only during deployments.
 */
export const coolifyProxyFields = {
  status: null,
  redirect_enabled: false,
  redirect_url: null,
  generate_exact_labels: false
} as const

/** The constant fields that Coolify clients expect in metrics settings: no agent runs on servers. */
export const coolifySentinelFields = {
  is_sentinel_debug_enabled: false,
  sentinel_custom_url: null,
  sentinel_push_interval_seconds: 60
} as const

/** The constant fields that Coolify clients expect in log drains: no log collector runs on servers. */
export const coolifyLogDrainFields = { is_logdrain_custom_enabled: false } as const

/** The schemas of the constant fields of each resource type. */
export const sameFields = {
  application: alwaysOf(coolifyApplicationFields),
  cleanup: alwaysOf(coolifyCleanupFields),
  deployment: alwaysOf(coolifyDeploymentFields),
  githubApp: alwaysOf(coolifyGithubAppFields),
  key: alwaysOf(coolifyKeyFields),
  logDrains: alwaysOf(coolifyLogDrainFields),
  proxy: alwaysOf(coolifyProxyFields),
  sentinel: alwaysOf(coolifySentinelFields),
  server: alwaysOf(coolifyServerFields),
  service: alwaysOf(coolifyServiceFields),
  storage: alwaysOf(coolifyStorageFields),
  team: alwaysOf(coolifyTeamFields)
} as const
