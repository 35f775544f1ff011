import type { Visibility } from "@slipway/access"
import { Clock, Context, Effect, Layer } from "effect"
import type { IpNetwork } from "effect/net"
import { timeOf } from "../../../Time.ts"
import { newSiteSwitches } from "../../access/facts/defaultFacts.ts"
import type { SwitchFacts } from "../../access/facts/facts.ts"
import { PolicySet } from "../../access/PolicySet.ts"
import type { ApprovalPolicy } from "./approvalPolicies.ts"
import type { EmailNotifications } from "./emailNotifications.ts"
import type { RegistrationMode } from "./registrationModes.ts"

/** The settings about how callers can authenticate. */
export interface SignInSettings {
  /** Whether the deprecated query parameters `token` and `access_token` are accepted. */
  readonly queryTokens: boolean
  /** Whether a user name in a header of a trusted reverse proxy signs the user in; off by default (invariant I17). */
  readonly proxyUser: boolean
  /** The networks of trusted reverse proxies; client addresses in their forwarding headers are trusted. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  /** The fingerprints of trusted SSH certificate authorities; none by default. */
  readonly trustedAuthorities?: ReadonlyArray<string>
}

/** The default settings of new accounts. */
export interface AccountSettings {
  readonly visibility: Visibility
  readonly restricted: boolean
  readonly mayCreateOrganizations: boolean
  readonly hideEmail: boolean
  readonly emailNotifications: EmailNotifications
  /**
   * Whether visitors can create accounts, and whether an administrator must then activate them. The site switch
   * `registration` must also be on.
   */
  readonly registration: RegistrationMode
}

/** The settings of the user interface, as the response of `/settings/ui`. */
export interface UiSettings {
  readonly defaultTheme: string
  readonly allowedReactions: ReadonlyArray<string>
  readonly customEmojis: ReadonlyArray<string>
}

/** The limits of the API, such as page sizes, as the response of `/settings/api`. */
export interface ApiSettings {
  readonly maxPageSize: number
  readonly defaultPageSize: number
  readonly treesPageSize: number
  readonly maxBlobSize: number
  readonly maxResponseSize: number
}

/** The limits of attachments; with the switch for attachments, this is the response of `/settings/attachment`. */
export interface AttachmentSettings {
  readonly allowedTypes: string
  readonly maxFiles: number
  /** The maximum size of an attachment in megabytes. */
  readonly maxSize: number
}

/** The limits of package registries. */
export interface PackageSettings {
  /** The maximum file size in megabytes. */
  readonly maxFileSize: number
}

/** The limits of workflow artifacts. */
export interface ArtifactSettings {
  /** The maximum artifact size in megabytes. */
  readonly maxSize: number
  /** The default and maximum retention of artifacts, in days; a job can request fewer days. */
  readonly days: number
}

/**
 * The repository features that the operator disabled. With the switches for stars and time tracking, this is the
 * response of `/settings/repository`.
 */
export interface RepositorySettings {
  readonly mirrorsDisabled: boolean
  readonly httpGitDisabled: boolean
  readonly migrationsDisabled: boolean
  readonly lfsDisabled: boolean
}

/** A set of access rules with any custom facts, resource types and actions. */
export type AnyPolicySet = Pick<PolicySet, "at" | "rulebook">

/** The retention of events, webhook deliveries and workflow runs, in days; undefined is unlimited. */
export interface RetentionSettings {
  readonly events: number | undefined
  readonly deliveries: number | undefined
  readonly workflowRuns: number | undefined
}

/** The settings for workflows. */
export interface WorkflowSettings {
  /** The base URL of actions that workflows name without a URL, such as `actions/checkout`. */
  readonly actionsUrl: string
  /** The contributors who need approval to run workflows in pull requests from forks. */
  readonly approval: ApprovalPolicy
}

/** All settings of a site, which its operator chooses. */
export interface Site {
  /** The public base URL of the site, which emails use; empty if not set. */
  readonly rootUrl: string
  /** The URL of the deployment platform, to which pages link, without a slash at the end; empty if there is none. */
  readonly deployUrl: string
  /** The name of the site, which authenticator apps show for one-time codes. */
  readonly title: string
  /** The host name of the site, for example in email addresses. */
  readonly host: string
  /** The access rules: the built-in ones, or the extended set of a program that embeds the forge. */
  readonly policy: AnyPolicySet
  /** The switches of the site, and the values of custom facts (inputs of access rules) at the time of reading. */
  readonly switches: SwitchFacts
  readonly signIn: SignInSettings
  readonly accounts: AccountSettings
  readonly ui: UiSettings
  readonly api: ApiSettings
  readonly attachment: AttachmentSettings
  readonly packages: PackageSettings
  readonly artifacts: ArtifactSettings
  readonly repository: RepositorySettings
  readonly workflows: WorkflowSettings
  readonly retention: RetentionSettings
}

/** The default settings of a site. */
export const defaultSite: Site = {
  rootUrl: "",
  deployUrl: "",
  title: "Slipway",
  host: "localhost",
  policy: PolicySet.builtIn,
  switches: newSiteSwitches,
  signIn: {
    queryTokens: true,
    proxyUser: false,
    trustedProxies: []
  },
  accounts: {
    visibility: "public",
    restricted: false,
    mayCreateOrganizations: true,
    hideEmail: false,
    emailNotifications: "enabled",
    registration: "off"
  },
  ui: {
    defaultTheme: "gitea-auto",
    allowedReactions: ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"],
    customEmojis: []
  },
  api: {
    maxPageSize: 50,
    defaultPageSize: 30,
    treesPageSize: 1_000,
    maxBlobSize: 10_485_760,
    maxResponseSize: 104_857_600
  },
  attachment: { allowedTypes: "*/*", maxFiles: 5, maxSize: 2_048 },
  packages: { maxFileSize: 2_048 },
  artifacts: { maxSize: 1_024, days: 90 },
  repository: {
    mirrorsDisabled: false,
    httpGitDisabled: false,
    migrationsDisabled: false,
    lfsDisabled: false
  },
  workflows: { actionsUrl: "https://github.com", approval: "first-time-contributors" },
  retention: { events: undefined, deliveries: 14, workflowRuns: 365 }
}

/** Provides the settings of the site. */
export class SiteSettings extends Context.Service<SiteSettings, Site>()("@slipway/domain/forge/SiteSettings") {
  /** Provides the default settings of a site, except for the given ones. */
  static readonly layer = (set: Partial<Site> = {}) => {
    const { switches: chosen, ...site } = { ...defaultSite, ...set }
    const { accounts, policy } = site
    const switches = { ...chosen, registration: chosen.registration || accounts.registration !== "off" }
    if (policy === PolicySet.builtIn) return Layer.succeed(SiteSettings, { ...site, switches })
    return Layer.effect(
      SiteSettings,
      Effect.map(Clock.Clock, (clock) => ({
        ...site,
        get switches() {
          const at = timeOf(clock.currentTimeMillisUnsafe())
          return { ...switches, ...policy.at({ at, caller: undefined }) }
        }
      }))
    )
  }
}
