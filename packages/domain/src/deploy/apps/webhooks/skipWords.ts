const anywhere = /\[(?:skip (?:ci|cd)|(?:ci|cd) skip|no (?:ci|cd))\]|\*\*\*NO_CI\*\*\*/i

/** A line at the end of a message, as `git interpret-trailers` reads it. */
const trailer = /^skip-checks:\s*true\s*$/im

/**
 * Returns whether the message of a commit asks to skip deployments.
 *
 * @example
 * asksToSkip("Mend a word [skip ci]") // => true
 * asksToSkip("Mend a word\n\nskip-checks: true") // => true
 * asksToSkip("Say what [skip] and ci are") // => false
 */
export const asksToSkip = (message: string): boolean => anywhere.test(message) || trailer.test(message)
