import { type Site, SiteSettings } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"

/** The value of a site setting; null means unlimited. */
export type SettingValue = string | number | boolean | null | ReadonlyArray<string>

/** A site setting, with the name of its group. */
export interface Setting {
  readonly group: string
  readonly name: string
  readonly value: SettingValue
}

/** Returns the site settings by group. They contain no secrets. */
const groupsOf = ({
  accounts,
  api,
  artifacts,
  attachment,
  deployUrl,
  packages,
  repository,
  retention,
  rootUrl,
  signIn,
  switches,
  title,
  ui,
  workflows
}: Site): Readonly<Record<string, Readonly<Record<string, SettingValue>>>> => ({
  site: {
    title,
    root_url: rootUrl,
    deploy_url: deployUrl,
    default_theme: ui.defaultTheme,
    allowed_reactions: ui.allowedReactions
  },
  sign_in: {
    strict: switches.strictSignIn,
    second_factor_required: switches.secondFactorRequired,
    query_tokens: signIn.queryTokens,
    proxy_user: signIn.proxyUser,
    trusted_proxies: signIn.trustedProxies.map(String),
    trusted_ssh_authorities: signIn.trustedAuthorities ?? []
  },
  accounts: {
    registration: accounts.registration,
    visibility: accounts.visibility,
    restricted: accounts.restricted,
    may_create_organizations: accounts.mayCreateOrganizations && switches.organizationCreation,
    hide_email: accounts.hideEmail,
    email_notifications: accounts.emailNotifications
  },
  features: {
    explore_needs_sign_in: switches.exploreNeedsSignIn,
    users_page: switches.usersPage,
    stars: switches.stars,
    webhooks: switches.webhooks,
    git_hooks: switches.gitHooks,
    attachments: switches.attachments,
    heatmap: switches.heatmap,
    code_search: switches.codeSearch,
    time_tracking: switches.timeTracking,
    api_reference: switches.apiReference,
    mirrors: !repository.mirrorsDisabled,
    http_git: !repository.httpGitDisabled,
    migrations: !repository.migrationsDisabled,
    lfs: !repository.lfsDisabled
  },
  limits: {
    page_size: api.defaultPageSize,
    largest_page_size: api.maxPageSize,
    tree_page_size: api.treesPageSize,
    blob_bytes: api.maxBlobSize,
    response_bytes: api.maxResponseSize,
    attachment_megabytes: attachment.maxSize,
    attachment_files: attachment.maxFiles,
    attachment_types: attachment.allowedTypes,
    package_file_megabytes: packages.maxFileSize,
    artifact_megabytes: artifacts.maxSize
  },
  workflows: { actions_url: workflows.actionsUrl, approval: workflows.approval },
  retention: {
    event_days: retention.events ?? null,
    delivery_days: retention.deliveries ?? null,
    workflow_run_days: retention.workflowRuns ?? null,
    artifact_days: artifacts.days
  }
})

/** Lists the settings of the site for site administrators. */
export const list = (_: Proof<"admin.settings.list">) =>
  Effect.map(SiteSettings, (site) =>
    Object.entries(groupsOf(site)).flatMap(([group, settings]) =>
      Object.entries(settings).map(([name, value]): Setting => ({ group, name, value }))
    )
  )
