/**
 * The maximum length of one path component of a branch name, in bytes of UTF-8. Git appends `.lock`, and file systems
 * allow 255 bytes.
 */
const longestPart = 250

const bytesIn = (text: string): number => new TextEncoder().encode(text).length

/**
 * Returns whether git accepts a text as a branch name, and cannot interpret it as an option or another expression.
 *
 * @example
 * isBranchName("feature/login") // => true
 * isBranchName("--upload-pack=x") // => false
 * isBranchName("a..b") // => false
 */
export const isBranchName = (value: string): boolean =>
  value.length <= 255 &&
  value.isWellFormed() &&
  value.split("/").every((part) => bytesIn(part) <= longestPart) &&
  !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\/$|^\/|^-|^\.|\.lock(?:\/|$)|^@$|^HEAD$/u.test(value)

/**
 * Returns whether a text is valid as the name of a new branch or tag.
 *
 * Rejects names that begin with `refs/`, because git and its clients interpret them as full refs. Existing branches
 * with such names can still be read.
 *
 * @example
 * isNewBranchName("feature/refs/login") // => true
 * isNewBranchName("refs/heads/login") // => false
 */
export const isNewBranchName = (value: string): boolean => isBranchName(value) && !value.startsWith("refs/")
