/** The languages of the pages; the first one is the default. */
export const languages = ["en", "de"] as const

/** A language of the pages. */
export type Language = (typeof languages)[number]

/**
 * Returns the language of the pages that the `Accept-Language` header prefers. Returns the default language if none
 * matches.
 *
 * @example
 * languageOf("de-AT,de;q=0.9,en;q=0.8") // => "de"
 * languageOf("fr, de;q=0.5, en;q=0.7") // => "en"
 */
export const languageOf = (accepted: string | null): Language => {
  const wished = (accepted ?? "")
    .slice(0, 1_000)
    .split(",")
    .map((each) => {
      const [tag = "", ...options] = each.trim().toLowerCase().split(";")
      const quality = options.map((option) => /^\s*q=([\d.]+)/.exec(option)?.[1]).find((found) => found !== undefined)
      return { language: tag.split("-")[0], quality: quality === undefined ? 1 : Number(quality) }
    })
  const best = wished
    .filter(({ language, quality }) => quality > 0 && languages.some((known) => known === language))
    .toSorted((one, other) => other.quality - one.quality)[0]
  return languages.find((known) => known === best?.language) ?? languages[0]
}
