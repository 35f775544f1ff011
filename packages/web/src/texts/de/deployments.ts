import type { Texts } from "../Texts.ts"

/** German texts of the page of deployments. */
export const deployments: Texts["deployments"] = {
  deployments: "Deployments",
  none: "Keine Deployments. Eine Deployment-Plattform, die mit dieser Forge verbunden ist, meldet sie hier.",
  noneYet:
    "Aus diesem Repository ist noch nichts ausgerollt. Die Deployment-Plattform erstellt eine Anwendung, nachdem Sie bestätigt haben.",
  deploy: "Dieses Repository ausrollen",
  deployed: "Aus diesem Repository ausgerollt",
  all: "Alle Deployments",
  page: "Seite",
  log: "Log",
  by: "von",
  disconnected:
    "Die Deployment-Plattform ist getrennt: Das Token ihres neuesten Deployments wurde widerrufen. Geben Sie ihr ein neues Token, um wieder auszurollen.",
  approve: "Freigeben und ausrollen",
  reject: "Ablehnen",
  about: (environment, commit) => `${commit} nach ${environment}`,
  waiting: "Wartet auf Freigabe",
  rejected: "Abgelehnt",
  states: {
    error: "Fehler",
    failure: "Fehlgeschlagen",
    inactive: "Inaktiv",
    in_progress: "Läuft",
    pending: "Ausstehend",
    queued: "Wartet",
    success: "Ausgerollt"
  }
}
