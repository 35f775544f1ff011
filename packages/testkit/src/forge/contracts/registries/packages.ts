import type { Stores } from "@slipway/domain/forge"
import type { OwnerId } from "@slipway/domain/forge/identity"
import { type PackageFilter, PackageSearch, packageLinks } from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, moment, organizationOwner, userOwner } from "../../builders.ts"
import { newPackageOf } from "../../packages.ts"
import { equal, oddTexts, organization, repository, samePaginated, user } from "../base/fixtures.ts"

const fixture = Effect.gen(function* () {
  const store = yield* PackageSearch
  const [ann, acme] = [userOwner(yield* user(1)), organizationOwner(yield* organization(1))]
  yield* newPackageOf(ann, "generic", "Tool", "1.0", "1.1")
  yield* newPackageOf(acme, "generic", "tool", "9.9")
  const toolbox = yield* newPackageOf(ann, "other", "toolbox", "2.0")
  yield* newPackageOf(ann, "generic", "lamp", "3.0")
  const found = (owner: OwnerId, filter: PackageFilter = {}) =>
    Effect.map(store.versions(owner, filter, all), ({ rows, total }) => [
      rows.map(({ name, version }) => `${name} ${version}`).join(", "),
      total
    ])
  return { acme: acme.id, ann: ann.id, annKey: ann, found, store, toolbox: toolbox.packageId }
})

/** Contract tests of the lists of packages. Every implementation must pass them. */
export const packageSearch: Contract<Stores> = {
  port: "PackageSearch",
  musts: {
    "list the versions of an owner's packages, newest first, without gaps or repeats between pages": Effect.gen(
      function* () {
        const { acme, ann, found, store } = yield* fixture
        equal(yield* found(ann), ["lamp 3.0, toolbox 2.0, Tool 1.1, Tool 1.0", 4])
        equal(yield* found(acme), ["tool 9.9", 1])
        const { rows } = yield* store.versions(acme, {}, all)
        equal(
          rows.map(({ id: _, packageId: __, ...row }) => row),
          [{ ownerId: acme, type: "generic", name: "tool", version: "9.9", creatorId: null, createdAt: moment(0) }]
        )
        yield* samePaginated((page) => store.versions(ann, {}, page))
      }
    ),
    "list versions by package type and by a part of a name, ignoring case, with the matching total": Effect.gen(
      function* () {
        const { ann, found, store } = yield* fixture
        equal(yield* found(ann, { type: "generic" }), ["lamp 3.0, Tool 1.1, Tool 1.0", 3])
        equal(yield* found(ann, { text: "TOOL" }), ["toolbox 2.0, Tool 1.1, Tool 1.0", 3])
        equal(yield* found(ann, { text: "o", type: "other" }), ["toolbox 2.0", 1])
        equal(yield* found(ann, { text: "" }), ["lamp 3.0, toolbox 2.0, Tool 1.1, Tool 1.0", 4])
        for (const odd of oddTexts.filter((text) => text !== "")) {
          equal(yield* found(ann, { text: odd }), ["", 0])
          equal(yield* found(ann, { type: odd }), ["", 0])
        }
        yield* samePaginated((page) => store.versions(ann, { text: "tool", type: "generic" }, page))
      }
    ),
    "list the versions of packages linked to a repository, with the matching total": Effect.gen(function* () {
      const { ann, annKey, found, store, toolbox } = yield* fixture
      const [site, empty] = [yield* repository(1, annKey), yield* repository(2, annKey)]
      const links = yield* packageLinks.store
      const { packageId: box } = yield* newPackageOf(annKey, "other", "box", "1", "2")
      for (const packageId of [toolbox, box]) yield* links.insert({ packageId, repositoryId: site.id })
      equal(yield* found(ann, { repositoryId: site.id }), ["box 2, box 1, toolbox 2.0", 3])
      equal(yield* found(ann, { repositoryId: site.id, type: "generic" }), ["", 0])
      equal(yield* found(ann, { repositoryId: empty.id }), ["", 0])
      yield* samePaginated((page) => store.versions(ann, { repositoryId: site.id }, page))
    })
  }
}
