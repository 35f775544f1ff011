import type { Kind } from "@slipway/domain/deploy"
import type { Placement } from "@slipway/domain/deploy/apps"
import { type AccountUuid, rootTeam } from "@slipway/domain/deploy/identity"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import {
  configurationOf,
  newAccount,
  newApplication,
  newDatabase,
  newDeletion,
  newDeployment,
  newDestination,
  newEnvironment,
  newForgeApp,
  newPrivateKey,
  newProject,
  newS3Storage,
  newServer,
  newService,
  newTag,
  newToken,
  targetOf,
  uuidOf
} from "./builders.ts"
import { newGitlabApp, newRegistry } from "./credentials.ts"
import type { AnyNew } from "./kinds.ts"
import { grantedOn, newGrant, newGroup, newInvitation, newRole } from "./people.ts"

// A destination is always on the same server, because a placement names both.
const serverOf = (destination: number): ServerUuid => uuidOf("server", destination === 3 ? 1 : destination)

const placementAt = (environment: number, destination: number): Placement => ({
  projectUuid: uuidOf("project", 1),
  environmentUuid: uuidOf("environment", environment),
  environmentName: "whatever it is",
  teamId: rootTeam,
  isProtected: false,
  serverUuid: serverOf(destination),
  destinationUuid: uuidOf("destination", destination)
})

/** Makes test row `n` of a resource type, with a name. `parent` is the number of the row that it references. */
export const rowOf = (kind: Kind, n: number, name: string, parent: number): AnyNew => {
  const parentKey = uuidOf("privateKey", parent)
  const account: AccountUuid = uuidOf("account", parent)
  switch (kind) {
    case "account":
      return { ...newAccount(n, { name }) }
    case "project":
      return { ...newProject(n, { name }) }
    case "environment":
      return { ...newEnvironment(n, { uuid: uuidOf("project", parent) }, { name }) }
    case "privateKey":
      return { ...newPrivateKey(n, { name }) }
    case "server":
      return { ...newServer(n, { name, privateKeyUuid: name === "a" ? uuidOf("privateKey", parent) : null }) }
    case "destination":
      return { ...newDestination(n, { uuid: serverOf(n) }, { network: name }) }
    case "forgeApp":
      return { ...newForgeApp(n, { uuid: uuidOf("privateKey", parent) }, { name }) }
    case "gitlabApp":
      return { ...newGitlabApp(n, { name }) }
    case "registry":
      return { ...newRegistry(n, { registry: name }) }
    case "s3Storage":
      return { ...newS3Storage(n, { name }) }
    case "application":
      return {
        ...newApplication(n, placementAt(parent, n), {
          configuration: configurationOf({ name }),
          privateKeyUuid: name === "a" ? uuidOf("privateKey", parent) : null,
          forgeAppUuid: name === "b" ? uuidOf("forgeApp", parent) : null
        })
      }
    case "service":
      return { ...newService(n, placementAt(parent, n), { name }) }
    case "database":
      return { ...newDatabase(n, placementAt(parent, n), { name }) }
    case "tag":
      return { ...newTag(n, { name }) }
    case "accountGroup":
      return { ...newGroup(n, { name }) }
    case "role":
      return { ...newRole(n, { name }) }
    case "roleGrant":
      return { ...newGrant(n, { uuid: account }, grantedOn(name, parent)) }
    case "invitation":
      return { ...newInvitation(n, { uuid: account }, grantedOn(name, parent)) }
    case "token":
      return { ...newToken(n, { name, hash: String(parentKey), accountUuid: name === "a" ? account : null }) }
    case "deployment":
      return { ...newDeployment(n, targetOf(parent), { applicationName: name }) }
    case "deletion":
      return { ...newDeletion(n, targetOf(parent), { applicationName: name }) }
  }
}
