import type { Texts } from "../Texts.ts"

/** German texts of the settings for labels, secrets, variables and runners of an organization. */
export const ownerSettings: Texts["ownerSettings"] = {
  tabs: {
    labels: "Labels",
    hooks: "Webhooks",
    secrets: "Secrets",
    variables: "Variablen",
    runners: "Runner",
    blocked_users: "Blockierte Benutzer"
  },
  noLabels: "Keine Labels. Labels einer Organisation gelten in allen ihren Repositorys.",
  noBlocked: "Die Organisation blockiert keine Benutzer.",
  blockHint:
    "Ein blockierter Benutzer kann in den Repositorys der Organisation keine Issues und Pull Requests öffnen, nicht kommentieren, prüfen, reagieren oder beobachten. Mitglieder lassen sich nicht blockieren.",
  noHooks: "Keine Webhooks. Ein Webhook einer Organisation bekommt die Ereignisse aller ihrer Repositorys.",
  addLabel: "Label hinzufügen",
  editLabel: (name) => `Label ${name} bearbeiten`,
  edit: "Bearbeiten",
  exclusive: "Exklusiv: Ein Issue hat höchstens ein Label des Bereichs vor dem Schrägstrich",
  archived: "Archiviert: Das Label kann keinen weiteren Issues gegeben werden",
  secretsHint: "Workflows aller Repositorys der Organisation können ein Secret lesen. Sein Wert wird nie angezeigt.",
  noSecrets: "Keine Secrets.",
  setSecret: "Secret setzen",
  setSecretHint: "Ein Secret mit demselben Namen bekommt den neuen Wert.",
  value: "Wert",
  nameHint:
    "Buchstaben, Ziffern und Unterstriche. Er beginnt nicht mit einer Ziffer, GITHUB_, GITEA_, FORGEJO_ oder SLIPWAY_.",
  updated: "gesetzt",
  variablesHint: "Workflows aller Repositorys der Organisation können eine Variable lesen.",
  noVariables: "Keine Variablen.",
  addVariable: "Variable hinzufügen",
  editVariable: (name) => `Variable ${name} bearbeiten`,
  runnersHint: "Runner einer Organisation führen Jobs aller ihrer Repositorys aus.",
  noRunners: "Keine Runner. Registriere einen mit einem Registrierungs-Token.",
  ofRepository: {
    secrets: "Workflows dieses Repositorys können ein Secret lesen. Sein Wert wird nie gezeigt.",
    variables: "Workflows dieses Repositorys können eine Variable lesen.",
    runners: "Runner eines Repositorys führen nur dessen Jobs aus."
  },
  ofUser: {
    variables: "Workflows aller Ihrer Repositorys können eine Variable lesen.",
    runners: "Ihre Runner führen Jobs aller Ihrer Repositorys aus."
  }
}
