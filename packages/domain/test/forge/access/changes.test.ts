import { describe, expect, it } from "@effect/vitest"
import { openResources } from "../../../../../scripts/vitest/accessRows.ts"
import { changesOf } from "../../../src/forge/access/explain.ts"
import {
  anonymous,
  newSiteSwitches,
  noGrants,
  noMembership,
  ordinary
} from "../../../src/forge/access/facts/defaultFacts.ts"
import type { RepositoryFacts } from "../../../src/forge/access/facts/facts.ts"

const writer = {
  ...openResources,
  ...newSiteSwitches,
  ...ordinary,
  ...noGrants,
  private: true,
  collaborator: 3
} as unknown as RepositoryFacts

describe("changes that reverse a decision", () => {
  it("name each single fact that is enough, with its nearest sufficient value", () => {
    expect(changesOf("repository.contents.change", writer)).toEqual([
      "the credential's scope for repository is read",
      "the caller is anonymous",
      "the level granted to the caller as a collaborator is read",
      "the caller is a job of the actions service",
      "a second factor is required",
      "the token is limited to public resources",
      "the repository's code unit is off",
      "the repository is archived",
      "the repository is a mirror"
    ])
    expect(changesOf("repository.contents.change", { ...writer, collaborator: 0 })).toEqual([
      "the caller is a site administrator",
      "the caller owns the repository",
      "the caller is an owner of the organization",
      "a team of the caller has admin level on the repository",
      "the level granted to the caller as a collaborator is write"
    ])
  })

  it("name the nearest sufficient value above or below the current value", () => {
    const about = (collaborator: 1 | 2 | 4) => ({ ...writer, collaborator })
    const given = /^the level granted/
    const found = [
      ...changesOf("repository.contents.change", about(4)),
      ...changesOf("repository.contents.change", about(2)),
      ...changesOf("repository.edit", about(1)),
      ...changesOf("repository.delete", about(2))
    ]
    expect(found.filter((says) => given.test(says))).toEqual([
      "the level granted to the caller as a collaborator is read",
      "the level granted to the caller as a collaborator is read",
      "the level granted to the caller as a collaborator is admin",
      "the level granted to the caller as a collaborator is owner"
    ])
  })

  it("omit pairs of facts if a single fact is enough", () => {
    expect(changesOf("repository.contents.change", { ...writer, archived: true })).toEqual([
      "the repository is not archived"
    ])
  })

  it("name each pair of facts when no single fact is enough", () => {
    expect(changesOf("repository.contents.change", { ...writer, collaborator: 0, archived: true })).toEqual([
      "the caller is a site administrator, and the repository is not archived",
      "the caller owns the repository, and the repository is not archived",
      "the caller is an owner of the organization, and the repository is not archived",
      "a team of the caller has admin level on the repository, and the repository is not archived",
      "the level granted to the caller as a collaborator is write, and the repository is not archived"
    ])
  })

  it("name each pair of facts only once", () => {
    expect(changesOf("repository.contents.change", { ...writer, archived: true, mirror: true })).toEqual([
      "the repository is not archived, and the repository is not a mirror"
    ])
  })

  it("name only the first sufficient word of a fact with several words", () => {
    const about = {
      ...newSiteSwitches,
      ...anonymous,
      ...noMembership,
      organizationVisibility: "limited",
      self: false
    } as const
    expect(changesOf("organization.read", about)).toEqual([
      "the caller is a site administrator",
      "the caller is a member of the organization",
      "the caller is an owner of the organization",
      "the organization is public",
      "the caller is signed in"
    ])
  })
})
