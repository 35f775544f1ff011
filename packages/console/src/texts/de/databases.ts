import type { databases as english } from "../en/databases.ts"

/** German texts of databases and services. */
export const databases: typeof english = {
  tabs: "Datenbank",
  serviceTabs: "Dienst",
  backups: "Backups",
  create: "Datenbank anlegen",
  createService: "Dienst anlegen",
  ofKind: "Datenbank",
  kind: "Art",
  ofTemplate: "Dienst mit einem Klick",
  template: "Dienst",
  connection: "Verbindung",
  internalUrl: "Adresse im Netz des Servers",
  externalUrl: "Adresse von außen",
  credentialsHint: "Die Adressen enthalten das Passwort. Programme desselben Servers verwenden die erste.",
  show: "Zugangsdaten zeigen",
  noBackups: "Kein Zeitplan. Ein Zeitplan erstellt Backups zu den Zeiten eines Cron-Ausdrucks.",
  addBackup: "Zeitplan anlegen",
  frequency: "Zeitplan, etwa daily oder 0 3 * * *",
  keep: "Zahl der Backups, die bleiben; 0 für alle",
  runNow: "Backup jetzt erstellen",
  nextRun: "nächstes Backup",
  executions: "Letzte Backups",
  noExecutions: "Noch kein Backup.",
  restore: "Wiederherstellen",
  restoreBackup: "Backup wiederherstellen",
  restoreHint: "Ersetzt die Daten der Datenbank durch die Daten dieses Backups. Das ist endgültig.",
  restores: "Letzte Wiederherstellungen",
  isPublic: "Von außen erreichbar",
  publicPort: "Öffentlicher Port",
  deleteDatabase: "Datenbank löschen",
  deleteDatabaseHint:
    "Löscht den Container und die Zeitpläne. Die Daten bleiben, wenn Sie nichts anderes wählen. Das ist endgültig.",
  deleteService: "Dienst löschen",
  deleteServiceHint:
    "Löscht alle Container, Domains und Variablen des Dienstes. Die Daten bleiben, wenn Sie nichts anderes wählen.",
  deleteVolumes: "Auch die Daten löschen",
  parts: "Container des Dienstes",
  compose: "Compose-Datei"
}
