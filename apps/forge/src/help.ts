/** What each setting of the service means, by its variable. */
export const settingRows: Readonly<Record<string, string>> = {
  HOST: "the address to listen at: 127.0.0.1",
  FORGE_PORT: "the port: 3000; 0 is any that is free",
  FORGE_MAX_CONNECTIONS: "how many connections may be open at once; others are closed as they come: 1000",
  FORGE_ROOT_URL: "the address for callers, such as https://forge.example; without it links name paths",
  FORGE_DATABASE_URL: "memory:, file:<directory> or postgres://…: file:.slipway/forge",
  DATABASE_URL: "the same for a service whose own variable isn't set",
  FORGE_DATABASE_CONNECTIONS: "how many connections to a server may be open at once; others wait: 10",
  FORGE_REPOSITORIES: "the directory of the git repositories: .slipway/forge-repositories",
  FORGE_BLOBS: "where attachments and LFS objects are kept: file:.slipway/forge-blobs",
  FORGE_SSH_PORT: "the port where git is served by SSH, or off: 2222",
  FORGE_SIGNING_KEY:
    "the file of the private key that signs what the site commits, OpenPGP in armor or Ed25519 of SSH: none",
  FORGE_SSH_HOST_KEY: "the file of the key that clients know the machine by: .slipway/forge-ssh-host.key",
  FORGE_SSH_TRUSTED_USER_CA_KEYS: "the public SSH keys whose certificates sign requests, with commas between; none",
  FORGE_GIT_CLIENTS: "how many git clients are served at a time: 32",
  FORGE_GIT_IDLE: "after how many seconds a git client is let go that neither reads nor sends: 120",
  FORGE_GIT_MAX_PUSH: "the largest push in mebibytes: 2048",
  FORGE_GIT_MAX_OBJECT: "the largest object in mebibytes: 512",
  FORGE_GIT_MAX_REPOSITORY: "the largest repository in mebibytes, 0 for no limit: 0",
  FORGE_EVENT_RETENTION: "for how many days events are kept, 0 for good: 0",
  FORGE_DELIVERY_RETENTION: "for how many days deliveries of webhooks are kept, 0 for good: 14",
  FORGE_JOB_LEASE: "after how many seconds without a sign of life another process takes up a job: 15",
  FORGE_ALLOW_PRIVATE_ADDRESSES: "whether webhooks may be sent to private addresses: false",
  FORGE_MAIL_URL: "the server that takes mail, smtp:// or smtps://, with FORGE_ROOT_URL; without it none is sent",
  FORGE_MAIL_FROM: "whom mail is from, such as Forge <forge@example.com>",
  FORGE_CONFIRM_ADDRESSES:
    "whether addresses that users add count once they confirm them by mail: true where mail is on",
  FORGE_OPENID_ISSUER:
    "another service that signs people in by OpenID Connect, such as https://login.example.com; none",
  FORGE_OPENID_CLIENT_ID: "what the forge is called there",
  FORGE_OPENID_CLIENT_SECRET: "its secret there",
  FORGE_OPENID_NAME: "what people call that service: its host",
  FORGE_METRICS_PORT: "the port where metrics can be read at /metrics; 0 is any that is free: none",
  FORGE_SLOW_REQUEST: "from how many milliseconds on a request is logged with its statements; 0 for never: 0",
  FORGE_LOG_FORMAT: "how logs are written, text or json: text",
  FORGE_ENCRYPTION_KEY: "the key that seals secrets: 32 bytes in base64",
  FORGE_ENCRYPTION_KEY_FILE: "a file with that key, made when missing: .slipway/forge.key",
  FORGE_ADMIN_USERNAME: "the administrator that the first start makes: slipway",
  FORGE_ADMIN_EMAIL: "their address",
  FORGE_ADMIN_PASSWORD: "their password; made up and shown once when it isn't set",
  FORGE_REQUIRE_SIGN_IN: "whether anonymous callers are refused: false",
  FORGE_SEARCH_REQUIRES_SIGN_IN: "whether searching needs a sign-in: false",
  FORGE_USER_SEARCH: "whether users can be searched: true",
  FORGE_REFERENCE: "whether there is a page to try requests on, /docs: true",
  FORGE_QUERY_TOKENS: "whether tokens in the query count: true",
  FORGE_GIT_HOOKS: "whether repositories may have programs that git runs here, by those who may: false",
  FORGE_FEDERATION: "false: its paths are 404; true: 501, since it isn't implemented",
  FORGE_PAGE_SIZE: "how long a page is where nobody says: 30",
  FORGE_MAX_PAGE_SIZE: "how long it may be: 50",
  FORGE_PROXY_USER_HEADER: "the header by which a trusted proxy names who it signed in; off",
  FORGE_TRUSTED_PROXIES: "the networks whose proxies are believed, also about X-Forwarded-For; none"
}

const width = Math.max(...Object.keys(settingRows).map((variable) => variable.length))

/** What `--help` says. */
export const help = `The code hosting service of Slipway. Settings come from the environment; docs/operations.md says more.

${Object.entries(settingRows)
  .map(([variable, meaning]) => `  ${variable.padEnd(width)}  ${meaning}\n`)
  .join("")}
A password that is lost is set anew by \`npx slipway forge admin user change-password <name>\`.
`
