import type { Texts } from "../Texts.ts"

const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`

/** German texts of the pages of code search. */
export const codeSearch: Texts["codeSearch"] = {
  title: "Code durchsuchen",
  code: "Code",
  query: "Wörter oder ein genauer Text in Anführungszeichen",
  language: "Sprache",
  languageHint: "zum Beispiel TypeScript",
  path: "Pfad enthält",
  pathHint: "zum Beispiel src/",
  search: "Code durchsuchen",
  hint: 'Findet Dateien in Standardbranches, die alle Wörter enthalten, jeweils am Wortanfang. Anführungszeichen finden einen genauen Text: "find(x)".',
  invalid: "Die Suche braucht ein Wort aus mindestens 2 Buchstaben, Ziffern oder Unterstrichen.",
  noneFound: "Keine Datei passt.",
  results: "Ergebnisse",
  found: (count) => plural(count, "Datei", "Dateien"),
  matches: (count) => plural(count, "passende Zeile", "passende Zeilen"),
  line: (number) => `Zeile ${number}`,
  incomplete: "Dieses Repository hat mehr Dateien, als die Codesuche aufnimmt. Weitere Dateien werden nicht gefunden.",
  partlyCompared:
    "Viele Dateien enthalten diese Wörter. Nur die ersten wurden mit dem Text in Anführungszeichen verglichen."
}
