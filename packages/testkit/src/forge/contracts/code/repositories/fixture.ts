import { RepositoryStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { organizationOwner, userOwner } from "../../../builders.ts"
import { organization, repository, user } from "../../base/fixtures.ts"

/** Stores a repository of an organization and a repository of a user. */
export const fixture = Effect.gen(function* () {
  const store = yield* RepositoryStore
  const bob = yield* user(1, { name: "bob" })
  const acme = yield* organization(1, { name: "acme" })
  const site = yield* repository(1, organizationOwner(acme), { name: "Site" })
  const notes = yield* repository(2, userOwner(bob), { name: "notes" })
  return { store, bob, acme, site, notes }
})
