import { rootTeam } from "@slipway/domain/deploy/identity"
import type { ForgeApp, ForgeAppUuid, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"

/** Returns an installed app of a git host with this API address. */
export const appAt = (apiUrl: string, facts: Partial<ForgeApp> = {}): ForgeApp => ({
  id: 1,
  uuid: "f".repeat(24) as ForgeAppUuid,
  teamId: rootTeam,
  name: "shop",
  organization: null,
  apiUrl,
  htmlUrl: "https://forge.dev",
  customUser: "git",
  customPort: 22,
  appId: 7,
  installationId: 8,
  clientId: "c",
  clientSecret: "" as ForgeApp["clientSecret"],
  webhookSecret: null,
  privateKeyUuid: "k".repeat(24) as PrivateKeyUuid,
  connection: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...facts
})
