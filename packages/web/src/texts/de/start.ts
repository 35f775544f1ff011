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
  signUpTitle: "Konto anlegen",
  createAccount: "Konto anlegen",
  noAccount: "Noch kein Konto?",
  hasAccount: "Schon ein Konto?",
  username: "Benutzername",
  usernameHint: "Buchstaben, Ziffern, Punkte, Binde- und Unterstriche. Er ist Teil der Adresse deiner Repositorys.",
  email: "E-Mail-Adresse",
  newPassword: "Neues Passwort",
  passwordHint: (count) => `Mindestens ${count} Zeichen.`,
  repeatPassword: "Neues Passwort wiederholen",
  tooShort: (count) => `muss mindestens ${count} Zeichen haben`,
  different: "weicht vom neuen Passwort ab",
  accountCreated: "Konto angelegt",
  waitsForApproval: "Ein Administrator muss das Konto freischalten, bevor du dich anmelden kannst.",
  confirmAddress: (email) =>
    `Wir haben eine E-Mail an ${email} gesendet. Folge ihrem Link, um die Adresse zu bestätigen.`,
  signUpSlowed: "Zu viele Konten wurden von deiner Netzwerkadresse angefordert. Versuche es später erneut.",
  notUsable:
    "Dieses Konto kann sich nicht anmelden: Es wartet auf Freischaltung, oder ein Administrator hat es gesperrt.",
  forgottenTitle: "Passwort zurücksetzen",
  forgottenHint:
    "Gib die bestätigte E-Mail-Adresse deines Kontos ein. Du erhältst eine E-Mail mit einem Link, um ein neues Passwort zu setzen.",
  sendEmail: "E-Mail senden",
  emailSent: "Sieh in dein Postfach",
  emailSentHint:
    "Wenn das die bestätigte Adresse eines Kontos ist, ist eine E-Mail mit einem Link unterwegs, um ein neues Passwort zu setzen. Der Link gilt 60 Minuten.",
  emailSlowed: "Zu viele E-Mails wurden angefordert. Versuche es später erneut.",
  recoverTitle: "Neues Passwort setzen",
  recoverHint: "Alle Sitzungen und Tokens des Kontos enden mit dem alten Passwort.",
  setPassword: "Passwort setzen",
  passwordSet: "Dein neues Passwort ist gesetzt.",
  passwordSetHint: "Melde dich damit an. Alle früheren Sitzungen und Tokens des Kontos sind beendet.",
  codeInvalid: "Der Link wurde schon benutzt oder ist abgelaufen.",
  requestAnother: "Neuen Link anfordern",
  continueTo: "Melde dich an, um fortzufahren."
}
