import { assert } from "@effect/vitest"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { OrganizationStore, type TeamName } from "@slipway/domain/forge/identity"
import { Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all } from "../../builders.ts"
import { repositoryAt } from "../../plant.ts"
import { answer, basic, equal, mayAbout, type Sent } from "../support.ts"

import { acme, editTeam, fixture, onRepository, onTeam, removeTeam } from "./fixture.ts"
/** Tests that a team can get access only to repositories of the same organization. */
export const teamRepositories = Effect.gen(function* () {
  yield* fixture
  const add = (path: string, owner: string, repository: string, sent: Sent = basic("olga")) =>
    Effect.gen(function* () {
      const about = yield* onRepository(path, owner, repository)
      return yield* Teams.addRepository(yield* mayAbout("team.repository.add", about, sent))
    })
  const letGo = (path: string, owner: string, repository: string, sent: Sent = basic("olga")) =>
    Effect.gen(function* () {
      const about = yield* onRepository(path, owner, repository)
      return yield* Teams.removeRepository(yield* mayAbout("team.repository.remove", about, sent))
    })
  const read = (path: string, repository: string, sent: Sent) =>
    Effect.gen(function* () {
      const about = yield* onRepository(path, "acme", repository)
      const found = yield* Teams.repository(yield* mayAbout("team.repository.read", about, sent))
      return found.repository.name
    })
  const list = (path: string, sent: Sent) =>
    Effect.gen(function* () {
      const proof = yield* mayAbout("team.repository.list", yield* onTeam(path), sent)
      const { rows, total } = yield* Teams.repositories(proof, all)
      return { names: rows.map(({ repository }) => repository.name), total }
    })
  equal(yield* answer(read("acme/builders", "vault", basic("olga"))), "RepositoryNotFound acme/vault")
  yield* add("acme/builders", "acme", "vault")
  yield* add("acme/builders", "acme", "vault")
  equal(yield* read("acme/builders", "vault", basic("bob")), "vault")
  equal(yield* list("acme/builders", basic("bob")), { names: ["site", "vault"], total: 2 })
  // Invariant I10: a team shows only those of its repositories that the caller can see.
  equal(yield* list("acme/club", basic("eve")), { names: ["site"], total: 1 })
  yield* add("acme/club", "acme", "vault")
  equal(yield* list("acme/club", basic("eve")), { names: ["site"], total: 1 })
  // Invariant I6: a repository of another owner is missing, even for an administrator of both.
  equal(yield* answer(add("acme/builders", "hush", "plot")), "RepositoryNotFound hush/plot")
  equal(yield* answer(add("acme/builders", "eve", "own", basic("ann"))), "RepositoryNotFound eve/own")
  // An administrator of a repository can add it to their own team; other users can't.
  equal(
    yield* answer(add("acme/club", "acme", "site", basic("cy"))),
    "403 Must have admin-level access to the repository"
  )
  equal(yield* answer(add("acme/club", "acme", "site", basic("bob"))), "403 Must be a team member")
  yield* add("acme/builders", "acme", "site", basic("bob"))
  yield* letGo("acme/builders", "acme", "site", basic("bob"))
  equal(yield* answer(letGo("acme/builders", "acme", "site")), "RepositoryNotFound acme/site")
  assert.isDefined(yield* repositoryAt("acme/site"))
  equal(yield* answer(letGo("acme/readers", "acme", "site")), "TeamHoldsAll readers")
  // Repositories that were added by name stay when a team no longer includes all.
  yield* add("acme/readers", "acme", "vault")
  yield* editTeam("acme/readers", { includesAllRepositories: false })
  equal(yield* list("acme/readers", basic("olga")), { names: ["vault"], total: 1 })
})

/** Tests that requests about concurrently deleted resources fail because the resources are missing. */
export const gone = Effect.gen(function* () {
  yield* fixture
  const proof = yield* mayAbout("team.edit", yield* onTeam("acme/club"), basic("olga"))
  yield* removeTeam("acme/club")
  equal(yield* answer(Teams.edit(proof, { description: "late" })), `TeamNotFound ${proof.resource.team.id}`)
  const late = yield* mayAbout("organization.team.create", { ...acme, organization: "hush" }, basic("olga"))
  const organizations = yield* OrganizationStore
  yield* (yield* RepositoryStore).remove((yield* repositoryAt("hush/plot")).id)
  yield* organizations.remove(late.resource.organization.id)
  equal(
    yield* answer(Teams.create(late, { name: "x" as TeamName, permission: "read", units: ["repo.code"] })),
    "OrganizationNotFound hush"
  )
})
