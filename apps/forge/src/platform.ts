import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerBlobs } from "@slipway/blobs"
import { isExactly, type Vault } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import type { WorkflowReader } from "@slipway/domain/forge/automation"
import { type BlobStore, defaultSite, SiteSettings } from "@slipway/domain/forge/base"
import type {
  FileTypes,
  GitReader,
  GitRepositories,
  GitWriter,
  Templates,
  UnadoptedRepositories
} from "@slipway/domain/forge/code"
import type { Markdown, Recognition } from "@slipway/domain/forge/collaboration"
import type {
  AvatarImages,
  CommonPasswords,
  OneTimeCodes,
  PasswordHasher,
  PublicKeyReader,
  SignatureChecker
} from "@slipway/domain/forge/identity"
import { layerEgress, layerHookSender } from "@slipway/egress"
import { layerServices } from "@slipway/embed/services"
import { Mails } from "@slipway/forge/base"
import { layerNotificationMail } from "@slipway/forge/collaboration"
import { layerSigningWriter, layerVerification } from "@slipway/forge/identity"
import { layerGitObjects, layerGitRepositories, layerUnadoptedRepositories } from "@slipway/git/forge"
import { layerCryptography } from "@slipway/http/node"
import { layerHookPayloads } from "@slipway/http/server/forge"
import { layerMailer } from "@slipway/mail"
import { blobStore, layer as memory } from "@slipway/memory/forge"
import { layerOutsideProvider } from "@slipway/openid"
import { layerSiteSigner } from "@slipway/signatures"
import type { Database } from "@slipway/sql"
import { layer as sql } from "@slipway/sql/forge"
import { sweepFolders } from "@slipway/subprocess"
import { Duration, Effect, Layer } from "effect"
import type { Settings, StoreSettings } from "./config.ts"

/** The requirements of use cases in addition to the site's settings. */
type Platform =
  | BlobStore
  | CommonPasswords
  | FileTypes
  | GitReader
  | GitRepositories
  | GitWriter
  | Layer.Success<typeof layerCryptography>
  | Markdown
  | OneTimeCodes
  | PasswordHasher
  | AvatarImages
  | PublicKeyReader
  | SignatureChecker
  | Recognition
  | WorkflowReader
  | Stores
  | Templates
  | UnadoptedRepositories
  | Vault

const temporaryPrefix = "slipway-forge-git-"
const temporaryFolder = join(tmpdir(), `${temporaryPrefix}${process.pid}`)

/** Returns the folder of git repositories; temporary if the database is in memory. */
export const gitFolder = ({ database, repositories }: Pick<StoreSettings, "database" | "repositories">): string =>
  database._tag === "Memory" ? temporaryFolder : repositories

/** Removes temporary files of this process at exit, and those of killed processes. */
const temporary = Layer.effectDiscard(
  Effect.andThen(
    sweepFolders({ prefix: temporaryPrefix, abandoned: Duration.days(7) }, tmpdir()),
    Effect.addFinalizer(() => Effect.promise(() => rm(temporaryFolder, { recursive: true, force: true })))
  )
)

/** The requirements of use cases: stores, vault, credentials, avatars, templates and git. */
export const platform = ({
  blobs,
  connections,
  database,
  repositories,
  secretKey
}: StoreSettings): Layer.Layer<Platform, Database.DatabaseError> =>
  Layer.mergeAll(
    database._tag === "Memory" ? memory : sql(database, { maxConnections: connections }),
    layerServices(secretKey.key),
    blobs._tag === "Memory" ? Layer.provide(blobStore, layerCryptography) : layerBlobs(blobs),
    Layer.provideMerge(
      layerUnadoptedRepositories(gitFolder({ database, repositories })),
      layerGitRepositories(gitFolder({ database, repositories }))
    ),
    layerGitObjects(gitFolder({ database, repositories })),
    database._tag === "Memory" ? temporary : Layer.empty
  )

/** The site settings of the operator. */
export const site = ({
  artifacts,
  deployUrl,
  emailNotifications,
  packageFile,
  pageSizes,
  proxyUserHeader,
  queryTokens,
  registration,
  trustedAuthorities,
  retention,
  rootUrl,
  switches,
  trustedProxies,
  workflows
}: Settings) =>
  SiteSettings.layer({
    rootUrl: rootUrl?.origin ?? "",
    deployUrl: deployUrl?.origin ?? "",
    host: rootUrl?.hostname ?? defaultSite.host,
    switches: { ...defaultSite.switches, ...switches },
    accounts: { ...defaultSite.accounts, emailNotifications, registration },
    signIn: { queryTokens, proxyUser: proxyUserHeader !== undefined, trustedProxies, trustedAuthorities },
    api: { ...defaultSite.api, ...pageSizes },
    packages: { maxFileSize: packageFile },
    artifacts,
    workflows,
    retention
  })

/** Verifies signatures of commits, and signs the site's commits if the operator configured a key. */
export const signatures = ({ rootUrl, signingKey }: Settings) => {
  const host = rootUrl?.hostname ?? defaultSite.host
  const site = { name: defaultSite.title, email: `noreply@${host}` }
  return Layer.provideMerge(
    Layer.merge(layerVerification, layerSigningWriter),
    signingKey === undefined ? Layer.empty : layerSiteSigner(signingKey, site)
  )
}

/** Enables jobs to send emails, if a mail server is configured. */
export const mail = (settings: Settings) => {
  const { mail: set, notificationMail } = settings
  return set === undefined
    ? Layer.empty
    : Layer.provide(
        notificationMail
          ? Layer.merge(Mails.layerDelivery, Layer.provide(layerNotificationMail, site(settings)))
          : Mails.layerDelivery,
        layerMailer(set.server, set.from)
      )
}

/** Enables the external sign-in provider, if one is configured. */
export const outsideProvider = ({ outside }: Settings) =>
  outside === undefined ? Layer.empty : layerOutsideProvider(outside)

/** Sends webhooks to the addresses that the operator allows. */
export const hooks = ({ allowedAddresses, privateAddresses }: Settings) =>
  Layer.merge(
    layerHookPayloads,
    Layer.provide(
      layerHookSender,
      layerEgress({
        allowPrivate: privateAddresses,
        isAllowed: (host, port) => Effect.succeed(isExactly(allowedAddresses, host, port))
      })
    )
  )
