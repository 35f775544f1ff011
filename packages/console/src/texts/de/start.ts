import type { start as english } from "../en/start.ts"

/** German texts of the dashboard. */
export const start: typeof english = {
  title: "Übersicht",
  brand: "Slipway deploy",
  navigation: "Konsole",
  projects: "Projekte",
  application: "Anwendung",
  servicesAndDatabases: "Dienste und Datenbanken",
  servers: "Server",
  running: "Laufende Deployments",
  noneRunning: "Kein Deployment läuft.",
  failures: "Anwendungen, die Aufmerksamkeit brauchen",
  noFailures: "Nichts braucht Aufmerksamkeit.",
  failedDeployments: "Fehlgeschlagene Deployments",
  healthy: (running: number, all: number) => `${running} von ${all} laufen`,
  firstProject: "Ein Projekt enthält die Anwendungen und Datenbanken eines Produkts. Legen Sie das erste an.",
  firstServer: "Anwendungen laufen auf Servern. Die Maschine der Plattform ist einer; weitere kommen per SSH hinzu.",
  checklist: "Erste Schritte",
  reachable: "Die Container-Engine eines Servers ist erreichbar",
  unreachable: "Keine Container-Engine ist erreichbar: Öffnen Sie den Server und prüfen Sie die Verbindung.",
  done: "erledigt",
  open: "offen",
  hasProxy: "Ein Server hat einen Proxy, der Domains mit HTTPS bedient",
  hasDomain: "Ein Server hat eine Wildcard-Domain, aus der Anwendungen ihre erhalten (optional)",
  hasProject: "Ein Projekt existiert",
  hasApplication: "Eine Anwendung existiert"
}
