/**
 * A Coolify field that has the same fixed value for every application. `otherwise` is the error message for a request
 * with another value.
 */
export interface Constant {
  readonly value: boolean | number | null
  readonly otherwise: string
}

const off = (otherwise: string): Constant => ({ value: false, otherwise })
const none = (otherwise: string): Constant => ({ value: null, otherwise })

const gpus = "Use `--gpus` in custom_docker_run_options, where the instance allows it."

/**
 * The fields that Coolify clients send with every application, but that have a fixed value on this platform. Requests
 * may contain the fixed value, and responses show it; it is not stored.
 */
export const constants = {
  is_pr_deployments_public_enabled: off(
    "Pull requests of forks are only deployed on request through the API, never automatically."
  ),
  use_build_secrets: off("Builds get variables as arguments; separate build secrets are not supported."),
  inject_build_args_to_dockerfile: off("A Dockerfile gets the arguments that it declares."),
  is_git_shallow_clone_enabled: { value: true, otherwise: "Only one commit is fetched, without history." },
  is_raw_compose_deployment_enabled: off("The platform reads compose files itself and runs no compose commands."),
  is_log_drain_enabled: off("Logs are not forwarded."),
  is_gpu_enabled: off(gpus),
  gpu_driver: none(gpus),
  gpu_count: none(gpus),
  gpu_device_ids: none(gpus),
  gpu_options: none(gpus),
  is_consistent_container_name_enabled: off(
    "Containers are named by their deployment, so that two can run concurrently."
  ),
  custom_internal_name: none("Containers have no custom name in shared networks."),
  max_restart_count: { value: 0, otherwise: "Use `--restart on-failure:<times>` in custom_docker_run_options." }
} as const satisfies Readonly<Record<string, Constant>>

/** The name of a field with a fixed value. */
export type ConstantName = keyof typeof constants

/** Returns whether a field name is one of the fields with a fixed value. */
export const isConstant = (name: string): name is ConstantName => Object.hasOwn(constants, name)
