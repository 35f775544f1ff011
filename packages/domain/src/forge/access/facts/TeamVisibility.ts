/** The words for the visibility of a team, from the most closed to the most open. */
export const teamVisibilities = ["private", "limited", "public"] as const

/**
 * The users who may see a team, in addition to its members, the owners of its organization and site administrators.
 *
 * `private` adds no users, `limited` adds all members of the organization, and `public` adds all signed-in users who
 * may see the organization.
 */
export type TeamVisibility = (typeof teamVisibilities)[number]

/** Returns the team visibility for a word; undefined for an unknown word. */
export const parseTeamVisibility = (word: string): TeamVisibility | undefined =>
  teamVisibilities.find((each) => each === word)
