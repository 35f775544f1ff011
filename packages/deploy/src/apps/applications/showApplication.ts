import type {
  Application,
  Configuration,
  FieldName,
  PlacementField,
  SecretField,
  Sent
} from "@slipway/domain/deploy/apps"
import { allCoolifyNames, type CoolifyName, coolifyNames, unescapeLabels } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { open } from "../secrets/secrets.ts"
import { openRotation } from "../secrets/webhookRotation.ts"
import { maskedRepository, openedRepository } from "./repository.ts"

/** Every field of an application by name, with the value that the user sent (decision "Symmetry"). */
export type Shown = Configuration & { readonly [Name in PlacementField | SecretField]: Sent<Name> | null }

const sentLabels = (stored: Configuration) =>
  unescapeLabels(stored.custom_labels, stored.is_container_label_escape_enabled)

/** Returns settings as the user sent them, with unescaped container labels. */
export const toSent = (stored: Configuration): Configuration => ({ ...stored, custom_labels: sentLabels(stored) })

const hidden = {
  manual_webhook_secret_forgeA: null,
  manual_webhook_secret_forgeB: null,
  manual_webhook_secret_forgeC: null,
  manual_webhook_secret_forgeD: null,
  http_basic_auth_password: null
} satisfies Record<SecretField, null>

const repositoryFor = (application: Application, proof: Authorized<"application.secrets"> | undefined) => {
  const { git_repository: address } = application.configuration
  if (address === null) return Effect.succeed(null)
  return proof === undefined ? Effect.succeed(maskedRepository(address)) : openedRepository(application)
}

/**
 * Decrypts the secrets of an application, without a webhook secret that only the platform and the forge know: users who
 * know it could name any person as the pusher.
 */
const openShown = Effect.fnUntraced(function* (application: Application) {
  const secrets = yield* open(application)
  const isPrivate = (yield* openRotation(application))?.isPrivate ?? false
  return isPrivate ? { ...secrets, manual_webhook_secret_forgeD: null } : secrets
})

/** Returns every field of an application. Secrets are null unless the authorization proof permits to see them. */
export const show = Effect.fnUntraced(function* (
  application: Application,
  proof: Authorized<"application.secrets"> | undefined
) {
  const { configuration, forgeAppUuid, generatedDomain, placement, privateKeyUuid } = application
  return {
    ...configuration,
    custom_labels: sentLabels(configuration),
    domains: generatedDomain ?? configuration.domains,
    project_uuid: placement.projectUuid,
    server_uuid: placement.serverUuid,
    environment_name: placement.environmentName,
    environment_uuid: placement.environmentUuid,
    destination_uuid: placement.destinationUuid,
    forge_app_uuid: forgeAppUuid,
    private_key_uuid: privateKeyUuid,
    ...hidden,
    ...(proof === undefined ? {} : yield* openShown(application)),
    git_repository: yield* repositoryFor(application, proof)
  } satisfies { readonly [Name in FieldName]: unknown } as Shown
})

/** Returns the fields of an application that have other names in Coolify, under Coolify's names. */
export const withCoolifyNames = (shown: Shown) =>
  Object.fromEntries(allCoolifyNames.map((name) => [name, shown[coolifyNames[name]]])) as {
    readonly [Name in CoolifyName]: Shown[(typeof coolifyNames)[Name]]
  }
