import type { destinations as english } from "../en/destinations.ts"

/** German texts of the destinations of applications. */
export const destinations: typeof english = {
  title: "Ziele",
  own: "Eigenes Ziel",
  copy: "Zusätzliches Ziel: Logs und Zustand",
  hint: "Jedes Deployment baut das Image einmal. Danach wird dasselbe Release an jedem zusätzlichen Ziel deployt. Jeder Server hat eigene Volumes.",
  add: "Ziel hinzufügen",
  addHint:
    "Das nächste Deployment führt die Anwendung auch auf diesem Server aus, mit denselben Domains. Ein gebautes Image braucht eine Registry in den Einstellungen.",
  remove: "Ziel entfernen"
}
