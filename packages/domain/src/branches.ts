/**
 * Tells whether git takes a text as the name of a branch, and as nothing else.
 *
 * @example
 * isBranchName("feature/login") // => true
 * isBranchName("--upload-pack=x") // => false
 * isBranchName("a..b") // => false
 */
export const isBranchName = (value: string): boolean =>
  value.length <= 255 &&
  !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\/$|^\/|^-|^\.|\.lock(?:\/|$)|^@$|^HEAD$/u.test(value)
