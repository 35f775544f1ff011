/**
 * Returns container labels in the form in which they are stored: each dollar sign is doubled if `escaping` is true
 * (decision "Label escaping").
 *
 * @example
 * escapeLabels("price=$5", true) // => "price=$$5"
 * escapeLabels("price=$5", false) // => "price=$5"
 */
export const escapeLabels = (sent: string, escaping: boolean): string =>
  escaping ? sent.replaceAll("$", "$$$$") : sent

/**
 * Returns container labels as the user sent them, from their stored form.
 *
 * @example
 * unescapeLabels("price=$$5", true) // => "price=$5"
 */
export const unescapeLabels = (stored: string, escaping: boolean): string =>
  escaping ? stored.replaceAll("$$", "$") : stored
