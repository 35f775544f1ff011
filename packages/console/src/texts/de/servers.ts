import type { servers as english } from "../en/servers.ts"

/** Texts of servers. */
export const servers: typeof english = {
  add: "Server hinzufügen",
  addHint: "Die Plattform erreicht die Container-Engine des Servers per SSH.",
  reachable: "erreichbar",
  unreachable: "nicht erreichbar",
  test: "Verbindung prüfen",
  tested: "Verbindungsprüfung",
  engine: "Container-Engine",
  notTested: "noch nicht geprüft",
  diskUsed: (percent: string) => `${percent} % des Datenträgers belegt`,
  disk: "Datenträger",
  resources: "Ressourcen",
  noResources: "Auf diesem Server läuft keine Ressource.",
  address: "Adresse",
  port: "Port",
  user: "Benutzer",
  key: "Privater Schlüssel",
  noKeys: "Fügen Sie zuerst einen privaten Schlüssel hinzu: Er meldet die Plattform am Server an.",
  wildcard: "Wildcard-Domain für erzeugte Domains, etwa https://apps.example",
  proxy: "Proxy",
  restartProxy: "Proxy neu starten",
  cleanUp: "Datenträger aufräumen",
  cleanUpHint: "Entfernt unbenutzte Images, angehaltene Container und Build-Caches der Plattform.",
  delete: "Server löschen",
  deleteHint: "Nur ein Server ohne Ressourcen kann gelöscht werden. Seine Container bleiben.",
  local: "diese Maschine"
}
