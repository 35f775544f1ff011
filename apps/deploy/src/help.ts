/** What each setting of the service means, by its variable. */
export const settingRows: Readonly<Record<string, string>> = {
  HOST: "the address to listen at: 127.0.0.1",
  DEPLOY_PORT: "the port: 8000; 0 is any that is free",
  DEPLOY_MAX_CONNECTIONS: "how many connections may be open at once; others are closed as they come: 1000",
  DEPLOY_DATABASE_URL: "memory:, file:<directory> or postgres://…: file:.slipway/deploy",
  DATABASE_URL: "the same for a service whose own variable isn't set",
  DEPLOY_DATABASE_CONNECTIONS: "how many connections to a server may be open at once; others wait: 10",
  DEPLOY_TOKEN: "a token that may do everything; made up and shown once when it isn't set",
  DEPLOY_METRICS_PORT: "the port where metrics can be read at /metrics; 0 is any that is free: none",
  DEPLOY_SLOW_REQUEST: "from how many milliseconds on a request is logged with its statements; 0 for never: 0",
  DEPLOY_LOG_FORMAT: "how logs are written, text or json: text",
  DEPLOY_ENCRYPTION_KEY: "the key that seals secrets: 32 bytes in base64",
  DEPLOY_ENCRYPTION_KEY_FILE: "a file with that key, made when missing: .slipway/deploy.key",
  DEPLOY_PROXY: "who starts the Caddy of this machine: spawn, container or external; spawn",
  DEPLOY_PROXY_HTTP: "what it listens at for callers: :80",
  DEPLOY_PROXY_HTTPS: "the same for TLS: :443",
  DEPLOY_PROXY_DIRECTORY: "the directory of its files: .slipway/proxy",
  DEPLOY_PROXY_ADMIN: "its admin API: unix/<path> or http://<host>:<port>",
  DEPLOY_PROXY_IMAGE: "the image of its containers: docker.io/library/caddy:2",
  DEPLOY_PROXY_EMAIL: "the address that the authority of certificates may write to",
  DEPLOY_PROXY_ACME: "the directory of that authority",
  DEPLOY_ENGINE_SOCKET: "the socket of the container engine on this machine",
  DEPLOY_REGISTRY_AUTH_FILE: "a file with passwords for registries",
  DEPLOY_AT_ONCE: "how many deployments a process works on at once: 8",
  DEPLOY_DRAIN: "the seconds that containers have for requests under way: 3",
  DEPLOY_LOOK: "the seconds after which each server is asked again: 20",
  DEPLOY_PATIENCE: "the seconds that a deployment waits at a time for what doesn't answer: 300",
  DEPLOY_PACK_BUILDER: "the image that the build pack packer_b builds with",
  DEPLOY_KEPT_RELEASES: "how many releases of an application are kept: 10",
  DEPLOY_ALLOW_PRIVATE_ADDRESSES: "whether repositories may be at private addresses: false",
  DEPLOY_EXTERNAL_NETWORKS:
    "networks of servers that compose files may name as external, with commas between them: none",
  DEPLOY_ALLOW_HOST_ACCESS: "whether applications may mount paths of servers and add privileges: false"
}

const width = Math.max(...Object.keys(settingRows).map((variable) => variable.length))

/** What `--help` says. */
export const help = `The deployment platform of Slipway. Settings come from the environment; docs/operations.md says more.

${Object.entries(settingRows)
  .map(([variable, meaning]) => `  ${variable.padEnd(width)}  ${meaning}\n`)
  .join("")}
A token that is lost is replaced by starting once with another one in DEPLOY_TOKEN.
`
