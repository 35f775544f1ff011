import { commonRows, helpOf, type SettingRows } from "@slipway/http/node"

/** The settings of the service by variable: meaning, default, secrecy. */
export const settingRows: SettingRows = {
  ...commonRows("deploy"),
  DEPLOY_PORT: { meaning: "port; 0 selects a free one", unlessSet: "8000" },
  DEPLOY_TOKEN: {
    meaning: "root token, valid after each start that sets it; generated and printed once if unset",
    secret: "all"
  },
  DEPLOY_URL: {
    meaning: "origin of the service as browsers know it, such as https://deploy.example; default that of each request"
  },
  DEPLOY_ADMIN_USERNAME: { meaning: "name of the root account that the first start creates", unlessSet: "slipway" },
  DEPLOY_ADMIN_PASSWORD: {
    meaning: "password of that account; generated and printed once if unset",
    secret: "all"
  },
  DEPLOY_OIDC_ISSUER: {
    meaning: "OpenID Connect provider for sign-in; needs the client id and secret of this service there"
  },
  DEPLOY_OIDC_CLIENT_ID: { meaning: "client id at that provider" },
  DEPLOY_OIDC_CLIENT_SECRET: { meaning: "client secret at that provider", secret: "all" },
  DEPLOY_OIDC_NAME: { meaning: "name of that provider on the sign-in page; default its host" },
  DEPLOY_PROXY: { meaning: "who starts Caddy on this machine: spawn, container or external", unlessSet: "spawn" },
  DEPLOY_PROXY_HTTP: {
    meaning: "addresses that the proxy listens at for HTTP, comma-separated; the first is for domains without a port",
    unlessSet: ":80"
  },
  DEPLOY_PROXY_HTTPS: { meaning: "addresses that the proxy listens at for HTTPS", unlessSet: ":443" },
  DEPLOY_PROXY_DIRECTORY: {
    meaning: "directory of the proxy's socket, certificates and log",
    unlessSet: ".slipway/proxy"
  },
  DEPLOY_PROXY_ADMIN: { meaning: "admin API of the proxy: unix/<path> or http://<host>:<port>" },
  DEPLOY_PROXY_IMAGE: { meaning: "image of proxy containers", unlessSet: "docker.io/library/caddy:2" },
  DEPLOY_PROXY_EMAIL: { meaning: "email address for the certificate authority" },
  DEPLOY_PROXY_ACME: { meaning: "ACME directory of the certificate authority; default Caddy's choice" },
  DEPLOY_ENGINE_SOCKET: {
    meaning: "socket of the container engine on this machine; default /var/run/docker.sock or /run/podman/podman.sock"
  },
  DEPLOY_REGISTRY_AUTH_FILE: {
    meaning: "file with registry credentials, as docker login or podman login writes it; deployers can use all of them"
  },
  DEPLOY_MAIL_URL: {
    meaning:
      "mail server of notifications, smtp:// or smtps://; needs DEPLOY_MAIL_FROM; teams can set their own servers",
    secret: "address"
  },
  DEPLOY_MAIL_FROM: { meaning: "sender of notification emails, such as Slipway <deploy@example.com>" },
  DEPLOY_AT_ONCE: { meaning: "deployments, and deletions, that a process works on concurrently", unlessSet: "8" },
  DEPLOY_DRAIN: { meaning: "seconds that an old container has for running requests after the switch", unlessSet: "3" },
  DEPLOY_LOOK: { meaning: "interval in seconds at which servers are polled for their containers", unlessSet: "20" },
  DEPLOY_PATIENCE: {
    meaning: "seconds to retry a server or proxy that does not answer, before a deployment fails",
    unlessSet: "300"
  },
  DEPLOY_PACK_BUILDER: {
    meaning: "builder image of the build pack packer_b",
    unlessSet: "paketobuildpacks/builder-jammy-base"
  },
  DEPLOY_KEPT_RELEASES: { meaning: "releases of an application to keep for rollbacks", unlessSet: "10" },
  DEPLOY_RETENTION: {
    meaning: "retention of finished deployments and deletions, in days; 0 for ever",
    unlessSet: "365"
  },
  DEPLOY_ALLOW_PRIVATE_ADDRESSES: {
    meaning: "allow repositories and git hosts at private addresses, which lets writers reach this machine's network",
    unlessSet: "false"
  },
  DEPLOY_EXTERNAL_NETWORKS: {
    meaning: "networks of servers that compose files may join, comma-separated"
  },
  DEPLOY_ALLOW_HOST_ACCESS: {
    meaning: "allow applications to mount server paths and add privileges, which gives deployers the servers",
    unlessSet: "false"
  }
}

/** The output of `--help`. */
export const help = helpOf(
  "The deployment platform of Slipway.",
  settingRows,
  "Replace a lost root token by one start with another DEPLOY_TOKEN."
)
