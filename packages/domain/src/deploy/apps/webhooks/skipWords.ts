const anywhere = /\[(?:skip (?:ci|cd)|(?:ci|cd) skip|no (?:ci|cd))\]|\*\*\*NO_CI\*\*\*/i

/** Matches the line `skip-checks: true` of a commit message. */
const trailer = /^skip-checks:\s*true\s*$/im

/**
 * Returns whether a commit message contains a marker to skip deployments, such as `[skip ci]`.
 *
 * @example
 * asksToSkip("Mend a word [skip ci]") // => true
 * asksToSkip("Mend a word\n\nskip-checks: true") // => true
 * asksToSkip("Say what [skip] and ci are") // => false
 */
export const asksToSkip = (message: string): boolean => anywhere.test(message) || trailer.test(message)
