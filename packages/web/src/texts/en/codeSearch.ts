const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`

/** English texts of the pages of code search. */
export const codeSearch = {
  title: "Search code",
  code: "Code",
  query: "Words or an exact text in quotes",
  language: "Language",
  languageHint: "such as TypeScript",
  path: "Path contains",
  pathHint: "such as src/",
  search: "Search code",
  hint: 'Finds files on default branches that contain all words, each by its beginning. Quotes find an exact text: "find(x)".',
  invalid: "The search needs a word of at least 2 letters, digits or underscores.",
  noneFound: "No file matches.",
  results: "Results",
  found: (count: number) => plural(count, "file", "files"),
  matches: (count: number) => plural(count, "matching line", "matching lines"),
  line: (number: number) => `Line ${number}`,
  incomplete: "This repository has more files than code search indexes. Further files are not found.",
  partlyCompared: "Many files contain these words. Only the first ones were compared with the text in quotes."
}
