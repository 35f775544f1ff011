import { levelWord } from "@slipway/access"
import { isAdminUnits, type Unit, unitKeys } from "@slipway/domain/forge/access"
import { ownLines } from "../customResources.ts"
import type { World, WorldPermitted, WorldTeam, WorldUser } from "../World.ts"

const line = (...words: ReadonlyArray<string | false | undefined>): string => words.filter(Boolean).join(" ")

const shortUnit = (unit: Unit): string => unit.replace("repo.", "")

const user = ({ admin, createsOrganizations, name, restricted, secondFactor, visibility }: WorldUser): string =>
  line(
    "user",
    name,
    visibility !== "public" && visibility,
    admin && "admin",
    restricted && "restricted",
    secondFactor && "second-factor",
    !createsOrganizations && "no-organizations"
  )

const units = (team: WorldTeam): ReadonlyArray<string> =>
  isAdminUnits(team.units)
    ? ["admin"]
    : unitKeys.flatMap((unit) => {
        const level = team.units[unit]
        return level === undefined ? [] : [`${shortUnit(unit)}=${levelWord(level)}`]
      })

const team = (each: WorldTeam): string => {
  const { createsRepositories, members, name, organization, owners, repositories, visibility } = each
  const held = repositories === "all" ? ["*"] : repositories
  const described = owners
    ? [visibility !== "private" && visibility]
    : [
        visibility !== "private" && visibility,
        createsRepositories && "creates",
        ...units(each),
        ...(held.length === 0 ? [] : ["on", ...held])
      ]
  return `${line("team", `${organization}/${name}`, ...described)}:${members.length === 0 ? "" : ` ${members.join(", ")}`}`
}

const permitted = (name: string, names: WorldPermitted) =>
  names.length > 0 && `${name}=${names === "*" ? names : names.join(",")}`

/** Returns a world as text that parses to the same world. */
export const printWorld = (world: World): string => {
  const switches = Object.entries(world.site).map(([name, on]) => `${on ? "+" : "-"}${name}`)
  return `${[
    ...(switches.length === 0 ? [] : [line("site", ...switches)]),
    ...[...world.users.values()].map(user),
    ...[...world.organizations.values()].map(({ name, visibility }) => line("organization", name, visibility)),
    ...world.repositories.map(({ archived, mirror, name, off, owner, private: isPrivate }) =>
      line(
        "repository",
        `${owner}/${name}`,
        isPrivate && "private",
        archived && "archived",
        mirror && "mirror",
        off.length > 0 && `off=${off.map(shortUnit).join(",")}`
      )
    ),
    ...world.repositories.flatMap(({ collaborators, name, owner }) =>
      [...collaborators].map(([who, level]) => line("collaborator", who, levelWord(level), `${owner}/${name}`))
    ),
    ...world.teams.map(team),
    ...[...world.tokens].map(([name, scopes]) => line("token", name, ...scopes)),
    ...world.protections.map(({ force, push, repository, rule }) =>
      line("protection", repository, rule, permitted("push", push), permitted("force", force))
    ),
    ...world.items.map(({ facts, kind, path }) =>
      line(kind, path, ...[...facts].map(([fact, on]) => (on === true ? fact : `${fact}=${on.user}`)))
    ),
    ...world.blocks.map(({ blocked, blocker }) => line("block", blocker, blocked)),
    ...(world.rules === undefined ? [] : [line("at", world.rules.at)]),
    ...ownLines(world)
  ].join("\n")}\n`
}
