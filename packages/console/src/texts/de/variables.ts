import type { variables as english } from "../en/variables.ts"

/** German texts of shared variables. */
export const variables: typeof english = {
  title: "Geteilte Variablen",
  none: "Keine geteilten Variablen.",
  hint: "Variablen von Anwendungen verweisen darauf mit",
  valuesHint: "Die Werte werden nie gezeigt. Eine Änderung gilt ab dem nächsten Deployment.",
  comment: "Kommentar",
  literal: "Wörtlich",
  literalHint: "Ein Dollarzeichen im Wert ist ein gewöhnliches Zeichen.",
  bulkHint:
    "Eine Variable pro Zeile. KEY=Wert setzt einen Wert, KEY behält den gespeicherten Wert, und eine Variable ohne Zeile wird entfernt. Werte mit mehreren Zeilen brauchen das Formular darüber.",
  preview: "Änderungen anzeigen",
  changes: "Änderungen",
  noChanges: "Der Text ändert nichts.",
  added: "hinzugefügt",
  changed: "neuer Wert",
  removed: "entfernt",
  apply: "Änderungen anwenden",
  badLines: {
    form: (line: number) => `Zeile ${line} muss die Form KEY=Wert oder KEY haben.`,
    repeated: (line: number) => `Zeile ${line} wiederholt den Namen einer früheren Zeile.`,
    noValue: (line: number) => `Zeile ${line} nennt eine neue Variable und braucht einen Wert: KEY=Wert.`
  }
}
