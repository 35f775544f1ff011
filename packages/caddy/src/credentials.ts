const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

const characterClass = (from: number, count: number): string => {
  const some = alphabet.slice(from, from + count)
  return count === 1 ? some.replace("+", "\\+") : `[${some}]`
}

/**
 * Returns a regular expression that matches the beginning of a user's Basic `Authorization` header, for any password.
 *
 * @example
 * new RegExp(credentialPrefixPattern("ann").replace("(?i:^basic) ", "^")).test("YW5uOnBhc3M=") // => true
 * new RegExp(credentialPrefixPattern("ann").replace("(?i:^basic) ", "^")).test("YW5uODpwYXNz") // => false
 */
export const credentialPrefixPattern = (username: string): string => {
  const bytes = Buffer.from(`${username}:`)
  const whole = bytes.length - (bytes.length % 3)
  const groups = bytes.subarray(0, whole).toString("base64").replaceAll("+", "\\+")
  const [one, two] = bytes.subarray(whole)
  // The rest of the name shares its last character with the beginning of the password.
  const rest =
    one === undefined
      ? ""
      : two === undefined
        ? characterClass(one >> 2, 1) + characterClass((one & 3) << 4, 16)
        : characterClass(one >> 2, 1) +
          characterClass(((one & 3) << 4) | (two >> 4), 1) +
          characterClass((two & 15) << 2, 4)
  return `(?i:^basic) ${groups}${rest}`
}
