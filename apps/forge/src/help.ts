import { commonRows, helpOf, type SettingRows } from "@slipway/http/node"

/** The settings of the service by variable: meaning, default, secrecy. */
export const settingRows: SettingRows = {
  ...commonRows("forge"),
  FORGE_PORT: { meaning: "HTTP port; 0 selects a free one", unlessSet: "3000" },
  FORGE_ROOT_URL: {
    meaning:
      "public address, such as https://forge.example; also the OpenID issuer. If unset, links in a response start with the address of the request, and links in webhook payloads with HOST and FORGE_PORT"
  },
  FORGE_REPOSITORIES: {
    meaning: "directory of the git repositories; a temporary one if the database address is memory:",
    unlessSet: ".slipway/forge-repositories"
  },
  FORGE_BLOBS: {
    meaning:
      "store of attachments, packages, artifacts and LFS objects: file:<directory> or s3://<key id>:<secret>@<host>/<bucket>",
    unlessSet: "file:.slipway/forge-blobs",
    secret: "address"
  },
  FORGE_SSH_PORT: { meaning: "port of git over SSH, or off", unlessSet: "2222" },
  FORGE_SSH_PUBLIC_PORT: {
    meaning:
      "port of git over SSH in clone addresses, if it is not FORGE_SSH_PORT: another one that leads to an SSH server of the forge"
  },
  FORGE_SIGNING_KEY: {
    meaning:
      "file with the private key that signs the commits that the forge creates: OpenPGP armor or SSH Ed25519, without a passphrase"
  },
  FORGE_SSH_HOST_KEY: {
    meaning: "file with the SSH host key, created at the first start",
    unlessSet: ".slipway/forge-ssh-host.key"
  },
  FORGE_SSH_TRUSTED_USER_CA_KEYS: {
    meaning:
      "public keys of trusted SSH certificate authorities, comma-separated; clients can sign API requests with a certificate of such an authority"
  },
  FORGE_GIT_CLIENTS: {
    meaning: "maximum number of git clients that are served concurrently; further ones wait",
    unlessSet: "32"
  },
  FORGE_GIT_IDLE: {
    meaning: "idle timeout of git connections and uploads, in seconds",
    unlessSet: "120"
  },
  FORGE_GIT_MAX_PUSH: { meaning: "largest push, in MiB", unlessSet: "2048" },
  FORGE_GIT_MAX_OBJECT: { meaning: "largest git object, in MiB", unlessSet: "512" },
  FORGE_GIT_MAX_REPOSITORY: { meaning: "largest repository, in MiB; 0 for no limit", unlessSet: "0" },
  FORGE_PACKAGE_MAX_FILE: { meaning: "largest file of a package, in MiB", unlessSet: "2048" },
  FORGE_ARTIFACT_MAX_SIZE: { meaning: "largest artifact of a workflow run, in MiB", unlessSet: "1024" },
  FORGE_ARTIFACT_DAYS: { meaning: "retention of artifacts, in days", unlessSet: "90" },
  FORGE_EVENT_RETENTION: { meaning: "retention of audit events, in days; 0 for ever", unlessSet: "0" },
  FORGE_DELIVERY_RETENTION: {
    meaning: "retention of webhook deliveries, in days; 0 for ever",
    unlessSet: "14"
  },
  FORGE_WORKFLOW_RETENTION: {
    meaning: "retention of workflow runs with their logs, in days; 0 for ever",
    unlessSet: "365"
  },
  FORGE_WORKFLOW_APPROVAL: {
    meaning:
      "users who need approval to run workflows in pull requests from forks: `first-time-contributors` (users without a merged pull request), `external-contributors` (users without write access) or `never` (no approval is needed)",
    unlessSet: "first-time-contributors"
  },
  FORGE_ACTIONS_URL: {
    meaning: "site of actions that workflows name without a host, such as actions/checkout",
    unlessSet: "https://github.com"
  },
  FORGE_JOB_LEASE: {
    meaning:
      "seconds for which a process reserves a background job (lease); after that, another process retries the job",
    unlessSet: "15"
  },
  FORGE_ALLOW_PRIVATE_ADDRESSES: {
    meaning:
      "allow webhooks and mirrors to private addresses; users can then send requests to the network of this machine",
    unlessSet: "false"
  },
  FORGE_ALLOWED_ADDRESSES: {
    meaning: "private hosts and ports to which webhooks may be sent, comma-separated, such as 127.0.0.1:8000"
  },
  FORGE_DEPLOY_URL: {
    meaning:
      "public address of the deployment platform, to which the pages of repositories link, such as https://deploy.example"
  },
  FORGE_MAIL_URL: {
    meaning: "address of the mail server, smtp:// or smtps://; needs FORGE_ROOT_URL; if unset, no email is sent",
    secret: "address"
  },
  FORGE_MAIL_FROM: { meaning: "sender of emails, such as Forge <forge@example.com>" },
  FORGE_NOTIFICATION_MAIL: { meaning: "send notification emails; default true if FORGE_MAIL_URL is set" },
  FORGE_NEWS_MAIL: { meaning: "deprecated name of FORGE_NOTIFICATION_MAIL" },
  FORGE_EMAIL_NOTIFICATIONS: {
    meaning:
      "notification emails of new accounts: enabled (all except for own actions), onmention (mentions, assignments, review requests), andyourown (all) or disabled",
    unlessSet: "enabled"
  },
  FORGE_CONFIRM_ADDRESSES: {
    meaning: "require confirmation of email addresses that users add; default true if FORGE_MAIL_URL is set"
  },
  FORGE_OPENID_ISSUER: {
    meaning: "address (issuer) of an OpenID provider that signs users in, such as https://login.example.com"
  },
  FORGE_OPENID_CLIENT_ID: { meaning: "client id of the forge at that provider" },
  FORGE_OPENID_CLIENT_SECRET: { meaning: "client secret of the forge at that provider", secret: "all" },
  FORGE_OPENID_NAME: { meaning: "name of that provider on the sign-in page; default its host" },
  FORGE_ADMIN_USERNAME: { meaning: "name of the administrator that the first start creates", unlessSet: "slipway" },
  FORGE_ADMIN_EMAIL: { meaning: "email address of that administrator" },
  FORGE_ADMIN_PASSWORD: {
    meaning: "password of that administrator; generated and printed once if unset",
    secret: "all"
  },
  FORGE_REGISTRATION: {
    meaning: "whether visitors can create accounts: off, on, or approval (an administrator activates each account)",
    unlessSet: "off"
  },
  FORGE_REQUIRE_SIGN_IN: { meaning: "reject requests of anonymous callers", unlessSet: "false" },
  FORGE_SEARCH_REQUIRES_SIGN_IN: { meaning: "require sign-in for searches", unlessSet: "false" },
  FORGE_USER_SEARCH: { meaning: "allow searching for users", unlessSet: "true" },
  FORGE_REQUIRE_SECOND_FACTOR: {
    meaning: "deny repository access to users without a second factor",
    unlessSet: "false"
  },
  FORGE_STARS: { meaning: "allow starring repositories", unlessSet: "true" },
  FORGE_HEATMAP: { meaning: "show the activity heatmap of users", unlessSet: "true" },
  FORGE_CODE_SEARCH: {
    meaning: "search the code of default branches; its index takes space in the database",
    unlessSet: "false"
  },
  FORGE_WEBHOOKS: { meaning: "allow webhooks; false also stops deliveries", unlessSet: "true" },
  FORGE_ATTACHMENTS: { meaning: "allow attachments of issues and comments", unlessSet: "true" },
  FORGE_TIME_TRACKING: { meaning: "allow time tracking on issues", unlessSet: "true" },
  FORGE_ORGANIZATION_CREATION: {
    meaning: "allow users to create organizations; administrators always can",
    unlessSet: "true"
  },
  FORGE_REFERENCE: { meaning: "serve the interactive API reference at /docs", unlessSet: "true" },
  FORGE_QUERY_TOKENS: { meaning: "accept tokens in the query string, ?token= (deprecated)", unlessSet: "true" },
  FORGE_GIT_HOOKS: {
    meaning: "allow custom git hooks of repositories; they run as the operating-system user of this service",
    unlessSet: "false"
  },
  FORGE_FEDERATION: {
    meaning: "answer 501 on federation routes, which are not implemented, instead of 404",
    unlessSet: "false"
  },
  FORGE_PAGE_SIZE: { meaning: "default number of rows in a page of an API list", unlessSet: "30" },
  FORGE_MAX_PAGE_SIZE: { meaning: "maximum number of rows in a page of an API list", unlessSet: "50" },
  FORGE_PROXY_USER_HEADER: {
    meaning: "header in which a trusted proxy sends the name of the signed-in user; needs FORGE_TRUSTED_PROXIES"
  }
}

/** The output of `--help`. */
export const help = helpOf(
  "The code hosting service of Slipway.",
  settingRows,
  "Reset a lost password with `npx slipway forge admin user change-password <name>`."
)
