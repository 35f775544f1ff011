import type { FieldName, Variant } from "@slipway/domain/deploy/apps"
import { ForgeSimulation, type HostedSimulated } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { newKey, type Service } from "./harness.ts"

/** The body of a request about an application. */
export type Body = { readonly [Name in FieldName]?: unknown }

/** Creates all resources that applications of each variant refer to, and the minimal body of each variant. */
export const makeWorld = Effect.fnUntraced(function* ({ ask, environment, project, server }: Service) {
  const key: string = (yield* ask(201, "POST", "/security/keys", { name: "deploy key", private_key: newKey() })).uuid
  const forgeApp: string = (yield* ask(201, "POST", "/forge-apps", {
    name: "forge",
    html_url: "https://forge.example",
    app_id: 7,
    installation_id: 8,
    client_id: "client",
    client_secret: "the client's secret",
    private_key_uuid: key
  })).uuid
  const [{ uuid: destination }] = yield* ask(200, "GET", `/servers/${server}/destinations`)
  const place = { project_uuid: project, server_uuid: server, environment_name: "production" }
  const source = {
    git_repository: "https://forge.example/team/app.git",
    git_branch: "main",
    build_pack: "packer_a"
  }
  const minimal: Readonly<Record<Variant, Body>> = {
    public: { ...place, ...source },
    "private-forge-app": { ...place, ...source, forge_app_uuid: forgeApp },
    "private-deploy-key": { ...place, ...source, private_key_uuid: key },
    dockerfile: { ...place, dockerfile: "FROM scratch\n" },
    dockerimage: { ...place, docker_registry_image_name: "registry.example/team/app" }
  }
  /** Creates an application and returns its UUID. */
  const create = (variant: Variant, body: Body = {}): Effect.Effect<string> =>
    Effect.map(ask(201, "POST", `/applications/${variant}`, { ...minimal[variant], ...body }), ({ uuid }) => uuid)
  return { project, environment, server, destination: destination as string, key, forgeApp, minimal, create }
})

/** The world of a test. */
export type World = Effect.Success<ReturnType<typeof makeWorld>>

/** Returns a non-default value for every field, in forms that a careless store or reader would change. */
export const samples = (world: World, n: number): Readonly<Record<FieldName, unknown>> => ({
  project_uuid: world.project,
  server_uuid: world.server,
  environment_name: "production",
  environment_uuid: world.environment,
  destination_uuid: world.destination,
  forge_app_uuid: world.forgeApp,
  private_key_uuid: world.key,
  git_repository: "git@forge.example:team/other.git",
  git_branch: "feature/ünïcode",
  git_commit_sha: "0123456789ABCDEF0123456789abcdef01234567",
  build_pack: "dockerfile",
  dockerfile: '# syntax=docker/dockerfile:1\nFROM alpine AS build\n\tRUN echo "$HOME" && true \\\n  && ls\n\n',
  dockerfile_location: "/docker/Dockerfile.prod",
  docker_compose_location: "/compose/docker-compose.yml",
  docker_compose_custom_start_command: "docker compose up -d --wait",
  docker_compose_custom_build_command: "docker compose build --pull",
  docker_compose_domains: [
    { name: "web", domain: `https://Web-${n}.Example/Path/,http://web-${n}.example:8080` },
    { name: "api", domain: "" }
  ],
  docker_registry_image_name: "registry.example:5000/team/app",
  docker_registry_image_tag: "v1.2.3-rc.1",
  base_directory: "/apps/web site",
  publish_directory: "dist",
  watch_paths: "src/**\n!src/**/*.md",
  name: "  Täst 🚀 app ",
  description: "line one\r\nline two\t“quotes” \u2028 e\u0301 \\u0000 %00 $1 \u0024{x}",
  domains: ` https://Bücher-${n}.Example:443/a/ , http://b-${n}.example `,
  ports_exposes: "3000, 8080",
  ports_mappings: "8080:80,127.0.0.1:5353:53/udp",
  is_static: true,
  is_spa: true,
  static_image: "nginx:alpine",
  install_command: "npm ci",
  build_command: "npm run build -- --flag='a b'",
  start_command: "node server.js",
  pre_deployment_command: "./migrate.sh\n./seed.sh",
  pre_deployment_command_container: "web-1",
  post_deployment_command: "./warm.sh",
  post_deployment_command_container: "api_1",
  is_auto_deploy_enabled: false,
  is_commit_skip_enabled: false,
  stop_grace_period: 30,
  is_force_https_enabled: false,
  instant_deploy: true,
  use_build_server: true,
  connect_to_docker_network: true,
  force_domain_override: true,
  autogenerate_domain: false,
  is_container_label_escape_enabled: false,
  is_preserve_repository_enabled: true,
  is_git_submodules_enabled: true,
  is_git_lfs_enabled: true,
  is_preview_deployments_enabled: true,
  preview_url_template: "pr-{{pr_id}}.{{domain}}",
  is_gzip_enabled: true,
  is_stripprefix_enabled: true,
  noindex_domains: ["https://app.example"],
  disable_build_cache: true,
  include_source_commit_in_build: true,
  is_env_sorting_enabled: true,
  docker_images_to_keep: 3,
  redirect: "non-www",
  health_check_enabled: true,
  health_check_path: "/healthz?full=1",
  health_check_port: "8081",
  health_check_host: "localhost",
  health_check_method: "head",
  health_check_return_code: 204,
  health_check_scheme: "https",
  health_check_response_text: "OK\n",
  health_check_interval: 31,
  health_check_timeout: 32,
  health_check_retries: 4,
  health_check_start_period: 0,
  limits_memory: "512m",
  limits_memory_swap: "-1",
  limits_memory_swappiness: 0,
  limits_memory_reservation: "1.5G",
  limits_cpus: "0.5",
  limits_cpuset: "0-2,4",
  limits_cpu_shares: 512,
  custom_labels: "price=$5\ndouble=$$\nodd=$$$x\nvariable=\u0024{HOST}",
  custom_docker_run_options: "--cap-drop SYS_PTRACE --ulimit nofile=1024:1024",
  manual_webhook_secret_forgeA: "secret A 🤫",
  manual_webhook_secret_forgeB: "secret B",
  manual_webhook_secret_forgeC: "secret C",
  manual_webhook_secret_forgeD: "",
  is_http_basic_auth_enabled: true,
  http_basic_auth_username: "me;you",
  http_basic_auth_password: "pass word $$"
})

/** A repository of a simulated git host. */
export const hosted: HostedSimulated[number] = {
  id: 7,
  owner: "team",
  name: "shop",
  fullName: "team/shop",
  isPrivate: true,
  htmlUrl: "https://github.com/team/shop",
  cloneUrl: "https://github.com/team/shop.git",
  defaultBranch: "main",
  branches: [{ name: "main", commit: "5d41402a", isProtected: true }]
}

/** Starts a simulated forge, and returns it with the body that connects it. */
export const startForge = Effect.fnUntraced(function* ({ within }: Pick<Service, "within">) {
  const simulation = yield* within(Effect.flatMap(ForgeSimulation, Effect.succeed))
  const url = "http://127.0.0.1:3000"
  const forge = yield* simulation.start(url)
  forge.tokens.set("t0ken", "robot")
  return { forge, simulation, body: { url, token: "t0ken", platform_url: "http://127.0.0.1:8000" } }
})

/** Connects a simulated forge and returns the uuid of the connection. */
export const connectForge = Effect.fnUntraced(function* ({ ask, within }: Pick<Service, "ask" | "within">) {
  const { body } = yield* startForge({ within })
  const { uuid } = yield* ask(201, "POST", "/forge-connections", body)
  return uuid as string
})
