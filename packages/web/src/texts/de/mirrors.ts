import type { Texts } from "../Texts.ts"

/** Texts of the mirrors in the settings of a repository, in German. */
export const mirrors: Texts["mirrors"] = {
  pull: "Pull-Spiegel",
  pullHint: "Dieses Repository folgt einem anderen. Es ist schreibgeschützt: Branches und Tags kommen von der Quelle.",
  push: "Push-Spiegel",
  noPush: "Kein Push-Spiegel. Ein Push-Spiegel kopiert Branches und Tags dieses Repositorys auf einen anderen Server.",
  add: "Push-Spiegel hinzufügen",
  addHint: "Branches und Tags am Ziel, die dieses Repository nicht hat, werden gelöscht.",
  address: "Adresse",
  addressHint: "Beginnt mit https:// oder http://.",
  username: "Benutzername",
  password: "Passwort oder Token",
  passwordHint: "Es wird verschlüsselt gespeichert und nie wieder angezeigt.",
  interval: "Abstand",
  intervalHint: "Zum Beispiel 8h0m0s, mindestens 10m0s. 0 schaltet den Zeitplan aus.",
  syncOnPush: "Nach jedem Push abgleichen",
  onPush: "nach jedem Push",
  every: (interval) => `alle ${interval}`,
  noInterval: "kein Zeitplan",
  never: "noch nicht abgeglichen",
  synchronized: "abgeglichen",
  lastError: "Letzter Fehler",
  syncNow: "Jetzt abgleichen",
  mayNotSync: "Abgleichen dürfen nur Benutzer, die Code schreiben dürfen, und nicht in einem archivierten Repository.",
  archived: "Das Repository ist archiviert: Hebe die Archivierung auf, um Spiegel hinzuzufügen oder abzugleichen.",
  states: { waiting: "Wartet", running: "Läuft", failed: "Fehlgeschlagen", done: "Aktuell" }
}
