import { assert } from "@effect/vitest"
import { Applications, show } from "@slipway/deploy/apps"
import { authorizeNamed, systemOn } from "@slipway/deploy/entry"
import { InvalidInput, type Vault } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import type { Ability } from "@slipway/domain/deploy/access"
import {
  type Application,
  ApplicationStore,
  type ClaimantType,
  claimOf,
  DeletionStore,
  DeploymentStore,
  DomainStore,
  ProxyPorts,
  parseDomains,
  TagStore,
  type Variant
} from "@slipway/domain/deploy/apps"
import { type Action, system } from "@slipway/domain/deploy/entry"
import { ownerAccess, rootTeam } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import type { Aead, Digest, SecureRandom } from "effect/crypto"
import type { Promised } from "../../contract.ts"
import type { plantWorld } from "../world.ts"

/** The services that the tests of use cases need. */
export type Needs = Stores | Vault | SecureRandom.SecureRandom | Aead.Aead | Digest.Digest
/** One test of a use case: its steps and assertions. */
export type Case = Promised<Needs>

/** The resources that `plantWorld` stores for a test. */
export type World = Effect.Success<ReturnType<typeof plantWorld>>
/** The body of a request. */
export type Body = Readonly<Record<string, unknown>>

const sources: Readonly<Record<Variant, (world: World) => Body>> = {
  public: () => ({ git_repository: "https://forge.example/owner/app", git_branch: "main", build_pack: "packer_a" }),
  "private-forge-app": ({ forgeApp }) => ({
    git_repository: "https://forge.example/owner/app",
    git_branch: "main",
    build_pack: "packer_a",
    forge_app_uuid: forgeApp.uuid
  }),
  "private-deploy-key": ({ privateKey }) => ({
    git_repository: "git@forge.example:owner/app.git",
    git_branch: "main",
    build_pack: "packer_a",
    private_key_uuid: privateKey.uuid
  }),
  dockerfile: () => ({ dockerfile: "FROM scratch\n" }),
  dockerimage: () => ({ docker_registry_image_name: "nginx" })
}

/** Returns the smallest request body that creates an application of a variant, with some fields replaced. */
export const bodyOf = (variant: Variant, world: World, fields: Body = {}): Body => ({
  project_uuid: world.project.uuid,
  environment_uuid: world.environment.uuid,
  server_uuid: world.server.uuid,
  ...sources[variant](world),
  ...fields
})

/** Creates an application of a variant (such as `public` or `dockerimage`). */
export const create = (variant: Variant, body: unknown) =>
  Applications.create(system("application.create"), variant, body)
/** Changes an application. */
export const update = (uuid: string, body: unknown) =>
  Effect.flatMap(systemOn("application.update", { uuid }), (proof) => Applications.update(proof, body))
/** Reads an application. */
export const get = (uuid: string) =>
  Effect.map(systemOn("application.read", { uuid }), ({ resource }) => resource.application)

/** Creates an application with a prebuilt image. It has no domain unless `fields` contains one. */
export const createImage = (world: World, fields: Body = {}) =>
  create("dockerimage", bodyOf("dockerimage", world, { autogenerate_domain: false, ...fields }))

const everyFlag = {
  deleteConfigurations: true,
  deleteVolumes: true,
  dockerCleanup: true,
  deleteConnectedNetworks: true
}
/** Deletes an application; by default with all of its resources, such as volumes and networks. */
export const remove = (uuid: string, flags = everyFlag) =>
  Effect.flatMap(systemOn("application.delete", { uuid }), (proof) => Applications.remove(proof, flags))

/** Reads every field of an application, including secrets. */
export const shown = (uuid: string) =>
  Effect.flatMap(systemOn("application.secrets", { uuid }), (proof) => show(proof.resource.application, proof))

/**
 * Authorizes an action for a token with these abilities. Returns the proof of authorization, which use cases require.
 */
export const as =
  (...abilities: ReadonlyArray<Ability>) =>
  <A extends Action>(action: A, named: { readonly uuid?: string } = {}) =>
    authorizeNamed({ tokenUuid: "caller", abilities, accountUuid: null, access: ownerAccess(rootTeam) }, action, {
      uuid: named.uuid
    })

/** Returns the owners of a comma-separated list of domains, oldest first. */
export const holdersOf = (list: string) =>
  Effect.gen(function* () {
    const ports = yield* ProxyPorts
    const keys = parseDomains(list).addresses.map((address) => claimOf(address, ports))
    const claims = yield* (yield* DomainStore).claims(keys)
    return claims.map((claim): readonly [ClaimantType, string | null] => [claim.holder.type, claim.holder.uuid])
  })

/**
 * Returns all rows that a request about applications may change, and the owners of the domains in `watched`. Compare
 * two snapshots to find changes.
 */
export const snapshot = (watched = "") =>
  Effect.gen(function* () {
    const window = { limit: 1_000 }
    return {
      applications: yield* (yield* ApplicationStore).list(window),
      deployments: yield* (yield* DeploymentStore).list(window),
      deletions: yield* (yield* DeletionStore).list(window),
      tags: yield* (yield* TagStore).list(window),
      holders: yield* holdersOf(watched)
    }
  })

/** Asserts that an effect fails and changes nothing. Returns the error. */
export const changesNothing = <A, E, R>(effect: Effect.Effect<A, E, R>, watched = "") =>
  Effect.gen(function* () {
    const before = yield* snapshot(watched)
    const error = yield* Effect.flip(effect)
    assert.deepStrictEqual(yield* snapshot(watched), before)
    return error
  })

/**
 * Asserts that an effect changes nothing and is rejected with error messages for exactly these fields. Returns the
 * messages.
 */
export const refuses = <A, E, R>(effect: Effect.Effect<A, E, R>, fields: ReadonlyArray<string>, watched = "") =>
  Effect.gen(function* () {
    const error = yield* changesNothing(effect, watched)
    if (!(error instanceof InvalidInput)) return assert.fail(`was refused as ${String(error)}`)
    assert.deepStrictEqual(Object.keys(error.problems).toSorted(), [...fields].toSorted())
    for (const sentences of Object.values(error.problems)) {
      assert.isAbove(sentences.length, 0)
      for (const sentence of sentences) {
        assert.match(sentence, /^.+[.!?]$/s)
        assert.isBelow(sentence.length, 1_000)
      }
    }
    return error.problems
  })

/** Returns the uuids of applications. */
export const uuidsOf = (applications: ReadonlyArray<Application>) => applications.map((each) => each.uuid)
