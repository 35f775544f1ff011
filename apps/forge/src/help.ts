import { commonRows, helpOf, type SettingRows } from "@slipway/http/node"

/** What each setting of the service means, by its variable. */
export const settingRows: SettingRows = {
  ...commonRows("forge"),
  FORGE_PORT: { meaning: "the port; 0 is any that is free", unlessSet: "3000" },
  FORGE_ROOT_URL: {
    meaning: "the address for callers, such as https://forge.example; without it, the one that each request was sent to"
  },
  FORGE_REPOSITORIES: { meaning: "the directory of the git repositories", unlessSet: ".slipway/forge-repositories" },
  FORGE_BLOBS: {
    meaning: "where attachments, packages and LFS objects are kept",
    unlessSet: "file:.slipway/forge-blobs",
    secret: "address"
  },
  FORGE_SSH_PORT: { meaning: "the port where git is served by SSH, or off", unlessSet: "2222" },
  FORGE_SIGNING_KEY: {
    meaning: "the file of the private key that signs what the site commits, OpenPGP in armor or Ed25519 of SSH"
  },
  FORGE_SSH_HOST_KEY: {
    meaning: "the file of the key that clients know the machine by",
    unlessSet: ".slipway/forge-ssh-host.key"
  },
  FORGE_SSH_TRUSTED_USER_CA_KEYS: {
    meaning: "the public SSH keys whose certificates sign requests, with commas between"
  },
  FORGE_GIT_CLIENTS: { meaning: "how many git clients are served at a time", unlessSet: "32" },
  FORGE_GIT_IDLE: {
    meaning: "after how many seconds a git client is let go that neither reads nor sends",
    unlessSet: "120"
  },
  FORGE_GIT_MAX_PUSH: { meaning: "the largest push in mebibytes", unlessSet: "2048" },
  FORGE_GIT_MAX_OBJECT: { meaning: "the largest object in mebibytes", unlessSet: "512" },
  FORGE_GIT_MAX_REPOSITORY: { meaning: "the largest repository in mebibytes, 0 for no limit", unlessSet: "0" },
  FORGE_PACKAGE_MAX_FILE: { meaning: "the largest file of a package in mebibytes", unlessSet: "2048" },
  FORGE_ARTIFACT_MAX_SIZE: { meaning: "the largest artifact of a workflow run in mebibytes", unlessSet: "1024" },
  FORGE_ARTIFACT_DAYS: { meaning: "for how many days artifacts are kept", unlessSet: "90" },
  FORGE_EVENT_RETENTION: { meaning: "for how many days events are kept, 0 for good", unlessSet: "0" },
  FORGE_DELIVERY_RETENTION: {
    meaning: "for how many days deliveries of webhooks are kept, 0 for good",
    unlessSet: "14"
  },
  FORGE_WORKFLOW_RETENTION: {
    meaning: "for how many days runs of workflows are kept with their logs, 0 for good",
    unlessSet: "365"
  },
  FORGE_WORKFLOW_APPROVAL: {
    meaning: "whose pull requests from forks start runs that wait to be approved: newcomers, strangers or nobody",
    unlessSet: "newcomers"
  },
  FORGE_ACTIONS_URL: {
    meaning: "where actions lie that workflows name without an address",
    unlessSet: "https://github.com"
  },
  FORGE_JOB_LEASE: {
    meaning: "after how many seconds without a sign of life another process takes up a job",
    unlessSet: "15"
  },
  FORGE_ALLOW_PRIVATE_ADDRESSES: { meaning: "whether webhooks may be sent to private addresses", unlessSet: "false" },
  FORGE_MAIL_URL: {
    meaning: "the server that takes mail, smtp:// or smtps://, with FORGE_ROOT_URL; without it none is sent",
    secret: "address"
  },
  FORGE_MAIL_FROM: { meaning: "whom mail is from, such as Forge <forge@example.com>" },
  FORGE_NEWS_MAIL: { meaning: "whether news of what happens are mailed; true where mail is on" },
  FORGE_EMAIL_NOTIFICATIONS: {
    meaning: "which of these new accounts get, until they say otherwise: enabled, onmention, andyourown or disabled",
    unlessSet: "enabled"
  },
  FORGE_CONFIRM_ADDRESSES: {
    meaning: "whether addresses that users add count once they confirm them by mail; true where mail is on"
  },
  FORGE_OPENID_ISSUER: {
    meaning: "another service that signs people in by OpenID Connect, such as https://login.example.com"
  },
  FORGE_OPENID_CLIENT_ID: { meaning: "what the forge is called there" },
  FORGE_OPENID_CLIENT_SECRET: { meaning: "its secret there", secret: "all" },
  FORGE_OPENID_NAME: { meaning: "what people call that service; its host unless set" },
  FORGE_ADMIN_USERNAME: { meaning: "the administrator that the first start makes", unlessSet: "slipway" },
  FORGE_ADMIN_EMAIL: { meaning: "their address" },
  FORGE_ADMIN_PASSWORD: { meaning: "their password; made up and shown once when it isn't set", secret: "all" },
  FORGE_REQUIRE_SIGN_IN: { meaning: "whether anonymous callers are refused", unlessSet: "false" },
  FORGE_SEARCH_REQUIRES_SIGN_IN: { meaning: "whether searching needs a sign-in", unlessSet: "false" },
  FORGE_USER_SEARCH: { meaning: "whether users can be searched", unlessSet: "true" },
  FORGE_REFERENCE: { meaning: "whether there is a page to try requests on, /docs", unlessSet: "true" },
  FORGE_QUERY_TOKENS: { meaning: "whether tokens in the query count", unlessSet: "true" },
  FORGE_GIT_HOOKS: {
    meaning: "whether repositories may have programs that git runs here, by those who may",
    unlessSet: "false"
  },
  FORGE_FEDERATION: {
    meaning: "whether its paths are 501, since it isn't implemented, and not 404",
    unlessSet: "false"
  },
  FORGE_PAGE_SIZE: { meaning: "how long a page is where nobody says", unlessSet: "30" },
  FORGE_MAX_PAGE_SIZE: { meaning: "how long it may be", unlessSet: "50" },
  FORGE_PROXY_USER_HEADER: { meaning: "the header by which a trusted proxy names who it signed in" }
}

/** What `--help` says. */
export const help = helpOf(
  "The code hosting service of Slipway.",
  settingRows,
  "A password that is lost is set anew by `npx slipway forge admin user change-password <name>`."
)
