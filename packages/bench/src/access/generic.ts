import { defineRules, Facts, levelFact } from "@slipway/access"
import type { Program } from "./peers.ts"

const vocabulary = {
  signedIn: Facts.flag("the caller is signed in", "the caller is anonymous"),
  siteAdmin: Facts.flag("the caller administers the site", "the caller does not administer the site"),
  organizationOwner: Facts.flag("the caller owns the organization", "the caller does not own the organization"),
  organizationMember: Facts.flag("the caller is a member", "the caller is not a member"),
  teamAdmin: Facts.flag("a team of the caller administers it", "no team of the caller administers it"),
  teamAny: levelFact("the level of the caller's best team"),
  teamCode: levelFact("the level of the caller's best team on code"),
  teamIssues: levelFact("the level of the caller's best team on issues"),
  collaborator: levelFact("the level of the caller as a collaborator"),
  private: Facts.flag("it is private", "it is not private"),
  archived: Facts.flag("it is archived", "it is in use"),
  ownerVisibility: Facts.worded("the owner", ["public", "limited", "private"])
} as const

/** The rules that the other libraries get, written with `defineRules`. */
const rules = defineRules(vocabulary, ({ all, any, atLeast, flag, is, not }) => {
  const owner = {
    site: { when: flag("siteAdmin"), because: "administrators of the site may" },
    organization: { when: flag("organizationOwner"), because: "owners of the organization may" }
  }
  const level = (least: 1 | 2, team: "teamAny" | "teamCode" | "teamIssues") => ({
    ...owner,
    admin: { when: flag("teamAdmin"), because: "a team administers it" },
    collaborator: { when: atLeast("collaborator", least), because: "the caller collaborates" },
    team: { when: atLeast(team, least), because: "a team has access" }
  })
  const open = {
    public: {
      when: all(
        not(flag("private")),
        any(
          is("ownerVisibility", "public"),
          all(is("ownerVisibility", "limited"), flag("signedIn")),
          flag("organizationMember")
        )
      ),
      because: "everyone who sees the owner may"
    }
  }
  return {
    see: { allow: { ...level(1, "teamAny"), ...open } },
    readCode: { allow: { ...level(1, "teamCode"), ...open } },
    seeIssues: { allow: { ...level(1, "teamIssues"), ...open } },
    writeCode: {
      allow: level(2, "teamCode"),
      deny: { archived: { when: flag("archived"), because: "it is archived" } }
    },
    admin: {
      allow: {
        ...owner,
        team: { when: flag("teamAdmin"), because: "a team administers it" },
        collaborator: { when: atLeast("collaborator", 3), because: "the caller administers it" }
      }
    },
    own: { allow: owner }
  }
})

/** The generic engine: rules of a program, without those of the forge. */
export const generic: Program = {
  name: "@slipway/access, the same rules",
  prepare: ({ facts, verb }) => {
    const policy = rules.actions[verb]
    const loaded = rules.load(facts)
    return { plain: () => policy.allows(loaded), explained: () => policy.decide(loaded).allowed }
  }
}
