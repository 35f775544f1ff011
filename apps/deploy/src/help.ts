import { commonRows, helpOf, type SettingRows } from "@slipway/http/node"

/** What each setting of the service means, by its variable. */
export const settingRows: SettingRows = {
  ...commonRows("deploy"),
  DEPLOY_PORT: { meaning: "the port; 0 is any that is free", unlessSet: "8000" },
  DEPLOY_TOKEN: { meaning: "a token that may do everything; made up and shown once when it isn't set", secret: "all" },
  DEPLOY_PROXY: { meaning: "who starts the Caddy of this machine: spawn, container or external", unlessSet: "spawn" },
  DEPLOY_PROXY_HTTP: { meaning: "what it listens at for callers", unlessSet: ":80" },
  DEPLOY_PROXY_HTTPS: { meaning: "the same for TLS", unlessSet: ":443" },
  DEPLOY_PROXY_DIRECTORY: { meaning: "the directory of its files", unlessSet: ".slipway/proxy" },
  DEPLOY_PROXY_ADMIN: { meaning: "its admin API: unix/<path> or http://<host>:<port>" },
  DEPLOY_PROXY_IMAGE: { meaning: "the image of its containers", unlessSet: "docker.io/library/caddy:2" },
  DEPLOY_PROXY_EMAIL: { meaning: "the address that the authority of certificates may write to" },
  DEPLOY_PROXY_ACME: { meaning: "the directory of that authority" },
  DEPLOY_ENGINE_SOCKET: { meaning: "the socket of the container engine on this machine" },
  DEPLOY_REGISTRY_AUTH_FILE: { meaning: "a file with passwords for registries" },
  DEPLOY_AT_ONCE: { meaning: "how many deployments a process works on at once", unlessSet: "8" },
  DEPLOY_DRAIN: { meaning: "the seconds that containers have for requests under way", unlessSet: "3" },
  DEPLOY_LOOK: { meaning: "the seconds after which each server is asked again", unlessSet: "20" },
  DEPLOY_PATIENCE: {
    meaning: "the seconds that a deployment waits at a time for what doesn't answer",
    unlessSet: "300"
  },
  DEPLOY_PACK_BUILDER: {
    meaning: "the image that the build pack packer_b builds with",
    unlessSet: "paketobuildpacks/builder-jammy-base"
  },
  DEPLOY_KEPT_RELEASES: { meaning: "how many releases of an application are kept", unlessSet: "10" },
  DEPLOY_RETENTION: {
    meaning: "for how many days deployments and deletions that have ended are kept, 0 for good",
    unlessSet: "365"
  },
  DEPLOY_ALLOW_PRIVATE_ADDRESSES: { meaning: "whether repositories may be at private addresses", unlessSet: "false" },
  DEPLOY_EXTERNAL_NETWORKS: {
    meaning: "networks of servers that compose files may name as external, with commas between them"
  },
  DEPLOY_ALLOW_HOST_ACCESS: {
    meaning: "whether applications may mount paths of servers and add privileges",
    unlessSet: "false"
  }
}

/** What `--help` says. */
export const help = helpOf(
  "The deployment platform of Slipway.",
  settingRows,
  "A token that is lost is replaced by starting once with another one in DEPLOY_TOKEN."
)
