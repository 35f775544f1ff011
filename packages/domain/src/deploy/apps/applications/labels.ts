/**
 * Returns labels in stored form: each dollar sign is doubled while escaping is on (decision "Label escaping").
 *
 * @example
 * escapeLabels("price=$5", true) // => "price=$$5"
 * escapeLabels("price=$5", false) // => "price=$5"
 */
export const escapeLabels = (sent: string, escaping: boolean): string =>
  escaping ? sent.replaceAll("$", "$$$$") : sent

/**
 * Returns labels as the user sent them.
 *
 * @example
 * unescapeLabels("price=$$5", true) // => "price=$5"
 */
export const unescapeLabels = (stored: string, escaping: boolean): string =>
  escaping ? stored.replaceAll("$$", "$") : stored
