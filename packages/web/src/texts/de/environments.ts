import type { Texts } from "../Texts.ts"

/** German texts of the settings of deployment environments. */
export const environments: Texts["environments"] = {
  environments: "Umgebungen",
  none: "Keine Umgebungen. Eine Umgebung wie production kann Prüfer verlangen und nur manche Branches zulassen.",
  create: "Neue Umgebung",
  edit: (name) => `Umgebung ${name}`,
  name: "Name der Umgebung",
  nameHint: "Der Name der Umgebung auf der Deployment-Plattform, etwa production.",
  users: "Prüfer: Benutzer",
  teams: "Prüfer: Teams der Organisation",
  preventSelfReview: "Wer den Commit gepusht hat, darf sein Deployment nicht prüfen",
  waitTimer: "Wartezeit in Minuten",
  waitTimerHint: "Jedes Deployment wartet so lange nach seiner Erstellung, höchstens 43.200 Minuten (30 Tage).",
  branches: "Branches und Tags, die ausrollen dürfen",
  policies: {
    all: "Alle Branches und Tags",
    protected: "Nur geschützte Branches",
    selected: "Nur solche, auf die ein Muster passt"
  },
  patterns: "Muster",
  noPatterns: "Keine Muster, also darf nichts in diese Umgebung ausgerollt werden.",
  addPattern: "Muster hinzufügen",
  pattern: "Muster",
  patternHint: "Ein Name oder ein Muster wie release/*. Ein * passt nicht auf einen Schrägstrich, ** schon.",
  type: "Gilt für",
  types: { branch: "Branches", tag: "Tags" },
  reviewersShown: (count) => (count === 1 ? "1 Prüfer" : `${count} Prüfer`),
  minutesShown: (count) => (count === 1 ? "wartet 1 Minute" : `wartet ${count} Minuten`),
  taken: (name) => `Die Umgebung ${name} gibt es schon: Ändern Sie sie in der Liste der Umgebungen.`,
  minutesWrong: "Geben Sie eine ganze Zahl von Minuten ein.",
  tooMany: (most) => `Geben Sie zusammen höchstens ${most} Benutzer und Teams ein.`,
  unknownUsers: (names) => `Benutzer mit diesen Namen gibt es nicht: ${names}.`,
  unknownTeams: (names) => `Teams mit diesen Namen hat die Organisation nicht: ${names}.`
}
