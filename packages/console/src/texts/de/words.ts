import type { words as english } from "../en/words.ts"

/** German words that many pages of the console use. */
export const words: typeof english = {
  name: "Name",
  description: "Beschreibung",
  status: "Zustand",
  created: "Erstellt",
  domains: "Domains",
  domain: "Domain",
  server: "Server",
  project: "Projekt",
  environment: "Umgebung",
  destination: "Ziel",
  commit: "Commit",
  image: "Image",
  none: "Keine",
  yes: "ja",
  no: "nein",
  refresh: "Aktualisieren",
  updates: "Diese Seite aktualisiert sich selbst.",
  typeToConfirm: (name: string) => `Zur Bestätigung ${name} eingeben`,
  settings: "Einstellungen",
  dangerZone: "Gefahrenbereich",
  logs: "Logs",
  noLogs: "Noch keine Zeilen.",
  start: "Starten",
  stop: "Anhalten",
  restart: "Neu starten",
  since: "seit",
  accepted: "Die Anfrage wurde angenommen. Der Zustand ändert sich in einigen Sekunden."
}
