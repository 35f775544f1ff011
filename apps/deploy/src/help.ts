import { commonRows, helpOf, type SettingRows } from "@slipway/http/node"

/** The settings of the service by variable: meaning, default, secrecy. */
export const settingRows: SettingRows = {
  ...commonRows("deploy"),
  DEPLOY_PORT: { meaning: "HTTP port; 0 selects a free one", unlessSet: "8000" },
  DEPLOY_TOKEN: {
    meaning:
      "root token (a token with all permissions), stored as a hash at the start; earlier root tokens stay valid. If unset, the first start generates one and prints it once",
    secret: "all"
  },
  DEPLOY_URL: {
    meaning: "public address in browsers, such as https://deploy.example; if unset, the address of each request"
  },
  DEPLOY_ADMIN_USERNAME: {
    meaning: "name of the root account (the administrator) that the first start creates",
    unlessSet: "slipway"
  },
  DEPLOY_ADMIN_PASSWORD: {
    meaning: "password of that account; generated and printed once if unset",
    secret: "all"
  },
  DEPLOY_OIDC_ISSUER: {
    meaning:
      "address (issuer) of an OpenID Connect provider for sign-in; needs DEPLOY_OIDC_CLIENT_ID and DEPLOY_OIDC_CLIENT_SECRET"
  },
  DEPLOY_OIDC_CLIENT_ID: { meaning: "client id of this service at that provider" },
  DEPLOY_OIDC_CLIENT_SECRET: { meaning: "client secret of this service at that provider", secret: "all" },
  DEPLOY_OIDC_NAME: { meaning: "name of that provider on the sign-in page; default its host" },
  DEPLOY_PROXY: {
    meaning:
      "how Caddy, the proxy for applications, runs on this machine: spawn (the platform starts a process), container (the platform starts a container) or external (you start it)",
    unlessSet: "spawn"
  },
  DEPLOY_PROXY_HTTP: {
    meaning: "addresses on which the proxy accepts HTTP, comma-separated; domains without a port use the first one",
    unlessSet: ":80"
  },
  DEPLOY_PROXY_HTTPS: { meaning: "addresses on which the proxy accepts HTTPS, comma-separated", unlessSet: ":443" },
  DEPLOY_PROXY_DIRECTORY: {
    meaning: "directory of the proxy's socket, certificates and log",
    unlessSet: ".slipway/proxy"
  },
  DEPLOY_PROXY_ADMIN: {
    meaning: "address of the proxy's admin API: unix/<path>; http://<host>:<port> only if DEPLOY_PROXY is external"
  },
  DEPLOY_PROXY_IMAGE: { meaning: "image of Caddy for proxy containers", unlessSet: "docker.io/library/caddy:2" },
  DEPLOY_PROXY_EMAIL: { meaning: "email address that the proxy sends to the certificate authority" },
  DEPLOY_PROXY_ACME: {
    meaning:
      "https:// address of the ACME directory of the certificate authority; if unset, Caddy selects the authority"
  },
  DEPLOY_ENGINE_SOCKET: {
    meaning:
      "socket of the container engine (Docker or Podman) on this machine; default /var/run/docker.sock or /run/podman/podman.sock"
  },
  DEPLOY_REGISTRY_AUTH_FILE: {
    meaning:
      "file with registry credentials that docker login or podman login wrote; every user who deploys can pull with them"
  },
  DEPLOY_MAIL_URL: {
    meaning:
      "address of the mail server for notifications, smtp:// or smtps://; needs DEPLOY_MAIL_FROM; a team can set another server",
    secret: "address"
  },
  DEPLOY_MAIL_FROM: { meaning: "sender of notification emails, such as Slipway <deploy@example.com>" },
  DEPLOY_AT_ONCE: {
    meaning: "maximum number of deployments and deletions that one process works on concurrently",
    unlessSet: "8"
  },
  DEPLOY_DRAIN: {
    meaning: "seconds in which a replaced container can finish its requests before it is stopped",
    unlessSet: "3"
  },
  DEPLOY_LOOK: { meaning: "seconds between two checks of the containers on each server", unlessSet: "20" },
  DEPLOY_PATIENCE: {
    meaning: "seconds for which a deployment retries a server or proxy that does not respond, before it fails",
    unlessSet: "300"
  },
  DEPLOY_PACK_BUILDER: {
    meaning: "builder image for Cloud Native Buildpacks (the build pack packer_b)",
    unlessSet: "paketobuildpacks/builder-jammy-base"
  },
  DEPLOY_KEPT_RELEASES: {
    meaning: "number of releases of an application that are kept for rollbacks",
    unlessSet: "10"
  },
  DEPLOY_RETENTION: {
    meaning: "retention of finished deployments and deletions, in days; 0 for ever",
    unlessSet: "365"
  },
  DEPLOY_ALLOW_PRIVATE_ADDRESSES: {
    meaning:
      "allow git hosts, S3 servers and notification receivers at private addresses; users can then send requests to the network of this machine",
    unlessSet: "false"
  },
  DEPLOY_EXTERNAL_NETWORKS: {
    meaning: "names of existing container networks that compose files may join as external networks, comma-separated"
  },
  DEPLOY_ALLOW_HOST_ACCESS: {
    meaning:
      "allow applications to mount paths of the server and to add privileges; every user who deploys then controls the servers",
    unlessSet: "false"
  }
}

/** The output of `--help`. */
export const help = helpOf(
  "The deployment platform of Slipway.",
  settingRows,
  "If the root token is lost, start once with a new DEPLOY_TOKEN."
)
