import type { databases as english } from "../en/databases.ts"

/** Texts of databases and services. */
export const databases: typeof english = {
  tabs: "Datenbank",
  serviceTabs: "Dienst",
  backups: "Backups",
  create: "Datenbank anlegen",
  createService: "Dienst anlegen",
  ofKind: "Datenbank",
  kind: "Art",
  ofTemplate: "Dienst mit einem Klick",
  template: "Dienst"
}
