import type { instance as english } from "../en/instance.ts"

/** German texts of the settings of the instance, and of its accounts. */
export const instance: typeof english = {
  title: "Einstellungen",
  addresses: "Adressen der Plattform",
  addressesHint: "Der Proxy auf dem Server der Plattform leitet diese Adressen an die Plattform weiter.",
  api: "API",
  apiHint: "Bei ausgeschalteter API werden Anfragen mit Token abgelehnt. Die Konsole funktioniert weiter.",
  mcp: "MCP",
  mcpHint: "Über den Endpunkt /mcp rufen KI-Assistenten die API mit einem Token auf.",
  enabled: "eingeschaltet",
  disabled: "ausgeschaltet",
  enable: "Einschalten",
  disable: "Ausschalten",
  about: "Instanz",
  version: "Version",
  updated: "Einstellungen geändert",
  accounts: "Konten",
  root: "Root",
  rootAccount: "Root-Konto",
  rootHint: "Ein Root-Konto besitzt das Wurzelteam: Es verwaltet die Instanz, ihre Konten und alle Teams.",
  disabledAccount: "gesperrt",
  disableAccount: "Konto sperren",
  disableHint: "Ein gesperrtes Konto kann sich nicht anmelden. Seine Sitzungen enden sofort.",
  neverSignedIn: "nie angemeldet",
  lastSignIn: "zuletzt angemeldet",
  createAccount: "Konto anlegen",
  email: "E-Mail-Adresse",
  password: "Passwort",
  newPasswordHint: "Ohne Passwort kann sich das Konto erst anmelden, wenn Sie eines setzen.",
  resetPassword: "Passwort zurücksetzen",
  resetHint: "Mindestens 8 Zeichen. Die Sitzungen des Kontos enden."
}
