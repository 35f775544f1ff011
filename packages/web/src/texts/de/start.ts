import type { Texts } from "../Texts.ts"

/** Texts of the start page, the explore pages and the pages of owners. */
export const start: Texts["start"] = {
  title: "Start",
  yourRepositories: "Deine Repositorys",
  noRepositories: "Du hast noch keine Repositorys.",
  assigned: "Dir zugewiesen",
  noAssigned: "Dir ist kein offenes Issue zugewiesen.",
  reviews: "Warten auf dein Review",
  noReviews: "Kein Pull-Request wartet auf dein Review.",
  all: "Alle",
  explore: "Entdecken",
  exploreTitle: "Diese Forge entdecken",
  noneFound: "Nichts gefunden.",
  noPublic: "Hier ist noch kein Repository sichtbar.",
  signInForMore: "Melde dich an, um Benutzer zu sehen.",
  website: "Website",
  location: "Ort",
  ownerTabs: "Besitzer",
  repositories: "Repositorys",
  members: "Mitglieder",
  teams: "Teams"
}

/** Texts of the pages on which users sign in. */
export const session: Texts["session"] = {
  title: "Anmelden",
  name: "Benutzername oder E-Mail",
  password: "Passwort",
  code: "Einmalcode",
  codeHint: "Aus deiner Authenticator-App, oder einer deiner Wiederherstellungscodes.",
  codeTitle: "Zweiter Faktor",
  codeWhy: "Dein Konto hat einen zweiten Faktor. Gib den aktuellen Code und dein Passwort erneut ein.",
  submit: "Anmelden",
  forgotten: "Passwort vergessen?",
  outside: (name) => `Mit ${name} anmelden`,
  wrong: "Der Name oder das Passwort ist falsch.",
  wrongCode: "Der Einmalcode ist falsch.",
  slowed: "Zu viele fehlgeschlagene Anmeldungen. Versuche es später erneut.",
  continueTo: "Melde dich an, um fortzufahren."
}
