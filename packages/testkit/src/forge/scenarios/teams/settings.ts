import type { TeamName } from "@slipway/domain/forge/identity"
import { Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { teamAt } from "../../plant.ts"
import { answer, basic, equal, mayAbout } from "../support.ts"

import { addTeamMember, createTeam, editTeam, fixture, removeTeam } from "./fixture.ts"
/** Tests that a team has the settings with which it was created. */
export const returnsTeams = Effect.gen(function* () {
  yield* fixture
  const created = yield* createTeam({
    name: "makers",
    description: "they make",
    unitsMap: { "repo.code": "write", "repo.ext_wiki": "admin", "repo.issues": "none" },
    includesAllRepositories: true,
    mayCreateRepositories: true,
    visibility: "limited"
  })
  const { id, organizationId, ...settings } = created
  equal(settings, {
    owners: false,
    name: "makers",
    description: "they make",
    units: { "repo.code": 2, "repo.ext_wiki": 1 },
    includesAllRepositories: true,
    mayCreateRepositories: true,
    visibility: "limited"
  })
  const read = Effect.gen(function* () {
    return Teams.read(yield* mayAbout("team.read", { kind: "team", id }, basic("olga")))
  })
  equal(yield* read, created)
  equal(yield* editTeam("acme/makers", {}), created)
  equal(yield* editTeam("acme/makers", { name: "" }), created)
  equal(yield* editTeam("acme/makers", { description: "", name: "Makers" as TeamName }), {
    ...created,
    description: "",
    name: "Makers"
  })
  equal((yield* editTeam("acme/makers", { permission: "admin" })).units["repo.actions"], 3)
  equal((yield* editTeam("acme/makers", { includesAllRepositories: false })).includesAllRepositories, false)
  // Existing teams, and new ones without a visibility, are private.
  equal((yield* createTeam({ name: "quiet", permission: "read", units: ["repo.code"] })).visibility, "private")
  equal(organizationId, (yield* teamAt("acme/Owners")).organizationId)
})

/** Tests that invalid settings are rejected when a team is created or edited. */
export const refusals = Effect.gen(function* () {
  yield* fixture
  const units = ["repo.code"]
  equal(yield* answer(createTeam({ name: "x" })), "UnitsEmpty")
  equal(yield* answer(createTeam({ name: "x", permission: "read" })), "UnitsEmpty")
  equal(
    yield* answer(createTeam({ name: "x", permission: "owner", units })),
    "TeamFieldInvalid permission must be none, read, write or admin"
  )
  for (const name of ["builders", "BUILDERS", "owners"]) {
    equal(yield* answer(createTeam({ name, permission: "read", units })), `TeamNameTaken ${name}`)
  }
  equal(yield* answer(editTeam("acme/club", { name: "Builders" as TeamName })), "TeamNameTaken Builders")
  // Invariant I13: only an owner can edit or create a team.
  for (const name of ["bob", "cy"]) {
    const sent = basic(name)
    equal(
      yield* answer(createTeam({ name: "x", permission: "read", units }, sent)),
      "403 Must be an organization owner"
    )
    equal(yield* answer(editTeam("acme/builders", { permission: "admin" }, sent)), "404 The target couldn't be found.")
    equal(yield* answer(addTeamMember("acme/builders", name, sent)), "404 The target couldn't be found.")
    equal(yield* answer(removeTeam("acme/builders", sent)), "404 The target couldn't be found.")
  }
})

/** Tests that the settings of the team `Owners` cannot be changed. */
export const ownersStay = Effect.gen(function* () {
  yield* fixture
  const before = yield* teamAt("acme/Owners")
  equal(yield* answer(editTeam("acme/Owners", { visibility: "public" })), "OwnersTeamFixed visibility")
  equal(yield* answer(editTeam("acme/Owners", { name: "Chiefs" as TeamName })), "OwnersTeamFixed name")
  equal(yield* answer(removeTeam("acme/Owners")), "403 the owners team can not be deleted")
  // A response can be sent back without a change; the Owners team can always create repositories.
  equal(
    yield* editTeam("acme/Owners", {
      name: "Owners" as TeamName,
      permission: "owner",
      units: ["repo.code"],
      unitsMap: { "repo.code": "read" },
      includesAllRepositories: false,
      mayCreateRepositories: false,
      visibility: "private"
    }),
    before
  )
  equal((yield* editTeam("acme/Owners", { description: "who decides" })).description, "who decides")
})
