import { roleRules } from "@slipway/domain/deploy/access"
import type { Application, Deployment, Environment } from "@slipway/domain/deploy/apps"
import { EnvironmentStore, EnvironmentUuid, ProjectStore } from "@slipway/domain/deploy/apps"
import { authorize, type Caller, type NotAuthorized, presence } from "@slipway/domain/deploy/entry"
import { type Account, AccountStore } from "@slipway/domain/deploy/identity"
import { type ManifestChange, manifestFile } from "@slipway/domain/deploy/runtime"
import { Effect, Result } from "effect"
import { accountCaller, actorOf } from "../../apps/deliveries/actor.ts"
import type { Linked } from "../../apps/forge-links/link.ts"
import { findOutsider } from "../../identity/outsiders/findOutsider.ts"
import { signsIn } from "../../infrastructure/forge-apps/ForgeConnections.ts"
import { databasesOf } from "./facts.ts"

/** The person who requested a deployment: the name, and the account on this platform; undefined if there is none. */
interface Person {
  readonly name: string
  readonly account: Account | undefined
}

/**
 * Returns the person who requested a deployment. Returns undefined if it was requested by a token without an account or
 * by the platform, and "unnamed" for a push that names no user.
 */
const personOf = Effect.fnUntraced(function* ({ pusher, requestedBy, trigger }: Deployment, { forge }: Linked) {
  if (pusher !== null) {
    const account = yield* findOutsider({ issuer: forge.htmlUrl, subject: pusher.id })
    return { name: pusher.name, account } satisfies Person
  }
  if (trigger === "webhook") return "unnamed"
  if (requestedBy === null) return undefined
  const account = yield* (yield* AccountStore).find(requestedBy)
  return { name: account?.name ?? "a deleted account", account } satisfies Person
})

/** The environment of a change; one that the plan creates has no uuid yet, so that only wider grants apply to it. */
const placementIn = ({ placement }: Application, environments: ReadonlyArray<Environment>, name: string) => {
  if (name === placement.environmentName) return placement
  const found = environments.find((each) => each.name === name)
  return {
    ...placement,
    environmentUuid: found?.uuid ?? EnvironmentUuid.make("", { disableChecks: true }),
    environmentName: name,
    isProtected: found?.isProtected ?? false
  }
}

/** Fails if a caller may not make one of the changes of a plan, before any of them is applied. */
const authorizeChanges = Effect.fnUntraced(function* (
  caller: Caller,
  application: Application,
  linked: Linked,
  changes: ReadonlyArray<ManifestChange>
) {
  const { environmentName, projectUuid } = application.placement
  const project = yield* (yield* ProjectStore).find(projectUuid)
  const environments = yield* (yield* EnvironmentStore).ofProject(projectUuid)
  const databases = yield* databasesOf(application, linked)
  for (const change of changes) {
    switch (change._tag) {
      case "CreateEnvironment":
        if (project !== undefined) yield* authorize(caller, "environment.create", { project })
        break
      case "CreateDatabase":
      case "CreateApplication": {
        const placement = placementIn(application, environments, change.environment)
        yield* authorize(caller, "resource.create", { placement })
        const isDeployed = change._tag === "CreateDatabase" || change.environment === environmentName
        if (isDeployed) yield* authorize(caller, "application.deploy", { application: { ...application, placement } })
        break
      }
      case "ChangeImage": {
        const database = databases.find(({ declaredBy }) => declaredBy?.name === change.name)
        if (database === undefined) break
        yield* authorize(caller, "database.update", { database })
        yield* authorize(caller, "database.deploy", { database })
        break
      }
      // A push deletes no resource.
      case "DeleteApplication":
      case "DeleteDatabase":
      case "DeleteVariable":
      case "ChangeApplication":
      case "SetVariables":
        yield* authorize(caller, "application.update", { application })
    }
  }
})

const refusal = (because: string): string => `${manifestFile} changes the application, and ${because}`

/** Returns what a person lacks. A person outside of the team lacks the role too. */
const lackOf = (name: string, { because, rule }: NotAuthorized): string => {
  const missing = rule === presence.id ? roleRules.edit.because : because
  return `${name} may not do this: ${missing}. Ask an administrator of the team for the role, then deploy again.`
}

/**
 * Returns the caller as which a deployment applies the changes of a manifest, or the reason why it may not.
 *
 * It may do what the application's owner may. If people sign in through the forge, it may do only what the person who
 * pushed or requested the deployment may too. The rights are those at this time (invariant I7).
 */
export const callerFor = Effect.fnUntraced(function* (
  deployment: Deployment,
  application: Application,
  linked: Linked,
  changes: ReadonlyArray<ManifestChange>
) {
  const owner = yield* actorOf(application)
  if (owner === undefined) {
    return `${manifestFile}: the account that set up automatic deployments is disabled`
  }
  if (changes.length === 0 || !(yield* signsIn(linked.forge))) return owner
  const person = yield* personOf(deployment, linked)
  if (person === undefined) return owner
  if (person === "unnamed") {
    return refusal("the push does not name its user: deploy again with an account that may change the application.")
  }
  const { account, name } = person
  if (account === undefined) {
    return refusal(
      `${name} has no account on this platform: sign in there through the forge, ask for the role \`developer\`, then deploy again.`
    )
  }
  const { projectUuid, teamId } = application.placement
  const limit = yield* accountCaller(owner, account.uuid, teamId, [projectUuid])
  if (limit === undefined) {
    return refusal(`the account of ${name} is disabled: ask an administrator to enable it, then deploy again.`)
  }
  const checked = yield* Effect.result(authorizeChanges(limit, application, linked, changes))
  if (Result.isFailure(checked)) return refusal(lackOf(name, checked.failure))
  return { ...owner, limitedBy: limit.access } satisfies Caller
})
