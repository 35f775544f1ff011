import { PolicySet } from "@slipway/domain/forge/access"
import { RepositoryStore, viewerOn } from "@slipway/domain/forge/code"
import { Organizations, Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all, namesOf } from "../builders.ts"
import { actor, answer, basic, equal, may, mayAbout, type Scenario } from "./support.ts"
import { acme, fixture, onTeam } from "./teams/fixture.ts"

/** Custom access rules that hide resources from most users, although the built-in rules show them. */
export const hidingRules = PolicySet.builtIn
  .withFacts({ insider: { yes: "it is eve", no: "it isn't eve", holds: ({ caller }) => caller?.name === "eve" } })
  .hide("repository", {
    id: "house.repository",
    when: ({ any, flag, not }) =>
      not(any(flag("siteAdmin"), flag("insider"), flag("organizationMember"), flag("organizationOwner"))),
    because: "repositories are for members"
  })
  .hide("organization", {
    id: "house.organization",
    when: ({ flag }) => flag("restricted"),
    because: "restricted users see no organization"
  })
  .hide("team", {
    id: "house.team",
    when: ({ any, flag, not }) => not(any(flag("siteAdmin"), flag("organizationOwner"), flag("teamMember"))),
    because: "teams are for those in them"
  })

const repositories = (name: string) =>
  Effect.gen(function* () {
    const viewer = yield* viewerOn(yield* actor(basic(name)))
    const { rows, total } = yield* (yield* RepositoryStore).list(viewer, {}, all)
    const names = rows.map(({ repository }) => `${repository.owner.name}/${repository.name}`).toSorted()
    const read = yield* Effect.filter(["acme/site", "acme/vault", "hush/plot", "eve/own"], (path) => {
      const [owner = "", repository = ""] = path.split("/")
      return Effect.isSuccess(mayAbout("repository.read", { kind: "repository", owner, repository }, basic(name)))
    })
    // A list contains exactly the readable resources.
    equal(names, read.toSorted())
    equal(total, names.length)
    return names
  })

const organizations = (name: string) =>
  Effect.flatMap(may("organization.list", basic(name)), (proof) =>
    Effect.map(Organizations.list(proof, all), (page) => namesOf(page).names)
  )

const teams = (name: string) =>
  Effect.flatMap(mayAbout("organization.team.list", acme, basic(name)), (proof) =>
    Effect.map(Teams.list(proof, all), (page) => page.rows.map((row) => row.name).toSorted())
  )

/** Tests of a site with custom access rules. */
export const policies: Scenario = {
  port: "custom rules",
  musts: {
    "custom rules hide repositories, organizations and teams from reads and lists": Effect.gen(function* () {
      yield* fixture
      equal(yield* repositories("ann"), ["acme/site", "acme/vault", "eve/own", "hush/plot"])
      equal(yield* repositories("bob"), ["acme/site"])
      equal(yield* repositories("eve"), ["acme/site", "eve/own"])
      equal(yield* repositories("rex"), [])
      equal(yield* organizations("eve"), ["acme"])
      equal(yield* organizations("rex"), [])
      equal(yield* answer(mayAbout("organization.read", acme, basic("rex"))), "404 The target couldn't be found.")
      equal(yield* teams("bob"), ["builders", "keepers"])
      equal(yield* teams("olga"), ["Owners", "builders", "club", "keepers", "readers"])
      const club = yield* onTeam("acme/club")
      equal(yield* answer(mayAbout("team.read", club, basic("bob"))), "404 The target couldn't be found.")
    })
  }
}
