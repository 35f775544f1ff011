import type { Texts } from "../Texts.ts"

/** German texts of the wiki pages. */
export const wiki: Texts["wiki"] = {
  pages: "Seiten",
  newPage: "Neue Seite",
  edit: "Bearbeiten",
  history: "Verlauf",
  title: "Titel",
  content: "Inhalt",
  message: "Nachricht",
  save: "Änderungen speichern",
  delete: "Seite löschen",
  deleteWhat: (title) => `Dies entfernt die Seite ${title}. Der Verlauf bleibt.`,
  cancel: "Abbrechen",
  empty: "Dieses Wiki hat keine Seiten.",
  lastChange: "geändert",
  noHistory: "Keine Änderungen.",
  more: "Seitenleiste"
}
