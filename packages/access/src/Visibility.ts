/** The words for visibility, from the most open to the most closed. */
export const visibilities = ["public", "limited", "private"] as const

/** The users who may see a resource: everyone, all signed-in users, or only its members. */
export type Visibility = (typeof visibilities)[number]

/** Returns the visibility for a word; undefined for an unknown word. */
export const parseVisibility = (word: string): Visibility | undefined => visibilities.find((each) => each === word)
