import type { projects as english } from "../en/projects.ts"

/** German texts of projects and environments. */
export const projects: typeof english = {
  title: "Projekte",
  create: "Projekt anlegen",
  needsDeveloper: "Ihr Konto darf keine Projekte anlegen. Bitten Sie einen Besitzer des Teams um die Rolle developer.",
  newTitle: "Neues Projekt",
  environments: "Umgebungen",
  addEnvironment: "Umgebung anlegen",
  newEnvironment: "Neue Umgebung",
  resources: "Ressourcen",
  noResources: "Diese Umgebung hat keine Anwendungen, Datenbanken oder Dienste.",
  newResource: "Neue Ressource",
  isProtected: "geschützt",
  protect: "Umgebung schützen",
  unprotect: "Schutz entfernen",
  protectHint:
    "In einer geschützten Umgebung reicht eine Rolle für das Projekt oder das Team nicht zum Ausrollen: Solche Deployments warten auf eine Freigabe.",
  deleteProject: "Projekt löschen",
  deleteHint:
    "Nur ein Projekt ohne Ressourcen kann gelöscht werden. Seine Umgebungen und geteilten Variablen werden mitgelöscht.",
  deleteEnvironment: "Umgebung löschen",
  deleteEnvironmentHint: "Nur eine Umgebung ohne Ressourcen kann gelöscht werden.",
  saved: "Das Projekt wurde gespeichert."
}
