import type { Texts } from "../Texts.ts"

const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`

/** German texts of the layout of pages. */
export const layout: Texts["layout"] = {
  skip: "Zum Inhalt springen",
  search: "Repositorys, Issues und Personen suchen",
  siteSearch: "Suche auf dieser Seite",
  searchButton: "Suchen",
  explore: "Entdecken",
  signIn: "Anmelden",
  signOut: "Abmelden",
  account: "Ihr Konto",
  profile: "Ihr Profil",
  settings: "Einstellungen",
  inbox: "Posteingang",
  unread: (count) => plural(count, "ungelesene Benachrichtigung", "ungelesene Benachrichtigungen"),
  newRepository: "Neues Repository",
  apiReference: "API-Referenz",
  page: (page) => `Seite ${page}`,
  previous: "Zurück",
  next: "Weiter",
  pagination: "Seiten",
  copy: "Kopieren",
  copied: "Kopiert",
  breadcrumb: "Pfad",
  why: "Warum?"
}

/** German texts of forms. */
export const forms: Texts["forms"] = {
  summary: (count) => plural(count, "Problem ist zu beheben", "Probleme sind zu beheben"),
  csrf: "Dieses Formular ist zu alt oder kam von einer anderen Website. Prüfen Sie die Eingaben und senden Sie es erneut.",
  tooLarge: "Das Formular ist zu groß: höchstens 1 MiB.",
  required: "darf nicht leer sein",
  typeName: (name) => `muss ${name} sein`,
  save: "Änderungen speichern",
  preview: "Änderungen vorab ansehen",
  previewShort: "Vorschau",
  cancel: "Abbrechen",
  remove: "Entfernen",
  delete: "Löschen",
  saved: "Gespeichert."
}

/** German texts of error pages. */
export const errors: Texts["errors"] = {
  notFoundTitle: "Seite nicht gefunden",
  notFound: "Diese Seite gibt es nicht, oder Sie dürfen sie nicht sehen.",
  notFoundSignedOut: "Vielleicht ist sie nach der Anmeldung sichtbar.",
  forbiddenTitle: "Das dürfen Sie nicht",
  forbidden: "Ihrem Konto fehlt die Berechtigung für diese Seite.",
  internalTitle: "Etwas ist schiefgegangen",
  internal: "Die Seite konnte nicht erstellt werden. Der Administrator findet die Ursache über die Anfrage-ID.",
  unavailableTitle: "Vorübergehend nicht verfügbar",
  unavailable:
    "Der Dienst erreicht seine Daten nicht oder ist ausgelastet. Versuchen Sie es in ein paar Sekunden erneut.",
  limitedTitle: "Zu viele Anfragen",
  limited: (seconds) => `Versuchen Sie es in ${seconds} Sekunden erneut.`,
  rejectedTitle: "Anfrage nicht angenommen",
  requestId: "Anfrage-ID",
  home: "Zur Startseite",
  noSuchName: "gibt es nicht, oder Sie dürfen es nicht sehen"
}

/** German words for users, organizations and repositories that many pages use. */
export const words: Texts["words"] = {
  public: "Öffentlich",
  private: "Privat",
  limited: "Eingeschränkt",
  internal: "Intern",
  archived: "Archiviert",
  fork: "Fork",
  mirror: "Spiegel",
  template: "Vorlage",
  forkedFrom: "Fork von",
  repositories: "Repositorys",
  users: "Benutzer",
  organizations: "Organisationen",
  updated: "Aktualisiert",
  stars: (count) => plural(count, "Stern", "Sterne"),
  forks: (count) => plural(count, "Fork", "Forks"),
  joined: "Dabei seit",
  filter: "Filtern",
  name: "Name"
}
